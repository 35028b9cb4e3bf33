package io.sdds.bench.load;

import io.sdds.client.Callback;
import io.sdds.client.RangeTable;
import io.sdds.client.SddsException;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Range queries in a closed loop. Each query asks for a number of records in order, beginning at a random key, or for
 * all records of the table in any order.
 */
public final class RangeLoad implements LoadTarget {
    private static final int PUT_AT_ONCE = 10_000;

    private final RangeTable<byte[], byte[]> table;
    private final int length;
    private final LongAdder ranges = new LongAdder();
    private final LongAdder records = new LongAdder();
    private final LongAdder outOfOrder = new LongAdder();

    private RangeLoad(RangeTable<byte[], byte[]> table, int length) {
        this.table = table;
        this.length = length;
    }

    /**
     * Writes the records, runs the load, and waits until all operations have ended.
     *
     * @param settings settings of a closed loop of reads
     * @param length number of records of a range; 0 for all records of the table
     * @throws io.sdds.client.SddsException if the records cannot be written
     */
    public static RangeResult run(
            LoadSettings settings, int length, RangeTable<byte[], byte[]> table, LoadProgress.Listener listener)
            throws InterruptedException {
        write(new Dataset(settings.keys(), settings.valueBytes(), settings.seed()), table);
        RangeLoad target = new RangeLoad(table, length);
        LoadResult load = ClosedLoop.run(settings, target, listener);
        double recordsOfARange = (double) target.records.sum() / Math.max(1, target.ranges.sum());
        return new RangeResult(load, length, load.operationsPerSecond() * recordsOfARange, target.outOfOrder.sum());
    }

    private static void write(Dataset data, RangeTable<byte[], byte[]> table) {
        Map<byte[], byte[]> some = new IdentityHashMap<>();
        for (int k = 0; k < data.size(); k++) {
            some.put(data.key(k), data.value(k));
            if (some.size() == PUT_AT_ONCE || k + 1 == data.size()) {
                table.putAll(some);
                some.clear();
            }
        }
    }

    @Override
    public void get(byte[] key, Callback<Object> callback) {
        if (length == 0) {
            table.range()
                    .forEachUnorderedAsync((any, value) -> records.increment())
                    .whenComplete((nothing, failure) -> ended(callback, failure));
        } else {
            table.from(key, true).limit(length).toListAsync().whenComplete((found, failure) -> {
                if (found != null) {
                    records.add(found.size());
                    check(key, found);
                }
                ended(callback, failure);
            });
        }
    }

    private void check(byte[] key, List<Map.Entry<byte[], byte[]>> found) {
        byte[] reached = key;
        for (Map.Entry<byte[], byte[]> record : found) {
            if (Arrays.compareUnsigned(record.getKey(), reached) < 0) {
                outOfOrder.increment();
                return;
            }
            reached = record.getKey();
        }
    }

    private void ended(Callback<Object> callback, @Nullable Throwable failure) {
        ranges.increment();
        Throwable why = failure == null || failure instanceof SddsException ? failure : failure.getCause();
        callback.done(null, (SddsException) why); // the client throws no other exception
    }

    @Override
    public void put(byte[] key, byte[] value, Callback<Object> callback) {
        throw new IllegalStateException("a load of range queries has no puts");
    }

    /** Returns false, because this class itself writes the records and checks their order. */
    @Override
    public boolean keepsRecords() {
        return false;
    }
}
