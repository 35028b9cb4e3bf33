package io.sdds.brick.partition;

import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.range.KeyRange;
import io.sdds.core.protocol.ProtocolViolation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Removes the records of a range of keys, a bounded number at a time. The next request for the same range removes the
 * next records.
 */
public final class RangeClearing {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int RECORDS_MAX = 1000;
    private static final int KEY_BYTES_MAX = 256 << 10;

    /* Layout of a range in a log entry: the bounds that are included, the length of the lower bound, both bounds. An
     * empty bound means that the range is open at this end. */
    private static final long LOW_INCLUDED = 1;
    private static final long HIGH_INCLUDED = 2;
    private static final int LOW_LENGTH = Long.BYTES;
    private static final int LOW = 2 * Long.BYTES;

    private final RecordStore store;
    private final KeyRange range = new KeyRange();
    private final List<byte[]> keys = new ArrayList<>();
    private int keyBytes;

    public RangeClearing(RecordStore store) {
        this.store = store;
    }

    /** Clears records of a range whose keys all belong to the partition. Returns whether records are left. */
    boolean clear(RangePartition partition, Request request) {
        boolean all = partition.walk(request, range, this::keep);
        partition.nextVersion();
        remove(partition);
        return !all;
    }

    /**
     * The last key that {@link #clear} would remove in a range whose keys all belong to the partition; null if it would
     * remove all. Removes nothing.
     */
    byte @Nullable [] reach(RangePartition partition, Request request) {
        boolean all = partition.walk(request, range, this::keep);
        byte[] last = all ? null : keys.getLast();
        forget();
        return last;
    }

    /**
     * Adds the records of a range whose keys all belong to the partition to a list, until the list is full. Removes
     * nothing.
     *
     * @return whether the list has all records of the range
     */
    boolean list(RangePartition partition, Request request, DropList dropped) {
        return partition.walk(request, range, ref -> {
            dropped.add(store, ref);
            return !dropped.isFull();
        });
    }

    /** The range of a request, in the layout of a log entry. */
    static MemorySegment bounds(Request request, byte @Nullable [] last) {
        MemorySegment frame = request.frame;
        MemorySegment from = frame.asSlice(request.keyOffset, request.keyLength);
        MemorySegment to =
                last == null ? frame.asSlice(request.endOffset(), request.endLength) : MemorySegment.ofArray(last);
        boolean toIncluded = last != null || request.includesEnd();
        return request.isDescending()
                ? bounds(to, toIncluded, from, request.includesKey())
                : bounds(from, request.includesKey(), to, toIncluded);
    }

    private static MemorySegment bounds(MemorySegment low, boolean lowIn, MemorySegment high, boolean highIn) {
        MemorySegment bounds = MemorySegment.ofArray(new byte[(int) (LOW + low.byteSize() + high.byteSize())]);
        bounds.set(LONG, 0, (lowIn ? LOW_INCLUDED : 0) | (highIn ? HIGH_INCLUDED : 0));
        bounds.set(LONG, LOW_LENGTH, low.byteSize());
        MemorySegment.copy(low, 0, bounds, LOW, low.byteSize());
        MemorySegment.copy(high, 0, bounds, LOW + low.byteSize(), high.byteSize());
        return bounds;
    }

    /**
     * Removes all records of a range.
     *
     * @throws ProtocolViolation if the lengths in the layout don't add up
     */
    public void clear(RangePartition partition, MemorySegment memory, long at, int length) {
        long flags = memory.get(LONG, at);
        long lowLength = memory.get(LONG, at + LOW_LENGTH);
        long highLength = length - LOW - lowLength;
        if (lowLength < 0 || highLength < 0) {
            throw new ProtocolViolation("a clear of a range whose lengths don't add up");
        }
        boolean all;
        do {
            if (lowLength == 0) {
                range.fromFirst();
            } else {
                range.from(memory, at + LOW, (int) lowLength, (flags & LOW_INCLUDED) != 0);
            }
            if (highLength == 0) {
                range.toLast();
            } else {
                range.to(memory, at + LOW + lowLength, (int) highLength, (flags & HIGH_INCLUDED) != 0);
            }
            all = partition.bucket().ascend(range, this::keep);
            remove(partition);
        } while (!all);
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
            if (mover != null) {
                mover.changed(0, segment);
            }
        }
        forget();
    }

    private void forget() {
        keys.clear();
        keyBytes = 0;
    }
}
