package io.sdds.bench.micro;

import io.sdds.brick.bucket.PutResult;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.range.RangeBucket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A range bucket of its own store, keys to fill it with in random order, and a value: records of 100 bytes. */
final class FilledRange implements AutoCloseable {

    static final int VALUE_BYTES = 84;
    static final int RECORD_BYTES = KeySet.KEY_BYTES + VALUE_BYTES;

    private static final long LIMIT_BYTES = 16L << 30;

    final KeySet keys;
    final MemorySegment value;
    final RecordStore store;
    final RangeBucket bucket;

    private final Arena arena = Arena.ofShared();
    private final MemoryBudget budget = new MemoryBudget(LIMIT_BYTES);
    private final ArenaMemorySource source = new ArenaMemorySource(budget);

    /** Creates an empty bucket and {@code records} keys. */
    FilledRange(int records) {
        keys = new KeySet(arena, 'k', records);
        value = arena.allocate(VALUE_BYTES);
        store = new RecordStore(source, budget);
        bucket = new RangeBucket(store);
    }

    /** Puts a record under key {@code index}. */
    PutResult put(int index) {
        return bucket.put(keys.segment(), keys.offset(index), KeySet.KEY_BYTES, value, 0, VALUE_BYTES, index, false);
    }

    boolean remove(int index) {
        return bucket.remove(keys.segment(), keys.offset(index), KeySet.KEY_BYTES);
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
        return (double) budget.usedBytes() / bucket.records() - RECORD_BYTES;
    }

    @Override
    public void close() {
        source.close();
        arena.close();
    }
}
