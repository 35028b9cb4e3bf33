package io.sdds.cli.terminal;

/** Does something when a signal ends the process, until the hook is closed. */
public final class ExitHook implements AutoCloseable {
    private final Thread thread;

    /** @param action runs on a thread of its own, while the other threads of the process still run */
    public ExitHook(Runnable action) {
        thread = new Thread(action, "exit");
        Runtime.getRuntime().addShutdownHook(thread);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException e) {
            // the process is ending
        }
    }
}
