package io.sdds.client;

/**
 * A codec threw an exception while it decoded a key or value that was read. The codec's exception is the cause. The
 * cluster is well, and nothing was changed.
 */
public final class CodecException extends SddsException {
    private static final long serialVersionUID = 1;

    /**
     * An exception for the client, or for a test of an application.
     *
     * @param message one line that says what could not be decoded
     * @param cause what the codec threw
     */
    public CodecException(String message, Throwable cause) {
        super(message, false, cause, false);
    }
}
