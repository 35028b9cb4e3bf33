package io.sdds.brick.partition;

import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.range.KeyRange;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Removes the records of a range of keys, a bounded number at a time. What is left is found again by the next request for the same range. */
final class RangeClearing {
    private static final int RECORDS_MAX = 1000;
    private static final int KEY_BYTES_MAX = 256 << 10;

    private final RecordStore store;
    private final KeyRange range = new KeyRange();
    private final List<byte[]> keys = new ArrayList<>();
    private int keyBytes;

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
        byte[] key = store.key(ref);
        keys.add(key);
        keyBytes += key.length;
        return keys.size() < RECORDS_MAX && keyBytes < KEY_BYTES_MAX;
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
        keyBytes = 0;
    }
}
