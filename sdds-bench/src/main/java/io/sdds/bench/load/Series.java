package io.sdds.bench.load;

import io.sdds.client.Callback;
import io.sdds.client.HashTable;
import io.sdds.client.SddsException;
import io.sdds.client.Table;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.addressing.PseudoKey;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A series of requests of a client (Diène and Litwin 2000, section 4): one request for each record of a data set, in no
 * order of keys, as fast as the flow control of the client permits.
 */
public final class Series {
    private final Dataset data;

    /** Creates a series over a data set of {@code records} records. */
    public Series(int records, int valueBytes) {
        this.data = new Dataset(records, valueBytes, LoadSettings.defaults().seed());
    }

    /**
     * Inserts records, from one number on to before another.
     *
     * @return seconds until all records are inserted
     * @throws LoadException if a record cannot be inserted
     */
    public double insert(Table<byte[], byte[]> table, int from, int end) throws InterruptedException {
        Answers<Object> answers = new Answers<>(end - from, "insert");
        long begin = System.nanoTime();
        for (int k = from; k < end; k++) {
            table.putAsync(data.key(k), data.value(k), answers);
        }
        return answers.seconds(begin);
    }

    /**
     * Inserts all records, many at a time, and each again that is refused.
     *
     * @throws LoadException if a record cannot be inserted
     */
    public void fill(HashTable<byte[], byte[]> table, LoadProgress.Listener listener) throws InterruptedException {
        Run.Mix any = Run.Mix.of(LoadMode.WRITE, data.size());
        Preload.run(new Run(LoadTarget.of(table), data, any, null), data.size(), listener);
    }

    /**
     * Searches for all records.
     *
     * @return seconds until all records are found
     * @throws LoadException if a record is not found
     */
    public double search(Table<byte[], byte[]> table) throws InterruptedException {
        return search(table, 0, data.size());
    }

    /**
     * Searches for records, from one number on to before another.
     *
     * @return seconds until all of them are found
     * @throws LoadException if a record is not found
     */
    public double search(Table<byte[], byte[]> table, int from, int end) throws InterruptedException {
        Answers<byte[]> answers = new Answers<>(end - from, "search for") {
            @Override
            boolean isRight(byte @Nullable [] found) {
                return found != null;
            }
        };
        long begin = System.nanoTime();
        for (int k = from; k < end; k++) {
            table.getAsync(data.key(k), answers);
        }
        return answers.seconds(begin);
    }

    /**
     * Searches for records one after the other, from one number on to before another.
     *
     * @return seconds until all of them are found
     * @throws LoadException if a record is not found
     */
    public double searchEach(Table<byte[], byte[]> table, int from, int end) {
        long begin = System.nanoTime();
        for (int k = from; k < end; k++) {
            if (table.get(data.key(k)) == null) {
                throw new LoadException("can't search for a record: not found");
            }
        }
        return (System.nanoTime() - begin) / 1e9;
    }

    /** Numbers of the records that a partition of a hash table has, ascending. */
    public int[] ofPartition(int partition, int partitions) {
        return IntStream.range(0, data.size())
                .filter(k -> LinearHashing.address(PseudoKey.of(data.key(k)), partitions) == partition)
                .toArray();
    }

    Dataset data() {
        return data;
    }

    private static class Answers<T> implements Callback<T> {
        private final CountDownLatch awaited;
        private final String what;
        private final AtomicReference<String> trouble = new AtomicReference<>();

        Answers(int count, String what) {
            this.awaited = new CountDownLatch(count);
            this.what = what;
        }

        boolean isRight(@Nullable T answer) {
            return true;
        }

        @Override
        public void done(@Nullable T answer, @Nullable SddsException failure) {
            if (failure != null || !isRight(answer)) {
                trouble.compareAndSet(null, failure == null ? "not found" : failure.getMessage());
            }
            awaited.countDown();
        }

        double seconds(long beginNanos) throws InterruptedException {
            awaited.await();
            double seconds = (System.nanoTime() - beginNanos) / 1e9;
            if (trouble.get() != null) {
                throw new LoadException("can't " + what + " a record: " + trouble.get());
            }
            return seconds;
        }
    }
}
