package io.sdds.cli.process;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starting another JVM like this one: same Java, same options, same class path. */
public final class Jvm {
    private static final String MAIN = "io.sdds.cli.Main";

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
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        return builder;
    }
}
