package io.sdds.core.protocol;

/** Bytes that are not this protocol. The link they came from is closed with this message; nobody else is disturbed. */
public class ProtocolViolation extends RuntimeException {
    private static final long serialVersionUID = 1;

    public ProtocolViolation(String message) {
        super(message, null, false, false);
    }
}
