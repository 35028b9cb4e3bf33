package io.sdds.client;

/** There is a table of that name already. */
public final class TableExistsException extends SddsException {
    private static final long serialVersionUID = 1;

    TableExistsException(String message, boolean outcomeUnknown) {
        super(message, outcomeUnknown);
    }
}
