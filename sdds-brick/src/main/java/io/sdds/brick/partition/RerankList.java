package io.sdds.brick.partition;

import io.sdds.brick.memory.RecordStore;

/**
 * Records that one entry of a group's log is to give other ranks, in a table with parity groups. Behind the rank of
 * each record stands its rank after the entry (4 bytes).
 */
public final class RerankList extends RankedList {
    public RerankList() {
        super(HEAD + Integer.BYTES);
    }

    /** Adds a record, which has a rank, with its next rank. */
    public void add(RecordStore store, long ref, int to) {
        set(append(store, ref), to);
    }
}
