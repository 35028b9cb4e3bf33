package io.sdds.cli.chaos;

import io.sdds.cli.process.Jvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A client process. Writes its events to standard output, and ends when its standard input ends. */
final class ClientProcess {
    private static final String NAME = "client";

    private final int number;
    private final Process process;
    private final Thread reader;

    /** @param arguments arguments of the command {@code chaos-client}, without the number of the client */
    ClientProcess(int number, List<String> arguments, Path errors, Recorder recorder) throws IOException {
        this(number, start(number, arguments, errors), recorder);
    }

    /** @param process a process that writes events */
    ClientProcess(int number, Process process, Recorder recorder) {
        this.number = number;
        this.process = process;
        reader = Thread.ofPlatform().daemon().name(name()).start(() -> read(recorder));
    }

    private static Process start(int number, List<String> arguments, Path errors) throws IOException {
        List<String> all = new ArrayList<>(List.of("chaos-client", "--number", Integer.toString(number)));
        all.addAll(arguments);
        return Jvm.running(List.of(), all)
                .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                .start();
    }

    String name() {
        return NAME + number;
    }

    long pid() {
        return process.pid();
    }

    private void read(Recorder recorder) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Event event = Event.parse(line);
                if (event != null) {
                    recorder.take(number, event);
                }
            }
        } catch (IOException e) {
            // the process has ended
        }
        recorder.gone(number);
    }

    /**
     * Kills the process by its handle. {@link Process#destroyForcibly} would also close the output of the process, and
     * unread events would be lost.
     */
    void kill() {
        process.toHandle().destroyForcibly();
    }

    /** Whether the process has ended. */
    boolean isDead() {
        return !process.isAlive();
    }

    /** Asks the process to finish its outstanding operations and to end. */
    void askToEnd() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // the process has ended
        }
    }

    /** Records the events of the process until it has ended. Kills the process if it does not end in time. */
    void awaitEnd(long patienceMillis) throws InterruptedException {
        if (!process.waitFor(patienceMillis, TimeUnit.MILLISECONDS)) {
            kill();
        }
        reader.join(patienceMillis);
    }
}
