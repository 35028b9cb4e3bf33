package io.sdds.client.internal.routing;

import io.sdds.core.protocol.ProtocolViolation;

/** The violation that a malformed reply is, whatever exception the reply caused. */
final class BrokenReply {
    private BrokenReply() {}

    /** The violation that closes the link. */
    static ProtocolViolation violation(RuntimeException e) {
        return e instanceof ProtocolViolation violation ? violation : new ProtocolViolation(why(e));
    }

    static String why(RuntimeException e) {
        return e instanceof ProtocolViolation ? String.valueOf(e.getMessage()) : "the reply is malformed";
    }
}
