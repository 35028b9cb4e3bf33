package io.sdds.brick.partition;

import io.sdds.brick.memory.RecordStore;

/** Records that one entry of a group's log is to drop, in a table with parity groups. */
public final class DropList extends RankedList {
    public DropList() {
        super(HEAD);
    }

    /** Adds a record, which has a rank. */
    public void add(RecordStore store, long ref) {
        append(store, ref);
    }
}
