package io.sdds.bench.load;

import io.sdds.client.Callback;
import io.sdds.client.HashTable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Target of a load. Callbacks run on any thread, and may run before the call returns. */
public interface LoadTarget {
    /** Reads the value of a key; null if there is no record. */
    void get(byte[] key, Callback<Object> callback);

    /** Writes a record. The caller changes neither array before the callback. */
    void put(byte[] key, byte[] value, Callback<Object> callback);

    /** Whether gets return the values of puts. Otherwise there is no preload, and values are not checked. */
    default boolean keepsRecords() {
        return true;
    }

    /** Runs a task after a delay, on the thread on which operations should start. */
    default void later(long nanos, Runnable task) {
        CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(task);
    }

    /** A table of a cluster. */
    static LoadTarget of(HashTable<byte[], byte[]> table) {
        return new LoadTarget() {
            @Override
            public void get(byte[] key, Callback<Object> callback) {
                table.getAsync(key, callback);
            }

            @Override
            public void put(byte[] key, byte[] value, Callback<Object> callback) {
                table.putAsync(key, value, callback);
            }
        };
    }
}
