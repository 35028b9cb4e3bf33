package io.sdds.brick.partition;

import io.sdds.brick.bucket.HashBucket;
import io.sdds.brick.memory.RecordStore;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.addressing.ScanOrder;
import java.lang.foreign.MemorySegment;

/** Removes the records of an interval of pseudo-keys, a bounded number at a time. */
public final class Clearing {
    private static final int RECORDS_MAX = 1000;

    private final RecordStore store;
    private final java.util.ArrayList<byte[]> keys = new java.util.ArrayList<>();
    private long[] hashes = new long[64];

    public Clearing(RecordStore store) {
        this.store = store;
    }

    /** Clears from the request's first point on; returns the point reached (0 is the end of the space). */
    long clear(Partition partition, Request request) {
        HashPartition hashed = (HashPartition) partition;
        long end = ScanOrder.minEnd(request.end, endOfHalf(partition, request.hash));
        long cursor = request.from;
        int removed = 0;
        do {
            long next = hashed.bucket().visit(cursor, (ref, hash) -> keep(ref, hash, request.from, end));
            removed += keys.size();
            partition.nextVersion();
            remove(partition);
            cursor = next;
        } while (removed < RECORDS_MAX && cursor != 0 && ScanOrder.before(cursor, end));
        return cursor == 0 || !ScanOrder.before(cursor, end) ? end : cursor;
    }

    /** The point that a clear would reach (0 is the end of the space). Removes nothing. */
    long reach(Partition partition, Request request) {
        long end = ScanOrder.minEnd(request.end, endOfHalf(partition, request.hash));
        long cursor = request.from;
        int[] counted = new int[1];
        do {
            cursor = ((HashPartition) partition).bucket().visit(cursor, (ref, hash) -> counted[0]++);
        } while (counted[0] < RECORDS_MAX && cursor != 0 && ScanOrder.before(cursor, end));
        return cursor == 0 || !ScanOrder.before(cursor, end) ? end : cursor;
    }

    /**
     * Adds the records of the request's interval to a list, from its first point on, until the list is full. Removes
     * nothing.
     *
     * @return the point reached (0 is the end of the space)
     */
    long list(Partition partition, Request request, DropList dropped) {
        HashBucket bucket = ((HashPartition) partition).bucket();
        long end = ScanOrder.minEnd(request.end, endOfHalf(partition, request.hash));
        long cursor = request.from;
        do {
            cursor = bucket.visitSome(cursor, DropList.BYTES_MAX, (ref, hash) -> {
                if (isWithin(hash, request.from, end)) {
                    dropped.add(store, ref);
                }
            });
        } while (!dropped.isFull() && cursor != 0 && ScanOrder.before(cursor, end));
        return cursor == 0 || !ScanOrder.before(cursor, end) ? end : cursor;
    }

    private static boolean isWithin(long hash, long from, long end) {
        long point = ScanOrder.point(hash);
        return Long.compareUnsigned(point, from) >= 0 && ScanOrder.before(point, end);
    }

    /** Removes all records of an interval. */
    public void clear(Partition partition, long from, long end) {
        long cursor = from;
        do {
            cursor = ((HashPartition) partition).bucket().visit(cursor, (ref, hash) -> keep(ref, hash, from, end));
            remove(partition);
        } while (cursor != 0 && ScanOrder.before(cursor, end));
    }

    /**
     * The end of the half in which a pseudo-key is, while a split is under way. A clear stays in one half, because the
     * two halves keep track of changes separately.
     */
    private static long endOfHalf(Partition partition, long hash) {
        int level = partition.mover() == null ? partition.level() : partition.level() + 1;
        return ScanOrder.end(LinearHashing.h(level, hash), level);
    }

    private void keep(long ref, long hash, long from, long end) {
        if (!isWithin(hash, from, end)) {
            return;
        }
        if (keys.size() == hashes.length) {
            hashes = java.util.Arrays.copyOf(hashes, hashes.length * 2);
        }
        hashes[keys.size()] = hash;
        byte[] key = new byte[store.keyLength(ref)];
        MemorySegment.copy(
                store.segment(ref), java.lang.foreign.ValueLayout.JAVA_BYTE, store.keyOffset(ref), key, 0, key.length);
        keys.add(key);
    }

    private void remove(Partition partition) {
        Partition.Mover mover = partition.mover();
        for (int k = 0; k < keys.size(); k++) {
            MemorySegment key = MemorySegment.ofArray(keys.get(k));
            partition.bucket().remove(hashes[k], key, 0, keys.get(k).length);
            if (mover != null) {
                mover.changed(hashes[k], key);
            }
        }
        keys.clear();
    }
}
