package io.sdds.client;

import io.sdds.client.routing.HashSweep;
import io.sdds.client.routing.RoutedTable;
import io.sdds.core.protocol.Filter;
import java.util.concurrent.CompletableFuture;

/** A hash table of a cluster: its records are spread by linear hashing (LH*), in no order. */
public final class HashTable<K, V> extends Table<K, V> {

    HashTable(Shell shell, RoutedTable table, Codec<K> keys, Codec<V> values, long timeoutNanos) {
        super(shell, table, keys, values, timeoutNanos);
    }

    @Override
    public CompletableFuture<Long> sizeAsync() {
        return Tally.of(shell, sink -> new HashSweep(table, Tally.SIZE, timeoutNanos, sink));
    }

    @Override
    public CompletableFuture<Void> clearAsync() {
        return Tally.of(shell, sink -> new HashSweep(table, Tally.CLEAR, timeoutNanos, sink))
                .thenApply(count -> null);
    }

    /** All records, in no order that means anything. */
    @Override
    public Scan<K, V> scan() {
        return new Scan<>(shell, table, keys, values, timeoutNanos);
    }

    @Override
    public Scan<K, V> scan(Filter filter) {
        return scan().where(filter);
    }
}
