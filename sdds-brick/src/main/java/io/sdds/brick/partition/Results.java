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

    private static final int PLACES_FIRST = 8;

    /** Spreads the numbers of sessions, which follow each other: 2^64 divided by the golden ratio. */
    private static final long SPREAD = 0x9e37_79b9_7f4a_7c15L;

    /** All sessions, in the order in which they began. So each visit meets them in the same order. */
    private final List<SessionResults> sessions = new ArrayList<>();

    /** This hash table finds a session by its number. The table uses linear probing and is at most half full. */
    private @Nullable SessionResults[] places = new SessionResults[PLACES_FIRST];

    private @Nullable SessionResults last;
    private long bytes;

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
        SessionResults found = places[placeOf(session)];
        if (found != null) {
            last = found;
        }
        return found;
    }

    /** The place that has a session, or the empty place that the session would take. */
    private int placeOf(long session) {
        int mask = places.length - 1;
        int place = (int) (session * SPREAD >>> 32) & mask;
        SessionResults there = places[place];
        while (there != null && there.session != session) {
            place = place + 1 & mask;
            there = places[place];
        }
        return place;
    }

    /** Begins to keep results of a session that is not known to have ended. */
    SessionResults begin(long session) {
        SessionResults made = new SessionResults(this, session);
        sessions.add(made);
        if (2 * sessions.size() > places.length) {
            place(2 * places.length);
        } else {
            places[placeOf(session)] = made;
        }
        last = made;
        return made;
    }

    /** Makes the hash table anew. */
    private void place(int size) {
        places = new SessionResults[size];
        for (SessionResults results : sessions) {
            places[placeOf(results.session)] = results;
        }
    }

    /** Adds to the bytes of the arrays of results. */
    void count(long moreBytes) {
        bytes += moreBytes;
    }

    /** Bytes of the arrays of results. */
    public long bytes() {
        return bytes;
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
        int before = sessions.size();
        sessions.removeIf(results -> {
            boolean gone = ended.test(results.session);
            bytes -= gone ? results.bytes() : 0;
            return gone;
        });
        if (sessions.size() < before) {
            place(places.length);
            last = null;
        }
    }
}
