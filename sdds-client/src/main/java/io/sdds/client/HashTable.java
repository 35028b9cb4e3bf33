package io.sdds.client;

import io.sdds.client.internal.TableContext;
import io.sdds.client.internal.TableContexts;
import io.sdds.client.internal.map.HashView;
import io.sdds.client.internal.query.QuerySpec;
import io.sdds.client.internal.query.ScanPlan;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentMap;

/**
 * A hash table of a cluster: its records are spread by linear hashing (LH*), in no order. {@link Table} tells the
 * guarantees of its operations.
 *
 * <pre>{@code
 * HashTable<String, String> names =
 *         client.createHashTable("names", TableOptions.replicas(2), Codec.utf8(), Codec.utf8());
 * names.put("U+0041", "LATIN CAPITAL LETTER A");
 * long cats = names.scan(where(value().contains("CAT"))).count();
 * }</pre>
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public final class HashTable<K, V> extends Table<K, V> {

    HashTable(TableContexts<K, V> contexts) {
        super(contexts);
    }

    @Override
    CompletableFuture<Long> size(TableContext<K, V> context) {
        return ScanPlan.size(context);
    }

    @Override
    CompletableFuture<Void> clear(TableContext<K, V> context) {
        return ScanPlan.clear(context);
    }

    /**
     * This table as a map. Operations that {@link java.util.concurrent.ConcurrentMap} declares atomic are atomic among
     * all clients of the table.
     *
     * <p>{@code put}, {@code remove} and {@code replace} return the value before. For this they read and then write by
     * version: two requests, where the operations of the table take one. {@code compute}, {@code merge} and the like do
     * so too. They call their function again when another write came between. If other writes come between for as long
     * as the table's timeout, they fail with a {@link TimeoutException}, without an effect. {@code replaceAll} has this
     * timeout for each record.
     *
     * <p>{@code replace} and {@code remove} of an expected value compare bytes, so they need a codec that gives equal
     * values the same bytes. Null is refused for keys and values. Iterators are iterators of {@link #scan}: a record
     * that exists throughout comes once. Iterators can remove; their entries cannot be set. Size, equality and text ask
     * all partitions. Failures are the failures of the table's operations.
     */
    public ConcurrentMap<K, V> asMap() {
        return new HashView<>(this, contexts);
    }

    /** The query of all records, in no order that means anything. */
    @Override
    public Scan<K, V> scan() {
        return new Scan<>(QuerySpec.all(contexts.current()));
    }

    /**
     * The query of the records that pass a filter, which the bricks evaluate.
     *
     * @throws IllegalArgumentException when the filter is too large
     */
    @Override
    public Scan<K, V> scan(Filter filter) {
        return scan().where(filter);
    }
}
