package io.sdds.bench.load;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Machine of a measurement. Figures are meaningless without their machine.
 *
 * @param loadAverage load average of the minute before the run; -1 if unknown. A high value shows that other processes
 *     were busy
 */
public record Machine(
        int cores,
        String processor,
        String operatingSystem,
        String jvm,
        List<String> jvmOptions,
        long heapBytesMax,
        double loadAverage) {

    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

    /** The current state of this machine. */
    public static Machine here() {
        return new Machine(
                Runtime.getRuntime().availableProcessors(),
                processorName(),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
                ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                        .filter(option -> option.startsWith("-X"))
                        .toList(),
                Runtime.getRuntime().maxMemory(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    /** CPU time of this process so far. */
    static long ownCpuNanos() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? Math.max(0, system.getProcessCpuTime())
                : 0;
    }

    private static String processorName() {
        if (!Files.isReadable(PROCESSORS)) {
            return "unknown";
        }
        try {
            for (String line : Files.readAllLines(PROCESSORS)) {
                if (line.startsWith("model name")) {
                    return line.substring(line.indexOf(':') + 1).strip();
                }
            }
            return "unknown";
        } catch (IOException e) {
            return "unknown";
        }
    }
}
