package io.sdds.client;

/** The deadline passed. The message says of a write whether its outcome is unknown or it was certainly not applied. */
public final class TimeoutException extends SddsException {
    private static final long serialVersionUID = 1;

    TimeoutException(String message, boolean outcomeUnknown) {
        super(message, outcomeUnknown);
    }
}
