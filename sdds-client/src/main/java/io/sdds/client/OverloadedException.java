package io.sdds.client;

/**
 * The operation waited for a busy brick, or for room in the client's window, until its deadline. In fail-fast mode
 * ({@link ClientSettings.Builder#failFast}): its brick is busy, and enough operations wait for it. The operation had no
 * effect. {@link WindowFullException} tells that the client's window is full where the call may not wait.
 */
public sealed class OverloadedException extends SddsException permits WindowFullException {
    private static final long serialVersionUID = 1;

    /**
     * An exception for the client, or for a test of an application.
     *
     * @param message one line that says what failed, where, and whether there may have been an effect
     * @param outcomeUnknown as {@link #isOutcomeUnknown} answers
     */
    public OverloadedException(String message, boolean outcomeUnknown) {
        super(message, outcomeUnknown);
    }
}
