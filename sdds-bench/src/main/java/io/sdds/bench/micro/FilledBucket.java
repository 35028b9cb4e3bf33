package io.sdds.bench.micro;

import io.sdds.brick.bucket.HashBucket;
import io.sdds.brick.bucket.PutResult;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordStore;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A bucket of its own store, keys to fill it with, and a value. */
final class FilledBucket implements AutoCloseable {

    static final int VALUE_BYTES = 150;

    private static final long LIMIT_BYTES = 16L << 30;

    final KeySet keys;
    final MemorySegment value;
    final RecordStore store;
    final HashBucket bucket;

    private final Arena arena = Arena.ofShared();
    private final MemoryBudget budget = new MemoryBudget(LIMIT_BYTES);
    private final ArenaMemorySource source = new ArenaMemorySource(budget);

    /** Creates an empty bucket and {@code records} keys. */
    FilledBucket(int records) {
        keys = new KeySet(arena, 'k', records);
        value = arena.allocate(VALUE_BYTES);
        store = new RecordStore(source, budget);
        bucket = new HashBucket(store, 0);
    }

    /** Puts a record under key {@code index}. */
    PutResult put(int index) {
        return bucket.put(
                keys.hash(index),
                keys.segment(),
                keys.offset(index),
                KeySet.KEY_BYTES,
                value,
                0,
                VALUE_BYTES,
                index,
                false);
    }

    /** Puts a record under each key. */
    void fill() {
        for (int i = 0; i < keys.size(); i++) {
            if (put(i) == PutResult.FULL) {
                throw new IllegalStateException("no memory for record " + i);
            }
        }
    }

    /** Memory overhead of a record beyond key and value, all allocations included. */
    double overheadBytes() {
        return (double) budget.usedBytes() / bucket.records() - KeySet.KEY_BYTES - VALUE_BYTES;
    }

    @Override
    public void close() {
        source.close();
        arena.close();
    }
}
