package io.sdds.cli.chaos;

import io.sdds.cli.process.Jvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A client as a process of its own, which tells its events on standard output, and ends when its standard input does.
 */
final class ClientProcess {
    private static final String NAME = "client";

    private final int number;
    private final Process process;
    private final Thread reader;

    /** @param arguments of the command {@code chaos-client}, but for the client's number */
    ClientProcess(int number, List<String> arguments, Path errors, Recorder recorder) throws IOException {
        this(number, start(number, arguments, errors), recorder);
    }

    /** @param process that tells events */
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
            // its end
        }
        recorder.gone(number);
    }

    /**
     * Ends it at once. By its handle: {@link Process#destroyForcibly} would close its output too, with events in it
     * that it has told and nobody has read.
     */
    void kill() {
        process.toHandle().destroyForcibly();
    }

    /** Whether it ended though nobody ended it. */
    boolean isDead() {
        return !process.isAlive();
    }

    /** Asks it to end what is under way and begin nothing more; what it says until then is taken. */
    void end(long patienceMillis) throws InterruptedException {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // it is gone
        }
        if (!process.waitFor(patienceMillis, TimeUnit.MILLISECONDS)) {
            kill();
        }
        reader.join(patienceMillis);
    }
}
