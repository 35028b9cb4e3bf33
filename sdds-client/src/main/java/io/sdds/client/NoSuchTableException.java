package io.sdds.client;

/** There is no table of that name, or it was dropped meanwhile. */
public final class NoSuchTableException extends SddsException {
    private static final long serialVersionUID = 1;

    NoSuchTableException(String message, boolean outcomeUnknown) {
        super(message, outcomeUnknown);
    }
}
