package io.sdds.brick.partition;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The results of recent writes, which are part of a partition's state. A write that is sent again is answered from
 * here, so that it takes effect once. A result moves with the key of its write.
 */
public final class Results {
    /** A seq that no write has: writes are numbered from 1 on. */
    private static final long NO_SEQ = 0;

    private final List<SessionResults> sessions = new ArrayList<>();
    private @Nullable SessionResults last;

    /**
     * Is called with each result. Before the results of a session comes a call with the session's low alone and seq 0,
     * because a late copy of an old write must be stale wherever its key is by then, even if no result of the session
     * is open.
     */
    public interface Visitor {
        void result(long session, long seq, long low, long hash, byte status, long value);
    }

    /** The session's results here, or null when it has none yet. */
    @Nullable
    SessionResults of(long session) {
        if (last != null && last.session == session) {
            return last;
        }
        for (int k = 0; k < sessions.size(); k++) {
            if (sessions.get(k).session == session) {
                last = sessions.get(k);
                return last;
            }
        }
        return null;
    }

    /** Begins to keep results of a session that is not known to have ended. */
    SessionResults begin(long session) {
        SessionResults made = new SessionResults(session);
        sessions.add(made);
        last = made;
        return made;
    }

    /** Takes a result that came with a slice. */
    public void take(long session, long seq, long low, long hash, byte status, long value) {
        SessionResults results = of(session);
        if (results == null) {
            results = begin(session);
        }
        results.low(low);
        if (seq != NO_SEQ && seq >= results.low()) {
            results.put(seq, hash, status, value);
        }
    }

    /** Removes the result of a write that did not take effect. */
    public void forget(long session, long seq) {
        SessionResults results = of(session);
        if (results != null) {
            results.forget(seq);
        }
    }

    /** Visits the open results of the keys that a split moves. */
    public void forEachWithBit(long bit, Visitor visitor) {
        for (SessionResults results : sessions) {
            visitor.result(results.session, NO_SEQ, results.low(), bit, (byte) 0, 0);
            results.forEachWithBit(bit, visitor);
        }
    }

    /** Visits all open results. */
    public void forEach(Visitor visitor) {
        for (SessionResults results : sessions) {
            visitor.result(results.session, NO_SEQ, results.low(), 0, (byte) 0, 0);
            results.forEach(visitor);
        }
    }

    /**
     * Visits the open results in the order of their sessions and seqs, from a place on, until enough have been visited.
     *
     * @param session the first session to be visited
     * @param seq the first seq to be visited of that session; 0: its low, too
     * @param enough is asked before each result
     */
    public void forEachFrom(long session, long seq, BooleanSupplier enough, Visitor visitor) {
        List<SessionResults> sorted = new ArrayList<>(sessions);
        sorted.removeIf(results -> results.session < session);
        sorted.sort(Comparator.comparingLong(results -> results.session));
        for (SessionResults results : sorted) {
            long from = results.session == session ? seq : NO_SEQ;
            if (enough.getAsBoolean()) {
                return;
            }
            if (from == NO_SEQ) {
                visitor.result(results.session, NO_SEQ, results.low(), 0, (byte) 0, 0);
            }
            results.forEachFrom(from, enough, visitor);
        }
    }

    /** Forgets sessions that the map lists as ended. */
    public void dropEnded(LongPredicate ended) {
        sessions.removeIf(results -> ended.test(results.session));
        last = null;
    }
}
