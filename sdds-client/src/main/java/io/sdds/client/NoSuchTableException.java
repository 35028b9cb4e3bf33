package io.sdds.client;

/**
 * There is no table of that name, or the table was dropped meanwhile. A write to the dropped table had no lasting
 * effect.
 */
public final class NoSuchTableException extends SddsException {
    private static final long serialVersionUID = 1;

    /**
     * An exception for the client, or for a test of an application.
     *
     * @param message one line that says what failed, where, and whether there may have been an effect
     * @param outcomeUnknown as {@link #isOutcomeUnknown} answers
     */
    public NoSuchTableException(String message, boolean outcomeUnknown) {
        super(message, outcomeUnknown);
    }
}
