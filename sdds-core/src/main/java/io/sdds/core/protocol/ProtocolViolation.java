package io.sdds.core.protocol;

/** Bytes that violate the protocol. The link that they came from is closed with this message; other links go on. */
public class ProtocolViolation extends RuntimeException {
    private static final long serialVersionUID = 1;

    public ProtocolViolation(String message) {
        super(message, null, false, false);
    }
}
