package io.sdds.cli.process;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Starts another JVM with the Java, the options and the class path of this JVM. The class path of bricks and
 * coordinators does not contain the tools.
 */
public final class Jvm {
    private static final String MAIN = "io.sdds.cli.Main";

    /** Commands of server processes, whose class path does not contain the tools. */
    private static final List<String> SERVERS = List.of("brick", "coordinator");

    /** The folder of the distribution with the test kit and the benchmarks. */
    private static final String TOOLS = "tools";

    /** Options that apply only to this process, and are not passed on. */
    private static final List<String> OWN_OPTIONS = List.of(
            "-Dsdds.log.level=",
            "-Dsdds.terminals=",
            "-Dsdds.launcher=",
            "-XX:TieredStopAtLevel=",
            "-XX:AOTCacheOutput=");

    private Jvm() {}

    /**
     * Prepares a process that runs {@code sdds}.
     *
     * @param options additional options of the JVM
     * @param arguments arguments of the command
     */
    public static ProcessBuilder running(List<String> options, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (OWN_OPTIONS.stream().noneMatch(option::startsWith)) {
                command.add(option);
            }
        }
        command.addAll(options);
        command.add(MAIN);
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        // The class path is not an argument, so that process lists stay readable.
        String own = System.getProperty("java.class.path");
        boolean serves = !arguments.isEmpty() && SERVERS.contains(arguments.get(0));
        builder.environment().put("CLASSPATH", serves ? withoutTools(own) : own);
        return builder;
    }

    /** A class path without the jars in the tools folder of the distribution. */
    static String withoutTools(String classPath) {
        return Arrays.stream(classPath.split(File.pathSeparator))
                .filter(entry -> !isTool(Path.of(entry)))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static boolean isTool(Path entry) {
        return entry.getParent() != null && entry.getParent().endsWith(Path.of("lib", TOOLS));
    }
}
