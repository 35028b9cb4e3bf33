package io.sdds.client;

import io.sdds.client.internal.query.QueryPlan;
import java.util.Map;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A question about many records of a table, and the ways to have the results. Immutable; asks nothing until one of its
 * methods is called.
 *
 * <p>Every record that exists throughout the query comes exactly once; a record that never existed never comes. Bricks
 * are asked block by block as the results are taken, so that neither they nor this client hold more than some blocks.
 *
 * <p>Each block comes within the client's timeout, or the query fails with {@link IncompleteRangeException}, which
 * names what is missing; with {@link NoSuchTableException} if the table was dropped; or with {@link CodecException}. A
 * query changes nothing.
 *
 * <pre>{@code
 * long cats = table.scan(where(value().contains("CAT"))).count();
 * try (Stream<Map.Entry<String, String>> all = table.scan().stream()) {
 *     all.limit(10).forEach(entry -> show(entry.getKey(), entry.getValue()));
 * }
 * }</pre>
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public abstract sealed class Query<K, V> implements Iterable<Map.Entry<K, V>> permits Scan, Range {
    private final QueryPlan<K, V> plan;

    Query(QueryPlan<K, V> plan) {
        this.plan = plan;
    }

    /** How many records pass the filter, at most the limit. The bricks count them; no record travels. */
    public final long count() {
        return plan.count();
    }

    /** As {@link #count}. Cancelling the future ends the query: nothing more is asked. */
    public final CompletableFuture<Long> countAsync() {
        return plan.runtime().published(plan.countAsync());
    }

    /** Passes each record on, on the calling thread. What the consumer throws ends the query and is thrown here. */
    public final void forEach(BiConsumer<? super K, ? super V> consumer) {
        try (Cursor<K, V> cursor = open()) {
            while (cursor.hasNext()) {
                Map.Entry<K, V> entry = cursor.next();
                consumer.accept(entry.getKey(), entry.getValue());
            }
        }
    }

    /**
     * Passes each record on, one after the other, on the client's event loop or on the executor for callbacks if there
     * is one. The future ends when all records were passed on, or with what the consumer threw. Cancelling the future
     * ends the query: nothing more is asked, and the consumer is not called again once a call under way has returned.
     */
    public final CompletableFuture<Void> forEachAsync(BiConsumer<? super K, ? super V> consumer) {
        return plan.runtime().published(plan.forEachAsync(consumer));
    }

    /** Opens a cursor, which takes the records one by one. It must be closed if it is left before its end. */
    public final Cursor<K, V> open() {
        return plan.open();
    }

    /**
     * Opens a cursor where another cursor of the same query of this table stood when it gave the token: what exists
     * throughout comes once, before the token or from here on. The other cursor may have been another client's, at any
     * time. The limit of this query counts from the token on, so that a query of limit 100 reads a table in pages of
     * 100.
     *
     * @throws IllegalArgumentException when the text is no token, or one of another table or of a query with another
     *     filter or range
     */
    public final Cursor<K, V> open(String token) {
        return plan.open(token);
    }

    /** As {@link #open}. A cursor that is left before its end holds a few blocks of memory until it is collected. */
    @Override
    public final Cursor<K, V> iterator() {
        return open();
    }

    /** The records as a sequential stream, which must be closed if it is left before its end. */
    public final Stream<Map.Entry<K, V>> stream() {
        Cursor<K, V> cursor = open();
        return StreamSupport.stream(
                        Spliterators.spliteratorUnknownSize(cursor, Spliterator.NONNULL | Spliterator.IMMUTABLE), false)
                .onClose(cursor::close);
    }
}
