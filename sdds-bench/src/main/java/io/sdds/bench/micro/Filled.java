package io.sdds.bench.micro;

import io.sdds.brick.bucket.Bucket;
import io.sdds.brick.bucket.PutResult;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordStore;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A bucket of its own store, keys to fill it with in random order, and a value. */
abstract class Filled implements AutoCloseable {
    private static final long LIMIT_BYTES = 16L << 30;

    final KeySet keys;
    final MemorySegment value;
    final RecordStore store;
    private final int valueBytes;
    private final Arena arena = Arena.ofShared();
    private final MemoryBudget budget = new MemoryBudget(LIMIT_BYTES);
    private final ArenaMemorySource source = new ArenaMemorySource(budget);

    /** Creates {@code records} keys. */
    Filled(int records, int valueBytes) {
        this.valueBytes = valueBytes;
        keys = new KeySet(arena, 'k', records);
        value = arena.allocate(valueBytes);
        store = new RecordStore(source, budget);
    }

    /** The bucket, empty at first. */
    abstract Bucket bucket();

    /** Puts a record under key {@code index}. */
    abstract PutResult put(int index);

    /** Removes the record of key {@code index}. */
    abstract boolean remove(int index);

    /** Puts a record under each key. */
    void fill() {
        for (int i = 0; i < keys.size(); i++) {
            if (put(i) == PutResult.FULL) {
                throw new IllegalStateException("no memory for record " + i);
            }
        }
    }

    /** Copies the value of a record to a place of a buffer. Returns its length. */
    int copyValue(long ref, MemorySegment buffer, long at) {
        int length = store.valueLength(ref);
        MemorySegment.copy(store.segment(ref), store.valueOffset(ref), buffer, at, length);
        return length;
    }

    /** Memory overhead of a record beyond key and value, all allocations included. */
    double overheadBytes() {
        return (double) budget.usedBytes() / bucket().records() - KeySet.KEY_BYTES - valueBytes;
    }

    @Override
    public void close() {
        source.close();
        arena.close();
    }
}
