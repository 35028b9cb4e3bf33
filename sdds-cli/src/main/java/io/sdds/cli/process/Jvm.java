package io.sdds.cli.process;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Starts another JVM with the Java, the options and the class path of this JVM. The class path of bricks and
 * coordinators does not contain the tools, SQL and other databases.
 */
public final class Jvm {
    private static final String MAIN = "io.sdds.cli.Main";

    /** Commands of server processes, whose class path does not contain the tools. */
    private static final List<String> SERVERS = List.of("brick", "coordinator");

    /** The folders of the distribution with the test kit and the benchmarks, SQL, and other databases. */
    private static final List<Path> TOOLS =
            List.of(Path.of("lib", "tools"), Path.of("lib", "sql"), Path.of("lib", "peers"));

    /** Options that apply only to this process, and are not passed on. */
    private static final List<String> OWN_OPTIONS = List.of(
            "-Dsdds.log.level=",
            "-Dsdds.terminals=",
            "-Dsdds.launcher=",
            "-XX:TieredStopAtLevel=",
            "-XX:AOTMode=record",
            "-XX:AOTConfiguration=",
            "-XX:AOTCacheOutput=");

    private static final String CACHE = "-XX:AOTCache=";

    /** Says that bricks need the Vector API. The value is their AOT cache, since each set of modules needs its own. */
    private static final String VECTOR_CACHE = "sdds.vector.cache";

    private static final String VECTOR_MODULE = "--add-modules=jdk.incubator.vector";

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
        boolean isBrick = !arguments.isEmpty() && arguments.get(0).equals("brick");
        command.addAll(inherited(
                ManagementFactory.getRuntimeMXBean().getInputArguments(),
                isBrick ? System.getProperty(VECTOR_CACHE) : null));
        command.addAll(options);
        command.add(MAIN);
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        // The class path is not an argument, so that process lists stay readable.
        builder.environment().put("CLASSPATH", classPath(System.getProperty("java.class.path"), arguments));
        return builder;
    }

    /**
     * The class path of a process that runs {@code sdds}.
     *
     * @param own class path of this JVM
     */
    static String classPath(String own, List<String> arguments) {
        boolean serves = !arguments.isEmpty() && SERVERS.contains(arguments.get(0));
        return serves ? withoutTools(own) : own;
    }

    /**
     * The options of this JVM for another process.
     *
     * @param vectorCache AOT cache of a process with the Vector API; null for a process without it
     */
    static List<String> inherited(List<String> own, @Nullable String vectorCache) {
        List<String> inherited = new ArrayList<>();
        for (String option : own) {
            if (vectorCache != null && option.startsWith(CACHE)) {
                inherited.add(CACHE + vectorCache);
            } else if (OWN_OPTIONS.stream().noneMatch(option::startsWith)) {
                inherited.add(option);
            }
        }
        if (vectorCache != null && !inherited.contains(VECTOR_MODULE)) {
            inherited.add(VECTOR_MODULE);
        }
        return inherited;
    }

    /** A class path without the jars in folders of the distribution that servers do not need. */
    static String withoutTools(String classPath) {
        return Arrays.stream(classPath.split(File.pathSeparator))
                .filter(entry -> !isTool(Path.of(entry)))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static boolean isTool(Path entry) {
        Path folder = entry.getParent();
        return folder != null && TOOLS.stream().anyMatch(folder::endsWith);
    }
}
