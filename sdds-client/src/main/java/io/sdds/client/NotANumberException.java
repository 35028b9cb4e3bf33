package io.sdds.client;

/** An increment met a value that is no 64-bit decimal number, or its sum would not be one. The value stays as it was. */
public final class NotANumberException extends SddsException {
    private static final long serialVersionUID = 1;

    NotANumberException(String message, boolean outcomeUnknown) {
        super(message, outcomeUnknown);
    }
}
