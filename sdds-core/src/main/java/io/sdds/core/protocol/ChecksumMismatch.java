package io.sdds.core.protocol;

/** Bytes were damaged on their way. They have no effect. */
public final class ChecksumMismatch extends ProtocolViolation {
    private static final long serialVersionUID = 1;

    public ChecksumMismatch(String message) {
        super(message);
    }
}
