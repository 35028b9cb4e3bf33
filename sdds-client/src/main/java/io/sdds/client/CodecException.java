package io.sdds.client;

/**
 * A codec threw while it decoded a key or value that was read; what the codec threw is the cause. Nothing is wrong with
 * the cluster, and nothing was changed.
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
