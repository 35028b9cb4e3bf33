package io.sdds.brick.partition;

/**
 * Results of one session's writes to one partition, from the session's low on: a ring indexed by the low bits of seq, so that a retry is found
 * and what fell below low is overwritten, both in a step (protocols.md in the design, rule 6).
 *
 * <p>Two open writes meet in a place only if their seqs are a ring's size apart; then the ring doubles, up to {@link #RING_MAX}, beyond which
 * {@link #room} says no and the write is refused BUSY.
 */
final class SessionResults {
    /** Places in the largest ring: about 1.7 MB. The client keeps seq − low below it. */
    static final int RING_MAX = 1 << 16;

    /** 200 bytes: many sessions write to many partitions, few of them much at a time. */
    private static final int RING_FIRST = 8;

    final long session;
    private long low;
    private long[] seqs = new long[RING_FIRST];
    private long[] hashes = new long[RING_FIRST];
    private long[] values = new long[RING_FIRST];
    private byte[] statuses = new byte[RING_FIRST];

    SessionResults(long session) {
        this.session = session;
    }

    /** The client's word that nothing below is open any more. */
    void low(long clientLow) {
        if (clientLow > low) {
            low = clientLow;
        }
    }

    long low() {
        return low;
    }

    /** The place of a seq's result, or -1 when it has none. */
    int find(long seq) {
        int place = (int) seq & seqs.length - 1;
        return seqs[place] == seq ? place : -1;
    }

    byte status(int place) {
        return statuses[place];
    }

    long value(int place) {
        return values[place];
    }

    /** Whether the result of {@code seq} can be kept; makes room where it can. */
    boolean room(long seq) {
        while (true) {
            long there = seqs[(int) seq & seqs.length - 1];
            if (there == 0 || there < low || there == seq) {
                return true;
            }
            if (seqs.length == RING_MAX) {
                return false;
            }
            grow();
        }
    }

    /** Keeps a result; after {@link #room}. */
    void put(long seq, long hash, byte status, long value) {
        int place = (int) seq & seqs.length - 1;
        seqs[place] = seq;
        hashes[place] = hash;
        statuses[place] = status;
        values[place] = value;
    }

    /** Takes a result back. */
    void forget(long seq) {
        int place = find(seq);
        if (place >= 0) {
            seqs[place] = 0;
        }
    }

    /** Results of keys whose pseudo-key has {@code bit} set, still open. */
    void forEachWithBit(long bit, Results.Visitor visitor) {
        for (int k = 0; k < seqs.length; k++) {
            if (seqs[k] != 0 && seqs[k] >= low && (hashes[k] & bit) != 0) {
                visitor.result(session, seqs[k], low, hashes[k], statuses[k], values[k]);
            }
        }
    }

    /** All results still open. */
    void forEach(Results.Visitor visitor) {
        for (int k = 0; k < seqs.length; k++) {
            if (seqs[k] != 0 && seqs[k] >= low) {
                visitor.result(session, seqs[k], low, hashes[k], statuses[k], values[k]);
            }
        }
    }

    private void grow() {
        long[] oldSeqs = seqs;
        long[] oldHashes = hashes;
        long[] oldValues = values;
        byte[] oldStatuses = statuses;
        int size = oldSeqs.length * 2;
        seqs = new long[size];
        hashes = new long[size];
        values = new long[size];
        statuses = new byte[size];
        for (int k = 0; k < oldSeqs.length; k++) {
            if (oldSeqs[k] != 0 && oldSeqs[k] >= low) {
                put(oldSeqs[k], oldHashes[k], oldStatuses[k], oldValues[k]);
            }
        }
    }
}
