package io.sdds.cli.process;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The end of a server process, which runs until INT, TERM or HUP, or until the end of its standard input. */
public final class Stop {
    private static final int BUFFER_BYTES = 256;

    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean byItself;
    private volatile @Nullable Runnable closing;

    private Stop() {}

    /**
     * Installs the handler of signals. A signal runs the task of {@link #closing} and ends the process with exit code
     * 0.
     */
    public static Stop onSignal() {
        Stop stop = new Stop();
        Runtime.getRuntime().addShutdownHook(new Thread(stop::onShutdown, "stop"));
        return stop;
    }

    /** Makes the first TERM run a task, on its own thread. A second TERM ends the process. */
    public void onFirstTerm(Runnable task) {
        AtomicBoolean received = new AtomicBoolean();
        Term.handle(() -> {
            if (received.getAndSet(true)) {
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

    /** Sets the task that runs before the end of the process. */
    public void closing(Runnable task) {
        closing = task;
    }

    /** Makes the process end when its standard input ends, because then its parent process has ended. */
    public void onEndOfInput() {
        Thread watcher = new Thread(this::watchInput, "parent-watch");
        watcher.setDaemon(true);
        watcher.start();
    }

    /** Waits until a signal ends the process. Never returns. */
    public void await() throws InterruptedException {
        ended.await();
    }

    /** The process is about to end by itself, with its own exit code. */
    public void byItself() {
        byItself = true;
    }

    private void watchInput() {
        try (InputStream in = System.in) {
            byte[] ignored = new byte[BUFFER_BYTES];
            while (in.read(ignored) >= 0) {
                // the input is ignored; only its end counts
            }
        } catch (IOException e) {
            // a failure counts as the end
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
