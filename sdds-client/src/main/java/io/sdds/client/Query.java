package io.sdds.client;

import io.sdds.client.internal.ClientRuntime;
import io.sdds.client.internal.query.QueryPlan;
import io.sdds.client.internal.query.QueryPlans;
import io.sdds.client.internal.query.RecordChanges;
import io.sdds.client.internal.query.RowMapping;
import io.sdds.client.internal.query.RowSpec;
import io.sdds.client.internal.query.lang.BoundText;
import java.util.Map;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * A query about many records of a table, with the ways to get the results. Immutable; the client sends nothing until
 * one of the query's methods is called.
 *
 * <p>Every record that exists throughout the query comes exactly once. A record that never existed never comes. The
 * client asks bricks block by block as the results are taken, so that bricks and client hold only a few blocks.
 *
 * <p>Each block must come within the client's timeout, or the query fails with {@link IncompleteRangeException}, which
 * names the missing parts. The query fails with {@link NoSuchTableException} if the table was dropped, and with
 * {@link CodecException} if a record cannot be decoded. A query changes nothing, but for {@link #update} and
 * {@link #remove}.
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

    static {
        QueryPlans.register(query -> query.plan);
    }

    Query(QueryPlan<K, V> plan) {
        this.plan = plan;
    }

    // ---- rows

    /**
     * The rows of this query's records: all columns of the table, or {@code key} and {@code value} if it has no schema.
     */
    public final RowQuery<Row> rows() {
        return new RowQuery<>(plan, RowSpec.of(plan.spec().where(), plan.spec().limit()), RowMapping.ROWS);
    }

    /** As {@link RowQuery#select} of {@link #rows}. */
    public final RowQuery<Row> select(String... columns) {
        return rows().select(columns);
    }

    /** As {@link RowQuery#groupBy} of {@link #rows}. */
    public final RowQuery<Row> groupBy(String keys) {
        return rows().groupBy(keys);
    }

    /** As {@link RowQuery#aggregate} of {@link #rows}. */
    public final RowQuery<Row> aggregate(String aggregates) {
        return rows().aggregate(aggregates);
    }

    /** As {@link RowQuery#orderBy} of {@link #rows}. */
    public final RowQuery<Row> orderBy(String order) {
        return rows().orderBy(order);
    }

    // ---- records

    /** The number of records that pass the filter, at most the limit. The bricks count the records and send none. */
    public final long count() {
        return plan.count();
    }

    /** As {@link #count}. Cancelling the future ends the query: the client sends no more requests. */
    public final CompletableFuture<Long> countAsync() {
        return plan.runtime().published(plan.countAsync());
    }

    // ---- changes

    /**
     * Gives columns of all records that meet the conditions other values; of a query with a limit, of as many of them.
     * The query finds the keys, and the brick of each record evaluates the conditions again, computes and writes in one
     * request, which takes effect once. So a record that another write has changed meanwhile is changed only if it
     * still meets the conditions, and no write is lost. A record is changed at most once. The change of all records is
     * not atomic: others see some changed and some not.
     *
     * <pre>{@code
     * ChangeCount count = people.scan().where("city = ?", city).update("visits = visits + 1");
     * }</pre>
     *
     * @param assignments as of {@link Table#update}
     * @param values of the question marks of the assignments
     * @throws IllegalArgumentException when a text cannot be compiled, as {@link Table#update} does
     * @throws IncompleteChangeException when some records were changed and others could not be; if none was, the
     *     exception is the one that says why, such as {@link QueryException} of a record whose value is an error
     */
    public final ChangeCount update(String assignments, @Nullable Object @Nullable ... values) {
        return await(BoundText.of(assignments, values));
    }

    /**
     * As {@link #update}. Cancelling the future changes no further records; requests under way end by themselves.
     *
     * @param assignments as of {@link Table#update}
     * @param values of the question marks of the assignments
     */
    public final CompletableFuture<ChangeCount> updateAsync(String assignments, @Nullable Object @Nullable ... values) {
        return updateAsync(count -> {}, assignments, values);
    }

    /**
     * As {@link #updateAsync(String, Object...)}.
     *
     * @param progress hears now and then what was changed so far, where callbacks run
     */
    public final CompletableFuture<ChangeCount> updateAsync(
            Consumer<? super ChangeCount> progress, String assignments, @Nullable Object @Nullable ... values) {
        return plan.runtime().published(RecordChanges.of(plan, BoundText.of(assignments, values), progress));
    }

    /** Removes all records that meet the conditions. In all else like {@link #update}. */
    public final ChangeCount remove() {
        return await(null);
    }

    /** As {@link #remove}, and like {@link #updateAsync(String, Object...)}. */
    public final CompletableFuture<ChangeCount> removeAsync() {
        return removeAsync(count -> {});
    }

    /** As {@link #remove}, and like {@link #updateAsync(Consumer, String, Object...)}. */
    public final CompletableFuture<ChangeCount> removeAsync(Consumer<? super ChangeCount> progress) {
        return plan.runtime().published(RecordChanges.of(plan, null, progress));
    }

    private ChangeCount await(@Nullable BoundText assignments) {
        plan.runtime().checkMayBlock();
        return ClientRuntime.await(RecordChanges.of(plan, assignments, count -> {}));
    }

    // ---- records, one by one

    /**
     * Passes each record to the consumer, on the calling thread. An exception of the consumer ends the query, and this
     * method throws it.
     */
    public final void forEach(BiConsumer<? super K, ? super V> consumer) {
        try (Cursor<K, V> cursor = open()) {
            while (cursor.hasNext()) {
                Map.Entry<K, V> entry = cursor.next();
                consumer.accept(entry.getKey(), entry.getValue());
            }
        }
    }

    /**
     * Passes each record to the consumer, one after the other, on the client's event loop or on the executor for
     * callbacks if there is one. The future ends when all records were passed on, or with the exception that the
     * consumer threw. Cancelling the future ends the query: the client sends no more requests, and does not call the
     * consumer again once a call under way has returned.
     */
    public final CompletableFuture<Void> forEachAsync(BiConsumer<? super K, ? super V> consumer) {
        return plan.runtime().published(plan.forEachAsync(consumer));
    }

    /** Opens a cursor, which takes the records one by one. A cursor that is left before its end must be closed. */
    public final Cursor<K, V> open() {
        return plan.open();
    }

    /**
     * Opens a cursor at the position of another cursor of the same query of this table, which gave the token. A record
     * that exists throughout comes once, before the token or after it. The other cursor may have been opened by another
     * client, at any time. The limit of this query counts from the token on, so that a query of limit 100 reads a table
     * in pages of 100.
     *
     * @throws IllegalArgumentException when the text is no token, or a token of another table, or of a query with
     *     another filter or range
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
