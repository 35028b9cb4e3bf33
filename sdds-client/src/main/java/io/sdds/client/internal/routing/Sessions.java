package io.sdds.client.internal.routing;

import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.CloseSession;
import io.sdds.core.control.ControlMessage.OpenSession;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.RenewSession;
import io.sdds.core.control.ControlMessage.SessionOpened;
import io.sdds.core.node.Timer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The session that numbers this client's writes. The client opens the session before the first write, renews it three
 * times a lease, and replaces it when the coordinators or a brick tell that it has ended. While no coordinator answers,
 * the session goes on, because only the coordinators end sessions.
 */
final class Sessions {
    private static final int RENEWALS_A_LEASE = 3;

    private final ClientNode node;
    private final ArrayDeque<Request<?>> waiting = new ArrayDeque<>();
    private @Nullable Session current;
    private @Nullable Timer renewal;
    private boolean opening;

    Sessions(ClientNode node) {
        this.node = node;
    }

    /**
     * Gives a write its number, unless it has one. Returns false after the write was put into the queue for a session.
     */
    boolean number(Request<?> request) {
        if (request.session != null) {
            return true;
        }
        Session session = current;
        if (session == null || !session.seqs.hasRoom()) {
            waiting.add(request);
            open();
            return false;
        }
        request.session = session;
        request.seq = session.seqs.open();
        return true;
    }

    /** A write has ended. */
    void ended(Request<?> request) {
        if (request.session != null) {
            request.session.seqs.close(request.seq);
        }
    }

    /** A session has ended. The next write opens another session. */
    void onEnded(Session session) {
        if (current == session) {
            current = null;
            cancelRenewal();
        }
    }

    /** The writes that wait for a session. */
    ArrayDeque<Request<?>> waiting() {
        return waiting;
    }

    /** Ends the session by a message to a coordinator. The client does not wait for its answer. */
    void close() {
        cancelRenewal();
        if (current != null) {
            node.control().tell(new CloseSession(current.number));
            current = null;
        }
    }

    /** Forgets the session of a cluster that the client has left. */
    void forget() {
        cancelRenewal();
        current = null;
    }

    private void open() {
        if (!opening && current == null) {
            opening = true;
            node.control().ask(new OpenSession(node.settings().name()), true, node.timeoutNanos(), this::onOpenAnswer);
        }
    }

    private void onOpenAnswer(ControlCall call) {
        opening = false;
        if (call.answer() instanceof SessionOpened opened) {
            current = new Session(opened.session());
            renewLater(current, opened.leaseMillis());
            releaseWaiting();
        } else if (!waiting.isEmpty()) {
            String trouble = call.whyNot().text();
            waiting.forEach(request -> request.trouble = trouble);
            node.env().schedule(Backoff.LONGEST_NANOS, this::openIfWanted);
        }
    }

    private void openIfWanted() {
        if (!waiting.isEmpty() && !node.isClosed()) {
            open();
        }
    }

    /** Sends the waiting writes. Without a session they wait again. */
    void releaseWaiting() {
        for (int k = waiting.size(); k > 0 && !waiting.isEmpty(); k--) {
            node.router().routeAgain(waiting.remove());
        }
    }

    private void renewLater(Session session, long leaseMillis) {
        renewal = node.env().schedule(intervalNanos(leaseMillis), () -> renew(session, leaseMillis));
    }

    private static long intervalNanos(long leaseMillis) {
        return Math.max(1, leaseMillis / RENEWALS_A_LEASE) * 1_000_000;
    }

    private void renew(Session session, long leaseMillis) {
        if (current == session) {
            node.control()
                    .ask(
                            new RenewSession(session.number),
                            true,
                            intervalNanos(leaseMillis),
                            call -> onRenewAnswer(session, leaseMillis, call.answer()));
        }
    }

    private void onRenewAnswer(Session session, long leaseMillis, @Nullable ControlMessage answer) {
        if (answer instanceof Refused refused && refused.reason() == Refusal.SESSION_ENDED) {
            onEnded(session);
        } else if (answer == null) {
            renew(session, leaseMillis); // a third of the lease has passed meanwhile
        } else if (current == session) {
            renewLater(session, leaseMillis);
        }
    }

    private void cancelRenewal() {
        if (renewal != null) {
            renewal.cancel();
            renewal = null;
        }
    }
}
