package io.sdds.client.internal.routing;

import io.sdds.core.protocol.ProtocolViolation;

/**
 * What becomes of an exception that a reply caused: the link is closed, since what follows the reply on it may be half
 * read, and the requests that are unanswered on the link are sent again over a new link.
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
