package io.sdds.client;

/**
 * The value that an increment found is no 64-bit number in the form of the table's codec, or the sum would not be one.
 * The value stays as it was.
 */
public final class NotANumberException extends SddsException {
    private static final long serialVersionUID = 1;

    /**
     * An exception for the client, or for a test of an application.
     *
     * @param message one line that says what failed, where, and whether there may have been an effect
     * @param outcomeUnknown as {@link #isOutcomeUnknown} answers
     */
    public NotANumberException(String message, boolean outcomeUnknown) {
        super(message, outcomeUnknown);
    }
}
