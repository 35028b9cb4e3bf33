package io.sdds.cli.process;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Starts another JVM like this one: the same Java, the same options, the same class path; bricks and coordinators
 * without the tools.
 */
public final class Jvm {
    private static final String MAIN = "io.sdds.cli.Main";

    /** The processes that serve: they have the product alone on their class path. */
    private static final List<String> SERVERS = List.of("brick", "coordinator");

    /** The folder of the distribution that has the test kit and the benchmarks. */
    private static final String TOOLS = "tools";

    /** What this process was told about itself, or about its own short life. */
    private static final List<String> OWN_OPTIONS = List.of(
            "-Dsdds.log.level=",
            "-Dsdds.terminals=",
            "-Dsdds.launcher=",
            "-XX:TieredStopAtLevel=",
            "-XX:AOTCacheOutput=");

    private Jvm() {}

    /**
     * A process that will run {@code sdds}.
     *
     * @param options more options for the JVM
     * @param arguments of the command
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
        // Not as an argument: lists of processes stay readable.
        String own = System.getProperty("java.class.path");
        boolean serves = !arguments.isEmpty() && SERVERS.contains(arguments.get(0));
        builder.environment().put("CLASSPATH", serves ? withoutTools(own) : own);
        return builder;
    }

    /** A class path without the jars of the distribution's tools. */
    static String withoutTools(String classPath) {
        return Arrays.stream(classPath.split(File.pathSeparator))
                .filter(entry -> !isTool(Path.of(entry)))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static boolean isTool(Path entry) {
        return entry.getParent() != null && entry.getParent().endsWith(Path.of("lib", TOOLS));
    }
}
