package io.sdds.brick.range;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;

/** Runs operations of every kind on a filled bucket, and reports the heap bytes that they allocated. */
final class GarbageCount {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int VISITED = 10;

    private final RangeBucket bucket;
    private final MemorySegment[] keys;
    private final MemorySegment value = MemorySegment.ofArray(new byte[84]);
    private final KeyRange range = new KeyRange();
    private final RangeVisitor visitor = this::visit;
    private int visited;
    private long found;

    GarbageCount(RangeFixture fixture, int records) {
        bucket = fixture.bucket;
        keys = new MemorySegment[records];
        for (int i = 0; i < records; i++) {
            keys[i] = MemorySegment.ofArray(RangeFixture.key(i));
        }
    }

    long bytesAllocatedBy(int operations) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        operate(operations);
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    void operate(int operations) {
        for (int i = 0; i < operations; i++) {
            MemorySegment key = keys[(int) (i * 7919L % keys.length)];
            switch (i % 8) {
                case 0 -> bucket.remove(key, 0, (int) key.byteSize());
                case 1, 2 -> bucket.put(key, 0, (int) key.byteSize(), value, 0, 84, i, false);
                case 3 -> found += bucket.nearest().floor(key, 0, (int) key.byteSize());
                case 4 -> found += bucket.count(range.from(key, 0, (int) key.byteSize(), true));
                case 5 -> found += bucket.splitKeys().median();
                case 6 -> scan(key);
                default -> found += bucket.find(key, 0, (int) key.byteSize());
            }
        }
    }

    private void scan(MemorySegment from) {
        visited = 0;
        bucket.ascend(range.from(from, 0, (int) from.byteSize(), false), visitor);
    }

    private boolean visit(long ref) {
        found += ref;
        return ++visited < VISITED;
    }
}
