package io.sdds.bench.load;

import io.sdds.client.HashTable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What load is put on. Its futures may complete on any thread, and one key's operations in any order. */
public interface LoadTarget {
    /** The value of a key; null when there is none. */
    CompletableFuture<byte @Nullable []> get(byte[] key);

    /** Writes a record. Neither array is changed before the future completes. */
    CompletableFuture<?> put(byte[] key, byte[] value);

    /** A table of the cluster. */
    static LoadTarget of(HashTable<byte[], byte[]> table) {
        return new LoadTarget() {
            @Override
            public CompletableFuture<byte @Nullable []> get(byte[] key) {
                return table.getAsync(key);
            }

            @Override
            public CompletableFuture<?> put(byte[] key, byte[] value) {
                return table.putAsync(key, value);
            }
        };
    }
}
