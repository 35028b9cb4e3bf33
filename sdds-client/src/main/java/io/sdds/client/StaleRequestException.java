package io.sdds.client;

/** The session of a write ended before its outcome was known: it will not be run any more, but may have been. */
public final class StaleRequestException extends SddsException {
    private static final long serialVersionUID = 1;

    StaleRequestException(String message, boolean outcomeUnknown) {
        super(message, outcomeUnknown);
    }
}
