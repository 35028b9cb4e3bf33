package io.sdds.bench.load;

import io.sdds.client.Callback;
import io.sdds.client.HashTable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What load is put on. Callbacks come on any thread, and may come before the call returns. */
public interface LoadTarget {
    /** The value of a key; null when there is none. */
    void get(byte[] key, Callback<Object> callback);

    /** Writes a record. Neither array is changed before the callback. */
    void put(byte[] key, byte[] value, Callback<Object> callback);

    /** Whether gets answer what was put. Else there is no preload, and values are not looked at. */
    default boolean keepsRecords() {
        return true;
    }

    /** Runs a task after a while, on the thread that operations are best begun on. */
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
