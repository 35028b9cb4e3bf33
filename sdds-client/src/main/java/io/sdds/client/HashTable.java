package io.sdds.client;

import io.sdds.client.internal.routing.HashSweep;
import io.sdds.client.internal.routing.RoutedTable;
import io.sdds.core.protocol.Filter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentMap;

/** A hash table of a cluster: its records are spread by linear hashing (LH*), in no order. */
public final class HashTable<K, V> extends Table<K, V> {

    HashTable(Shell shell, RoutedTable table, Codec<K> keys, Codec<V> values, long timeoutNanos) {
        super(shell, table, keys, values, timeoutNanos);
    }

    @Override
    public CompletableFuture<Long> sizeAsync() {
        return Tally.of(
                shell, timeoutNanos, sink -> new HashSweep(table, Tally.SIZE, timeoutNanos, sink), count -> count);
    }

    @Override
    public CompletableFuture<Void> clearAsync() {
        return Tally.of(
                shell, timeoutNanos, sink -> new HashSweep(table, Tally.CLEAR, timeoutNanos, sink), nothing -> null);
    }

    /**
     * This table as a map. What {@link java.util.concurrent.ConcurrentMap} says is atomic is so, for all clients of the table: put, remove and replace read and
     * then write by version, two requests where those of the table take one. {@code compute}, {@code merge} and the like do so too: they call their function again when another
     * write came between, and give up with a {@link TimeoutException}, without an effect, when that goes on for the table's timeout; {@code replaceAll} has it for each record. {@code replace} and {@code remove}
     * of an expected value compare bytes, so they need a codec that gives equal values the same bytes. Null is refused for keys and values. Iterators are those of {@link #scan}: what is there throughout comes once;
     * they remove, and their entries can't be set. Size, equality and text ask all partitions. What fails throws as the table's operations do.
     */
    public ConcurrentMap<K, V> asMap() {
        return new HashView<>(this);
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
