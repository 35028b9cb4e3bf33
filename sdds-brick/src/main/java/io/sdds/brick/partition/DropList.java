package io.sdds.brick.partition;

import io.sdds.brick.memory.RecordStore;
import java.util.Arrays;

/** Records that one entry of a group's log is to drop, in a table with parity groups. */
public final class DropList extends RankedList {
    private long[] references = new long[64];

    public DropList() {
        super(HEAD);
    }

    /** Adds a record. It has a rank, unless the table is being converted. */
    public void add(RecordStore store, long ref) {
        int index = append(store, ref) / HEAD - 1;
        if (index == references.length) {
            references = Arrays.copyOf(references, 2 * index);
        }
        references[index] = ref;
    }

    /** Number of records. */
    public int size() {
        return byteSize() / HEAD;
    }

    /** A record of the list, valid until the bucket is changed. */
    public long reference(int index) {
        return references[index];
    }
}
