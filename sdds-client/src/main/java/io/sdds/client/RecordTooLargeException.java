package io.sdds.client;

/** A key or value is larger than a table takes: 65,535 bytes and 16 MiB. Refused before anything was sent. */
public final class RecordTooLargeException extends SddsException {
    private static final long serialVersionUID = 1;

    /**
     * An exception for the client, or for a test of an application.
     *
     * @param message one line that says what is too large
     */
    public RecordTooLargeException(String message) {
        super(message, false, null, true);
    }
}
