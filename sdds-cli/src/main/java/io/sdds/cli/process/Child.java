package io.sdds.cli.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process of a local cluster: another JVM with the same options and class path as this JVM. The standard input of the
 * process is a pipe from this process. The process ends when the pipe ends, even if this process was killed.
 */
final class Child {
    private static final String READY = "ready";
    private static final Pattern INCARNATION = Pattern.compile(", incarnation ([0-9]+)$");

    private final String id;
    private final Path errors;
    private final Process process;
    private volatile long incarnation;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();

    private Child(String id, Path errors, Process process) {
        this.id = id;
        this.errors = errors;
        this.process = process;
    }

    /**
     * Starts a process.
     *
     * @param directory directory of the process, which also gets its standard error
     * @param options additional options of the JVM
     * @param arguments arguments of the command {@code sdds}
     */
    static Child start(String id, Path directory, List<String> options, List<String> arguments) throws IOException {
        Path log = Files.createDirectories(LogFiles.in(directory));
        Path errors = log.resolve("stderr.log");
        Process process = Jvm.running(options, arguments)
                .redirectInput(ProcessBuilder.Redirect.PIPE)
                .redirectOutput(ProcessBuilder.Redirect.PIPE)
                .redirectError(errors.toFile())
                .start();
        Child child = new Child(id, errors, process);
        Thread reader = new Thread(child::readOutput, "out-" + id);
        reader.setDaemon(true);
        reader.start();
        return child;
    }

    String id() {
        return id;
    }

    long pid() {
        return process.pid();
    }

    /** Completes when the process is ready. Fails if the process ends before. */
    CompletableFuture<Void> ready() {
        return ready;
    }

    /** Waits for the end of the process, and returns its exit code. */
    int awaitExit() {
        return process.onExit().join().exitValue();
    }

    /** Asks the process to end at once, by closing its standard input. TERM would drain a brick first. */
    void terminate() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            process.destroyForcibly();
        }
    }

    /** Kills the process and waits for its end, so that its port and its directory are free. */
    void kill() {
        process.destroyForcibly();
        awaitExit();
    }

    /** Waits for the end of the process until a deadline, and then kills the process. */
    void awaitEnd(long deadlineNanos) {
        try {
            if (!process.waitFor(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** The JVM prints this line when a brick uses the Vector API. */
    private static final String INCUBATOR_WARNING = "WARNING: Using incubator modules";

    /** Last line that the process has written to standard error. */
    String lastWords() {
        try {
            List<String> lines = Files.readAllLines(errors);
            for (int k = lines.size() - 1; k >= 0; k--) {
                if (!lines.get(k).isBlank() && !lines.get(k).startsWith(INCUBATOR_WARNING)) {
                    return lines.get(k).trim();
                }
            }
        } catch (IOException e) {
            // the result below tells that there is no line
        }
        return "no message on standard error";
    }

    /** Incarnation of a brick that is ready; 0 for other processes. */
    long incarnation() {
        return incarnation;
    }

    private static long incarnation(String readyLine) {
        Matcher matcher = INCARNATION.matcher(readyLine);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }

    private void readOutput() {
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.startsWith(READY)) {
                    incarnation = incarnation(line);
                    ready.complete(null);
                }
            }
        } catch (IOException e) {
            // the process has ended, which is handled below
        }
        awaitExit();
        ready.completeExceptionally(new IOException(id + " ended before it was ready"));
    }
}
