package io.sdds.cli.process;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The end of a process that serves until it is told to stop: by INT, TERM or HUP, or by the end of its standard input.
 */
public final class Stop {
    private static final int BUFFER_BYTES = 256;

    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean byItself;
    private volatile @Nullable Runnable closing;

    private Stop() {}

    /**
     * From now on a signal runs what {@link #closing} names and ends the process with exit code 0: it did as it was
     * told.
     */
    public static Stop onSignal() {
        Stop stop = new Stop();
        Runtime.getRuntime().addShutdownHook(new Thread(stop::onShutdown, "stop"));
        return stop;
    }

    /** From now on the first TERM runs a task instead, on a thread of its own; the second one ends the process. */
    public void onFirstTerm(Runnable task) {
        AtomicBoolean told = new AtomicBoolean();
        Term.handle(() -> {
            if (told.getAndSet(true)) {
                end();
            } else {
                task.run();
            }
        });
    }

    /** Ends the process, as a signal does. */
    public void end() {
        Runtime.getRuntime().exit(0);
    }

    /** What has to be done before the end. */
    public void closing(Runnable task) {
        closing = task;
    }

    /** Ends the process when its standard input ends: whoever started it is gone. */
    public void onEndOfInput() {
        Thread watcher = new Thread(this::watchInput, "parent-watch");
        watcher.setDaemon(true);
        watcher.start();
    }

    /** Waits for the end that a signal brings, which this thread does not live to see. */
    public void await() throws InterruptedException {
        ended.await();
    }

    /** The process ends by itself, and with an exit code of its own. */
    public void byItself() {
        byItself = true;
    }

    private void watchInput() {
        try (InputStream in = System.in) {
            byte[] ignored = new byte[BUFFER_BYTES];
            while (in.read(ignored) >= 0) {
                // words mean nothing here, only the end does
            }
        } catch (IOException e) {
            // as good as the end
        }
        end();
    }

    private void onShutdown() {
        if (byItself) {
            return;
        }
        Runnable task = closing;
        if (task != null) {
            task.run();
        }
        Runtime.getRuntime().halt(0);
    }
}
