package io.sdds.brick.partition;

import java.util.function.BooleanSupplier;

/**
 * The results of one session's writes to one partition, from the session's low on, so that a retry is found
 * (docs/design/writes.md, rule 6). The results lie in an array in the order of their seqs, which is nearly the order in
 * which the writes come. The result of a new write goes to the end, results below low are dropped from the beginning,
 * and the result of a retry is found by binary search.
 *
 * <p>The array has a place for each open result, and not for each seq between them, because most of a session's writes
 * go to other partitions. Otherwise the results of many sessions at many partitions would not fit the processor's
 * caches. A write that comes later than writes of higher seqs moves their results, a copy of at most 4 MiB.
 */
final class SessionResults {
    /**
     * While so many results are open, a write whose seq is so many or more beyond low is answered BUSY ({@link #room}).
     * A write with a lower seq always has room, because low waits for it. So at most twice as many results are open, 4
     * MiB in an array of up to twice that size.
     */
    static final int OPEN_MAX = 1 << 16;

    /**
     * First capacity, which is small because many sessions write to many partitions, and few of them much at a time.
     */
    private static final int CAPACITY_FIRST = 4;

    /**
     * Largest capacity that is kept when no result is open. A session may have many open while a group has no primary.
     */
    private static final int CAPACITY_KEPT = 256;

    /** The array is replaced by a smaller one if it is larger than its results by more than this factor. */
    private static final int TRIM = 4;

    /** No result is open for the seq. */
    static final int NONE = -1;

    /** The seq is below low. */
    static final int STALE = -2;

    /** Offset of the pseudo-key in a result, which begins with the seq of its write. */
    private static final int HASH = 1;

    private static final int VALUE = 2;
    private static final int STATUS = 3;
    private static final int LONGS = 4;

    final long session;
    private final Results results;
    private long low;
    private long[] open = new long[CAPACITY_FIRST * LONGS];

    /** Index in {@link #open} at which the results begin; {@code to} is where they end. */
    private int from;

    private int to;

    /** @param results the results of all sessions, which count the bytes */
    SessionResults(Results results, long session) {
        this.results = results;
        this.session = session;
        results.count(bytes());
    }

    /** The client has told that no write below {@code clientLow} is open any more. */
    void low(long clientLow) {
        if (clientLow > low) {
            low = clientLow;
            while (from < to && open[from] < low) {
                from += LONGS;
            }
            if (from == to) {
                from = 0;
                to = 0;
                if (open.length > CAPACITY_KEPT * LONGS) {
                    replace(new long[CAPACITY_FIRST * LONGS]);
                }
            }
        }
    }

    long low() {
        return low;
    }

    /** Takes the client's low, and finds the open result of a seq: its place, {@link #NONE} or {@link #STALE}. */
    int find(long seq, long clientLow) {
        low(clientLow);
        return seq < low ? STALE : find(seq);
    }

    /** The place of the open result of a seq, or {@link #NONE}. */
    int find(long seq) {
        int place = placeOf(seq);
        return place < to && open[place] == seq ? place : NONE;
    }

    byte status(int place) {
        return (byte) open[place + STATUS];
    }

    long value(int place) {
        return open[place + VALUE];
    }

    /** Whether the result of a new write can be kept. */
    boolean room(long seq) {
        return to - from < OPEN_MAX * LONGS || seq - low < OPEN_MAX;
    }

    /** Bytes of the array of results. */
    long bytes() {
        return (long) open.length * Long.BYTES;
    }

    /** Bytes of the array of results when it has one more. */
    long bytesWithOneMore() {
        return to == open.length && needsLarger() ? 2 * bytes() : bytes();
    }

    /** Replaces an array that is mostly empty by a smaller one. */
    void trim() {
        int live = Math.max(to - from, CAPACITY_FIRST * LONGS);
        if (open.length > TRIM * live) {
            move(new long[2 * live]);
        }
    }

    /** Keeps a result. */
    void put(long seq, long hash, byte status, long value) {
        int found = find(seq);
        int place = found < 0 ? makePlace(seq) : found;
        open[place + HASH] = hash;
        open[place + VALUE] = value;
        open[place + STATUS] = status;
    }

    /** Removes a result. */
    void forget(long seq) {
        int place = find(seq);
        if (place >= 0) {
            System.arraycopy(open, place + LONGS, open, place, to - place - LONGS);
            to -= LONGS;
        }
    }

    /** Visits the open results of keys whose pseudo-key has {@code bit} set. */
    void forEachWithBit(long bit, Results.Visitor visitor) {
        for (int place = from; place < to; place += LONGS) {
            if ((open[place + HASH] & bit) != 0) {
                visit(place, visitor);
            }
        }
    }

    /** Visits all open results. */
    void forEach(Results.Visitor visitor) {
        for (int place = from; place < to; place += LONGS) {
            visit(place, visitor);
        }
    }

    /** Visits the open results from a seq on, until enough have been visited. */
    void forEachFrom(long seq, BooleanSupplier enough, Results.Visitor visitor) {
        for (int place = placeOf(seq); place < to && !enough.getAsBoolean(); place += LONGS) {
            visit(place, visitor);
        }
    }

    private void visit(int place, Results.Visitor visitor) {
        visitor.result(session, open[place], low, open[place + HASH], status(place), value(place));
    }

    /** The first place whose seq is not below {@code seq}. */
    private int placeOf(long seq) {
        if (from == to || open[to - LONGS] < seq) {
            return to;
        }
        int lower = from / LONGS;
        int upper = to / LONGS - 1;
        while (lower < upper) {
            int middle = (lower + upper) >>> 1;
            if (open[middle * LONGS] < seq) {
                lower = middle + 1;
            } else {
                upper = middle;
            }
        }
        return lower * LONGS;
    }

    private int makePlace(long seq) {
        if (to == open.length) {
            makeRoom();
        }
        int place = placeOf(seq);
        System.arraycopy(open, place, open, place + LONGS, to - place);
        to += LONGS;
        open[place] = seq;
        return place;
    }

    private void makeRoom() {
        move(needsLarger() ? new long[2 * open.length] : open);
    }

    private boolean needsLarger() {
        return to - from > open.length / 2;
    }

    /** Moves the results to the beginning of an array. */
    private void move(long[] target) {
        int live = to - from;
        System.arraycopy(open, from, target, 0, live);
        replace(target);
        from = 0;
        to = live;
    }

    private void replace(long[] other) {
        results.count((long) (other.length - open.length) * Long.BYTES);
        open = other;
    }
}
