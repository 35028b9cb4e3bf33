package io.sdds.client;

/**
 * The cluster is overloaded and the client's budget of retries is spent, or a brick is busy where the caller may not
 * wait. The operation had no effect. {@link WindowFullException} tells the case that the client itself is full.
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
