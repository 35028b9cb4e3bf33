package io.sdds.cli.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sdds.cli.command.Sdds;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A process of the distribution, as {@code mvn package} made it; its output goes to files. */
final class SddsProcess implements AutoCloseable {
    static final Path HOME =
            Path.of(System.getProperty("sdds.home", "..")).toAbsolutePath().normalize();
    static final Path LIB = HOME.resolve("sdds-cli/target/lib");
    static final String LAUNCHER = HOME.resolve("bin/sdds").toString();

    /**
     * Most processes here are over before the optimizing compiler pays; those that they start take this option over.
     */
    private static final String QUICK_COMPILER = "-XX:CompilationMode=quick-only";

    /** How long a test waits for what mostly takes a second: the machine may have much else to do. */
    static final Duration PATIENCE = Duration.ofMinutes(3);

    /** The launcher itself ends each of the three steps of a training after 3 minutes. */
    private static final Duration TRAINING_PATIENCE = Duration.ofMinutes(10);

    /** Below those that the system gives to whoever connects. */
    private static final AtomicInteger PORT_NEXT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(20_000, 30_000));

    private static final ObjectMapper JSON = new ObjectMapper();

    static {
        prepareFastStart();
    }

    private final Process process;
    private final Path out;
    private final Path err;

    /** How a command ended, in a process of its own or in this JVM. */
    record Ended(int exitCode, String out, String err) {
        static Ended of(Sdds command) {
            return new Ended(command.exitCode(), command.out(), command.err());
        }

        Ended ok() {
            assertThat(exitCode).as(err).isZero();
            return this;
        }

        JsonNode json() {
            try {
                return JSON.readTree(out);
            } catch (IOException e) {
                throw new UncheckedIOException(out, e);
            }
        }
    }

    private SddsProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /**
     * As the launcher does for a user, who doesn't say that nothing is to be built. Most processes here are servers,
     * and what the others need takes as long to prepare as what servers need.
     */
    private static void prepareFastStart() {
        try (SddsProcess training = start("aot-training", "--servers")) {
            training.end(TRAINING_PATIENCE).ok();
        }
    }

    /** Starts {@code bin/sdds} with these arguments, as an operator does. */
    static SddsProcess start(String... args) {
        List<String> command = new ArrayList<>(List.of(LAUNCHER));
        command.addAll(List.of(args));
        return start(command, Map.of());
    }

    static SddsProcess start(List<String> command, Map<String, String> environment) {
        try {
            Path out = Files.createTempFile("sdds-it-", ".out");
            Path err = Files.createTempFile("sdds-it-", ".err");
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
            builder.environment().keySet().removeAll(List.of("SDDS_CONNECT", "LC_CTYPE", "LANG"));
            builder.environment()
                    .putAll(Map.of(
                            "LC_ALL",
                            "C.UTF-8",
                            "SDDS_NO_BUILD",
                            "1",
                            "SDDS_JAVA_HOME",
                            System.getProperty("java.home"),
                            "SDDS_JAVA_OPTS",
                            QUICK_COMPILER));
            builder.environment().putAll(environment);
            return new SddsProcess(builder.start(), out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** For a command whose temporary files go to a directory. */
    static Map<String, String> temporaryFilesIn(Path directory) {
        return Map.of("SDDS_JAVA_OPTS", QUICK_COMPILER + " -Djava.io.tmpdir=" + directory);
    }

    /** For a command that knows the host names of a file alone, in the form of /etc/hosts. */
    static Map<String, String> namesFrom(Path hosts) {
        return Map.of("SDDS_JAVA_OPTS", QUICK_COMPILER + " -Djdk.net.hosts.file=" + hosts);
    }

    /**
     * Runs a command in this JVM, for tests that are about the processes of a cluster: starting a JVM for each of their
     * commands would take most of their time.
     *
     * @param addresses that the command connects to
     */
    static Ended runHere(String addresses, String... args) {
        return Ended.of(Sdds.run(connected(addresses, args)));
    }

    /** Commands whose work ends at the timeout, if there is one. */
    private static final Set<String> TIMED = Set.of("brick-drain", "alter", "sql");

    /**
     * The arguments of a command that connects to these addresses. Unless it says otherwise, it waits for long, because
     * other processes may have the processors.
     */
    static String[] connected(String addresses, String... args) {
        List<String> all = new ArrayList<>(List.of("--connect", addresses));
        all.addAll(List.of(args));
        if (!all.contains("--timeout") && Collections.disjoint(all, TIMED)) {
            all.addAll(List.of("--timeout", "1m"));
        }
        return all.toArray(String[]::new);
    }

    /** Runs {@code sdds} to its end, in a process of its own. */
    static Ended run(String... args) {
        return run(PATIENCE, args);
    }

    /** The same for what may take longer than other commands. */
    static Ended run(Duration patience, String... args) {
        try (SddsProcess process = start(args)) {
            return process.end(patience);
        }
    }

    static String classPath() {
        return String.join(java.io.File.pathSeparator, jars(LIB));
    }

    /** The jars in a folder, sorted. */
    static List<String> jars(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(Path::toString)
                    .filter(file -> file.endsWith(".jar"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("run mvn package first", e);
        }
    }

    /** The first of so many ports in a row that were free a moment ago, and that nobody else in this JVM was told. */
    static int freePorts(int count) {
        for (int attempt = 0; attempt < 100; attempt++) {
            int first = PORT_NEXT.getAndAdd(count);
            if (allFree(first, count)) {
                return first;
            }
        }
        throw new IllegalStateException("no " + count + " free ports in a row");
    }

    private static boolean allFree(int first, int count) {
        for (int k = 0; k < count; k++) {
            try (ServerSocket socket = new ServerSocket(first + k, 1, InetAddress.getLoopbackAddress())) {
                socket.setReuseAddress(true);
            } catch (IOException e) {
                return false;
            }
        }
        return true;
    }

    long pid() {
        return process.pid();
    }

    /** The JVMs it started and has not outlived: not what the launcher calls on its way. */
    List<ProcessHandle> members() {
        return process.children()
                .filter(child -> child.info().command().orElse("").endsWith("java"))
                .toList();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** What a feeding test writes to. */
    OutputStream in() {
        return process.getOutputStream();
    }

    String out() {
        return read(out);
    }

    String err() {
        return read(err);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for a text on standard output. */
    void awaitOut(String text) {
        Awaitility.await().atMost(PATIENCE).until(() -> out().contains(text) || !isAlive());
        assertThat(out()).as(err()).contains(text);
    }

    /** Waits for a text on standard error. */
    void awaitErr(String text) {
        Awaitility.await().atMost(PATIENCE).until(() -> err().contains(text) || !isAlive());
        assertThat(err()).contains(text);
    }

    /** Waits for its end. */
    Ended end() {
        return end(PATIENCE);
    }

    Ended end(Duration patience) {
        try {
            if (!process.waitFor(patience.toSeconds(), TimeUnit.SECONDS)) {
                signal("QUIT"); // a JVM says what its threads do
                process.waitFor(1, TimeUnit.SECONDS);
                String said = out() + err();
                process.destroyForcibly();
                throw new AssertionError("does not end within " + patience.toSeconds() + " s; said: " + said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        return new Ended(process.exitValue(), out(), err());
    }

    /**
     * Stops it, and waits until none of its threads runs: on a busy machine the one that takes the signal may wait long
     * for a core, and the others go on.
     */
    void pause() {
        signal("STOP");
        Awaitility.await().atMost(PATIENCE).until(() -> {
            try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid() + "/task"))) {
                return threads.allMatch(thread -> read(thread.resolve("stat")).contains(") T "));
            }
        });
    }

    /** Sends a signal, such as INT. */
    void signal(String name) {
        signal(name, pid());
    }

    static void signal(String name, long pid) {
        try {
            int exitCode = new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                    .start()
                    .waitFor();
            assertThat(exitCode).as("kill -%s %d", name, pid).isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    /**
     * Ends it and what it started, whatever they do: how processes end when they are asked to is said by tests that
     * ask.
     */
    @Override
    public void close() {
        List<ProcessHandle> started = process.descendants().toList();
        try {
            process.destroyForcibly().waitFor();
            started.forEach(ProcessHandle::destroyForcibly);
            Files.deleteIfExists(out);
            Files.deleteIfExists(err);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
