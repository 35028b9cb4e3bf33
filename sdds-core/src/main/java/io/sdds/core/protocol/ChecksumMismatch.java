package io.sdds.core.protocol;

/** Bytes that are not those that were sent: they were damaged on their way. Nothing of them takes effect. */
public final class ChecksumMismatch extends ProtocolViolation {
    private static final long serialVersionUID = 1;

    public ChecksumMismatch(String message) {
        super(message);
    }
}
