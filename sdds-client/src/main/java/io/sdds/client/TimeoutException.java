package io.sdds.client;

/**
 * The deadline passed. {@link #isOutcomeUnknown} and the message tell whether a write may have taken effect, may yet
 * take effect, or certainly was not applied. An operation that only overload kept from its end, and that had no effect,
 * fails with {@link OverloadedException} instead.
 */
public final class TimeoutException extends SddsException {
    private static final long serialVersionUID = 1;

    /**
     * An exception for the client, or for a test of an application.
     *
     * @param message one line that says what failed, where, and whether there may have been an effect
     * @param outcomeUnknown as {@link #isOutcomeUnknown} answers
     */
    public TimeoutException(String message, boolean outcomeUnknown) {
        super(message, outcomeUnknown);
    }
}
