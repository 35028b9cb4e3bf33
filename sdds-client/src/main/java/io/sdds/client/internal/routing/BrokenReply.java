package io.sdds.client.internal.routing;

import io.sdds.core.protocol.ProtocolViolation;

/**
 * Turns an exception that a reply caused into the violation that closes the link. The link is closed because the client
 * may have read only a part of the reply. The client sends the unanswered requests again over a new link.
 */
final class BrokenReply {
    private BrokenReply() {}

    /** The violation that closes the link. */
    static ProtocolViolation violation(Throwable e) {
        return e instanceof ProtocolViolation violation ? violation : new ProtocolViolation(why(e));
    }

    static String why(Throwable e) {
        if (e instanceof Error) {
            return "the client failed to read the reply: " + e;
        }
        return e instanceof ProtocolViolation ? String.valueOf(e.getMessage()) : "the reply is malformed";
    }
}
