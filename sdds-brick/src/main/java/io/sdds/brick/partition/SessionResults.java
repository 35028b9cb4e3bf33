package io.sdds.brick.partition;

import java.util.Arrays;

/**
 * Results of one session's writes to one partition, from the session's low on, so that a retry is found
 * (docs/design/writes.md, rule 6). They lie one behind the other in the order of their seqs, which is nearly the one in
 * which they come: a new write's goes to the end, what falls below low goes off the beginning, and one that comes again
 * is found by halves.
 *
 * <p>They take memory for what is open here and not for how far a session's writes are apart, most of which go to other
 * partitions: else many sessions at many partitions would not fit the processor's caches. A write that comes before
 * others of its session moves theirs, which is a copy of 2 MiB at most.
 */
final class SessionResults {
    /**
     * Open results at most, 2 MiB in an array of up to twice that: beyond, {@link #room} says no and the write is
     * refused BUSY.
     */
    static final int OPEN_MAX = 1 << 16;

    /** Many sessions write to many partitions, few of them much at a time. */
    private static final int CAPACITY_FIRST = 4;

    /** A session that has many open at once, while a group has no primary, say, gives that memory back when none is. */
    private static final int CAPACITY_KEPT = 256;

    /** A result: its write's seq, and from there on. */
    private static final int HASH = 1;

    private static final int VALUE = 2;
    private static final int STATUS = 3;
    private static final int LONGS = 4;

    final long session;
    private long low;
    private long[] open = new long[CAPACITY_FIRST * LONGS];

    /** Where in {@link #open} they begin, and end. */
    private int from;

    private int to;

    SessionResults(long session) {
        this.session = session;
    }

    /** The client's word that nothing below is open any more. */
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
                    open = new long[CAPACITY_FIRST * LONGS];
                }
            }
        }
    }

    long low() {
        return low;
    }

    /** The place of a seq's result, or -1 when it has none that is open. */
    int find(long seq) {
        int place = placeOf(seq);
        return place < to && open[place] == seq ? place : -1;
    }

    byte status(int place) {
        return (byte) open[place + STATUS];
    }

    long value(int place) {
        return open[place + VALUE];
    }

    /** Whether the result of a new write can be kept. */
    boolean room() {
        return to - from < OPEN_MAX * LONGS;
    }

    /** Keeps a result. */
    void put(long seq, long hash, byte status, long value) {
        int found = find(seq);
        int place = found < 0 ? makePlace(seq) : found;
        open[place + HASH] = hash;
        open[place + VALUE] = value;
        open[place + STATUS] = status;
    }

    /** Takes a result back. */
    void forget(long seq) {
        int place = find(seq);
        if (place >= 0) {
            System.arraycopy(open, place + LONGS, open, place, to - place - LONGS);
            to -= LONGS;
        }
    }

    /** Results of keys whose pseudo-key has {@code bit} set, still open. */
    void forEachWithBit(long bit, Results.Visitor visitor) {
        for (int place = from; place < to; place += LONGS) {
            if ((open[place + HASH] & bit) != 0) {
                visit(place, visitor);
            }
        }
    }

    /** All results still open. */
    void forEach(Results.Visitor visitor) {
        for (int place = from; place < to; place += LONGS) {
            visit(place, visitor);
        }
    }

    private void visit(int place, Results.Visitor visitor) {
        visitor.result(session, open[place], low, open[place + HASH], status(place), value(place));
    }

    /** The first place whose seq is not lower. */
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
        int live = to - from;
        if (live > open.length / 2) {
            open = Arrays.copyOfRange(open, from, from + 2 * open.length);
        } else {
            System.arraycopy(open, from, open, 0, live);
        }
        from = 0;
        to = live;
    }
}
