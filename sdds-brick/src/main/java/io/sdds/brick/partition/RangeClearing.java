package io.sdds.brick.partition;

import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.range.KeyRange;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Removes the records of a range of keys, a bounded number at a time. What is left is found again by the next request for the same range. */
final class RangeClearing {
    private static final int RECORDS_MAX = 1000;

    private final RecordStore store;
    private final KeyRange range = new KeyRange();
    private final List<byte[]> keys = new ArrayList<>();

    RangeClearing(RecordStore store) {
        this.store = store;
    }

    /** Clears a range that is all the partition's own; whether there is more to do. */
    boolean clear(RangePartition partition, Request request) {
        boolean all = partition.walk(request, range, this::keep);
        remove(partition);
        return !all;
    }

    private boolean keep(long ref) {
        keys.add(store.segment(ref)
                .asSlice(store.keyOffset(ref), store.keyLength(ref))
                .toArray(ValueLayout.JAVA_BYTE));
        return keys.size() < RECORDS_MAX;
    }

    private void remove(RangePartition partition) {
        Partition.Mover mover = partition.mover();
        for (byte[] key : keys) {
            MemorySegment segment = MemorySegment.ofArray(key);
            partition.bucket().remove(segment, 0, key.length);
            partition.nextVersion();
            if (mover != null) {
                mover.removed(0, segment);
            }
        }
        keys.clear();
    }
}
