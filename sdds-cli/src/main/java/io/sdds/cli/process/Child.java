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
 * A process of a local cluster: another JVM of the same kind as this one, on the same class path. It holds a pipe from
 * this process as its standard input, and ends when the pipe does, however this process ended.
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
     * Starts one.
     *
     * @param directory its own, where what it says on standard error goes as well
     * @param arguments of the command {@code sdds}
     */
    static Child start(String id, Path directory, List<String> arguments) throws IOException {
        Path log = Files.createDirectories(LogFiles.in(directory));
        Path errors = log.resolve("stderr.log");
        Process process = Jvm.running(List.of(), arguments)
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

    /** Done when it serves; fails with the reason when it ends before. */
    CompletableFuture<Void> ready() {
        return ready;
    }

    /** Waits for its end; what it ended with. */
    int awaitExit() {
        return process.onExit().join().exitValue();
    }

    /** Asks it to end at once: a brick that is told TERM is drained first. */
    void terminate() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            process.destroyForcibly();
        }
    }

    /** Ends it at once, and waits for its end: its port and its directory are free. */
    void kill() {
        process.destroyForcibly();
        awaitExit();
    }

    /** Waits for its end, or brings it about. */
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

    /** What it said last on standard error. */
    String lastWords() {
        try {
            List<String> lines = Files.readAllLines(errors);
            for (int k = lines.size() - 1; k >= 0; k--) {
                if (!lines.get(k).isBlank()) {
                    return lines.get(k).trim();
                }
            }
        } catch (IOException e) {
            // told below
        }
        return "it said nothing";
    }

    /** Of a brick that is ready, which of the processes of its name it is; else 0. */
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
            // its end, which is looked at elsewhere
        }
        awaitExit();
        ready.completeExceptionally(new IOException(id + " ended before it was ready"));
    }
}
