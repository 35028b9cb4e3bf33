package io.sdds.client;

import io.sdds.client.internal.ClientRuntime;
import io.sdds.client.internal.query.QuerySpec;
import io.sdds.client.internal.query.RangePlan;
import io.sdds.client.internal.query.lang.BoundText;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A query of a range table: the records between two keys, in the order of their keys' bytes (RP*, section 2.1). The
 * query ends when each partition that has keys of the range has answered, or fails with
 * {@link IncompleteRangeException}, which names the missing ranges. Only {@link #forEachWithinAsync} ends after a time.
 * {@link Query} tells the guarantees of all queries. All cursors have a {@link Cursor#token}.
 *
 * <pre>{@code
 * List<Map.Entry<String, String>> last10 = table.range("U+1F600", "U+1F64F").descending().limit(10).toList();
 * }</pre>
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public final class Range<K, V> extends Query<K, V> {
    private final RangePlan<K, V> plan;

    Range(RangePlan<K, V> plan) {
        super(plan);
        this.plan = plan;
    }

    private <X> Range<K, X> with(QuerySpec<K, X> spec) {
        return new Range<>(plan.with(spec));
    }

    /** The same records in descending order; of a descending range in ascending order. */
    public Range<K, V> descending() {
        return new Range<>(new RangePlan<>(plan.spec(), plan.bounds().reversed()));
    }

    /**
     * The same range with the version of each record, which {@link Table#replaceIfVersion} and
     * {@link Table#removeIfVersion} compare, and the time that the record has left.
     *
     * @throws IllegalStateException if the query is one for keys alone, or already has versions
     */
    public Range<K, Versioned<V>> versioned() {
        return with(plan.spec().versioned());
    }

    /**
     * The same range, ending after so many records.
     *
     * @param records 0 or more
     * @throws IllegalArgumentException when negative
     */
    public Range<K, V> limit(long records) {
        return with(plan.spec().withLimit(records));
    }

    /**
     * The same range with a filter, in place of the filter it had. The bricks evaluate the filter next to the records.
     *
     * @throws IllegalArgumentException when the filter is too large
     */
    public Range<K, V> where(Filter filter) {
        return with(plan.spec().withFilter(filter.condition()));
    }

    /**
     * The same range for records that meet a further condition, besides the filter and the conditions it has. The text
     * is that of a condition of SQL, such as {@code value contains 'CAT' and length(value) > 20}; docs/queries.md tells
     * the language. The bricks evaluate the condition next to the records.
     *
     * @param values of the question marks of the condition, as of {@link Table#update}
     * @throws IllegalArgumentException one line that names the position in the text, from 1 on, and what is wrong there
     */
    public Range<K, V> where(String condition, @Nullable Object @Nullable ... values) {
        return with(plan.spec().withCondition(BoundText.of(condition, values)));
    }

    /** The same range for keys alone: the values of its entries are null, and bricks do not send them. */
    public Range<K, Void> keysOnly() {
        return with(plan.spec().keysOnly());
    }

    /** All records as a list, in order. The list is in memory at once. */
    public List<Map.Entry<K, V>> toList() {
        plan.runtime().checkMayBlock();
        return ClientRuntime.await(plan.toListAsync(all -> all));
    }

    /** As {@link #toList}. Cancelling the future ends the query: the client sends no more requests. */
    public CompletableFuture<List<Map.Entry<K, V>>> toListAsync() {
        return plan.runtime().published(plan.toListAsync(all -> all));
    }

    /** As {@link #forEachAsync}, several partitions at a time and so in no order. */
    public CompletableFuture<Void> forEachUnorderedAsync(BiConsumer<? super K, ? super V> consumer) {
        return plan.runtime().published(plan.forEachUnorderedAsync(consumer));
    }

    /**
     * Passes the records that come within a time to the consumer, in no order: the probabilistic termination of RP*
     * (section 2.1). The client asks all bricks of the table at once, and only partitions that have records answer.
     * Therefore the client cannot tell whether a partition without an answer has no records or cannot answer. Records
     * that did not come in time are no failure. The query ends after that time, or as soon as the answers cover every
     * key of the range.
     *
     * @param time how long to wait for records
     * @throws IllegalArgumentException unless the time is positive
     * @throws IllegalStateException if the range has a condition given as text
     */
    public CompletableFuture<PartialResult> forEachWithinAsync(
            Duration time, BiConsumer<? super K, ? super V> consumer) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("a time of " + time + " is not positive");
        }
        return plan.runtime().published(plan.forEachWithinAsync(ClientSettings.nanos(time), consumer));
    }
}
