package io.sdds.client;

/**
 * The session of a write ended before the outcome of the write was known, for example because a client was cut off for
 * longer than its lease. The write will not run any more, but may have run.
 */
public final class StaleRequestException extends SddsException {
    private static final long serialVersionUID = 1;

    /**
     * An exception for the client, or for a test of an application.
     *
     * @param message one line that says what failed, where, and whether there may have been an effect
     * @param outcomeUnknown as {@link #isOutcomeUnknown} answers
     */
    public StaleRequestException(String message, boolean outcomeUnknown) {
        super(message, outcomeUnknown);
    }
}
