package io.sdds.client;

/** There is a table of that name already. Nothing was created. */
public final class TableExistsException extends SddsException {
    private static final long serialVersionUID = 1;

    /**
     * An exception for the client, or for a test of an application.
     *
     * @param message one line that says what failed, where, and whether there may have been an effect
     * @param outcomeUnknown as {@link #isOutcomeUnknown} answers
     */
    public TableExistsException(String message, boolean outcomeUnknown) {
        super(message, outcomeUnknown);
    }
}
