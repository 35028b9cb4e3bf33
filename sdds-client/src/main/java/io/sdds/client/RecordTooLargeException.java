package io.sdds.client;

/** A key or value is larger than a table takes. Refused before anything was sent. */
public final class RecordTooLargeException extends SddsException {
    private static final long serialVersionUID = 1;

    RecordTooLargeException(String message) {
        super(message, false, null, true);
    }
}
