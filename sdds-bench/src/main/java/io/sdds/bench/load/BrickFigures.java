package io.sdds.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Processor time and memory that the brick processes used in a step.
 *
 * @param processes number of brick processes that were found on this machine
 * @param cores mean number of cores that all these processes kept busy
 * @param residentBytesBefore resident memory of these processes before the step, with heap, records and buffers
 * @param residentBytesAfter resident memory of these processes after the step
 */
public record BrickFigures(int processes, double cores, long residentBytesBefore, long residentBytesAfter) {
    private static final long TICKS_PER_SECOND = 100;
    private static final int STAT_USER_TICKS = 11;

    /** Measures brick processes from its creation on. */
    static final class Watch {
        private final List<Long> pids;
        private final long startNanos = System.nanoTime();
        private final long startTicks;
        private final long startBytes;

        private Watch(List<Long> pids) {
            this.pids = pids;
            this.startTicks = pids.stream().mapToLong(Watch::ticks).sum();
            this.startBytes = pids.stream().mapToLong(Watch::residentBytes).sum();
        }

        BrickFigures figures() {
            long ticks = pids.stream().mapToLong(Watch::ticks).sum() - startTicks;
            double seconds = (System.nanoTime() - startNanos) / 1e9;
            return new BrickFigures(
                    pids.size(),
                    ticks / (double) TICKS_PER_SECOND / seconds,
                    startBytes,
                    pids.stream().mapToLong(Watch::residentBytes).sum());
        }

        private static long ticks(long pid) {
            String stat = read(Path.of("/proc/" + pid + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 1).trim().split(" ");
            return fields.length <= STAT_USER_TICKS + 1
                    ? 0
                    : Long.parseLong(fields[STAT_USER_TICKS]) + Long.parseLong(fields[STAT_USER_TICKS + 1]);
        }

        private static long residentBytes(long pid) {
            for (String line : read(Path.of("/proc/" + pid + "/status")).split("\n")) {
                if (line.startsWith("VmRSS:")) {
                    return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
                }
            }
            return 0;
        }

        private static String read(Path file) {
            try {
                return Files.readString(file);
            } catch (IOException e) {
                return ""; // no such process, or a system without /proc
            }
        }
    }

    /**
     * Starts to measure the bricks that listen at these addresses, as far as they are processes of this machine that
     * {@code sdds} started.
     */
    static Watch watch(List<String> addresses) {
        return new Watch(ProcessHandle.allProcesses()
                .filter(process -> isBrick(process, addresses))
                .map(ProcessHandle::pid)
                .sorted()
                .toList());
    }

    private static boolean isBrick(ProcessHandle process, List<String> addresses) {
        List<String> arguments = List.of(process.info().arguments().orElse(new String[0]));
        return arguments.contains("brick") && addresses.stream().anyMatch(arguments::contains);
    }
}
