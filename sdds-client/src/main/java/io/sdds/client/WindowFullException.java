package io.sdds.client;

/**
 * The client refused an operation at once, because its window is full: as many operations, or bytes of operations, are
 * outstanding as {@link ClientSettings} allows. Nothing was sent. Thrown where the call may not wait for room: in
 * fail-fast mode ({@link ClientSettings.Builder#failFast}), and for calls on the client's own event loop, which may
 * take as much room again.
 */
public final class WindowFullException extends OverloadedException {
    private static final long serialVersionUID = 1;

    /**
     * An exception for the client, or for a test of an application.
     *
     * @param message one line that says what was refused
     */
    public WindowFullException(String message) {
        super(message, false);
    }
}
