package io.sdds.client;

import io.sdds.client.internal.query.QuerySpec;
import io.sdds.client.internal.query.ScanPlan;
import io.sdds.client.internal.query.lang.BoundText;
import org.jspecify.annotations.Nullable;

/**
 * A query of a hash table. Its records come in no meaningful order. {@link Query} tells the guarantees of all queries.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public final class Scan<K, V> extends Query<K, V> {
    private final ScanPlan<K, V> plan;

    Scan(QuerySpec<K, V> spec) {
        this(new ScanPlan<>(spec));
    }

    private Scan(ScanPlan<K, V> plan) {
        super(plan);
        this.plan = plan;
    }

    /**
     * The same scan with a filter, in place of the filter it had. The bricks evaluate the filter next to the records.
     *
     * @throws IllegalArgumentException when the filter is too large
     */
    public Scan<K, V> where(Filter filter) {
        return new Scan<>(plan.spec().withFilter(filter.condition()));
    }

    /**
     * The same scan for records that meet a further condition, besides the filter and the conditions it has. The text
     * is that of a condition of SQL, such as {@code value contains 'CAT' and length(value) > 20}; docs/queries.md tells
     * the language. The bricks evaluate the condition next to the records.
     *
     * @param values of the question marks of the condition, as of {@link Table#update}
     * @throws IllegalArgumentException one line that names the position in the text, from 1 on, and what is wrong there
     */
    public Scan<K, V> where(String condition, @Nullable Object @Nullable ... values) {
        return new Scan<>(plan.spec().withCondition(BoundText.of(condition, values)));
    }

    /** The same scan for keys alone: the values of its entries are null, and bricks do not send them. */
    public Scan<K, Void> keysOnly() {
        return new Scan<>(plan.spec().keysOnly());
    }

    /**
     * The same scan with the version of each record, which {@link Table#replaceIfVersion} and
     * {@link Table#removeIfVersion} compare, and the time that the record has left.
     *
     * @throws IllegalStateException if the query is one for keys alone, or already has versions
     */
    public Scan<K, Versioned<V>> versioned() {
        return new Scan<>(plan.spec().versioned());
    }

    /**
     * The same scan, ending after so many records.
     *
     * @param records 0 or more
     * @throws IllegalArgumentException when negative
     */
    public Scan<K, V> limit(long records) {
        return new Scan<>(plan.spec().withLimit(records));
    }

    /**
     * Opens a cursor that has a {@link Cursor#token}, so that another cursor can continue behind any record later. Such
     * a cursor fetches one block at a time and sorts the records of each block, and therefore is slower than a cursor
     * of {@link #open}.
     */
    public Cursor<K, V> openResumable() {
        return plan.openResumable();
    }
}
