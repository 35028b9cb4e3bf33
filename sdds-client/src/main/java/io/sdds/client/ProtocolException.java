package io.sdds.client;

/** The other end said something that makes no sense here, or found that this client did. */
public final class ProtocolException extends SddsException {
    private static final long serialVersionUID = 1;

    ProtocolException(String message, boolean outcomeUnknown) {
        super(message, outcomeUnknown);
    }
}
