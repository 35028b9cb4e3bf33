package io.sdds.client;

import io.sdds.client.internal.ClientRuntime;
import io.sdds.client.internal.TableContext;
import io.sdds.client.internal.TableContexts;
import io.sdds.client.internal.map.RangeView;
import io.sdds.client.internal.query.RangePlan;
import io.sdds.client.internal.routing.KeyBounds;
import io.sdds.core.row.KeyEncoding;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentNavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * A range table of a cluster: its records are in the unsigned order of their keys' bytes, and each partition has a span
 * of keys (RP*). {@link Table} tells the guarantees of its operations.
 *
 * <pre>{@code
 * RangeTable<String, String> ordered = client.rangeTable("ordered", Codec.utf8(), Codec.utf8());
 * try (Cursor<String, String> faces = ordered.range("U+1F600", "U+1F64F").descending().limit(10).open()) {
 *     faces.forEachRemaining(face -> show(face.getValue()));
 * }
 * Map.Entry<String, String> next = ordered.higher("U+1F64F");
 * }</pre>
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public final class RangeTable<K, V> extends Table<K, V> {
    RangeTable(TableContexts<K, V> contexts) {
        super(contexts);
    }

    // ---- ranges

    /** All records, ascending. */
    public Range<K, V> range() {
        return range(KeyBounds.ALL);
    }

    /**
     * The records from one key to another, both included.
     *
     * @throws IllegalArgumentException if {@code from} is above {@code to}, or a key is empty
     */
    public Range<K, V> range(K from, K to) {
        return range(from, true, to, true);
    }

    /**
     * The records between two keys.
     *
     * @throws IllegalArgumentException if {@code from} is above {@code to}, or a key is empty
     */
    public Range<K, V> range(K from, boolean fromInclusive, K to, boolean toInclusive) {
        byte[] low = key(from);
        byte[] high = key(to);
        if (Arrays.compareUnsigned(low, high) > 0) {
            throw new IllegalArgumentException("a range from " + from + " to " + to + " is reversed");
        }
        return range(new KeyBounds(low, fromInclusive, high, toInclusive, false));
    }

    /**
     * The records from a key on.
     *
     * @throws IllegalArgumentException if the key is empty
     */
    public Range<K, V> from(K from, boolean inclusive) {
        return range(new KeyBounds(key(from), inclusive, KeyBounds.OPEN, false, false));
    }

    /**
     * The records up to a key.
     *
     * @throws IllegalArgumentException if the key is empty
     */
    public Range<K, V> to(K to, boolean inclusive) {
        return range(new KeyBounds(KeyBounds.OPEN, false, key(to), inclusive, false));
    }

    /**
     * The records whose keys' bytes begin with those of {@code prefix}.
     *
     * @throws IllegalArgumentException if the prefix is empty
     */
    public Range<K, V> prefix(K prefix) {
        return range(KeyBounds.startingWith(key(prefix)));
    }

    /**
     * The records whose first key columns have these values, in the order of the key columns of the table's schema.
     *
     * <pre>{@code
     * // "country varchar key, city varchar key, ..."
     * table.startingWith("FR").forEach((key, city) -> show(city));
     * }</pre>
     *
     * @param columns of the classes of the columns, such as {@code String} for varchar; as many as the key has columns,
     *     or fewer; none: all records
     * @throws IllegalArgumentException if there are more than key columns, or one is null or does not fit its column,
     *     which the message names
     */
    public Range<K, V> startingWith(Object... columns) {
        KeyEncoding encoding = KeyEncoding.of(schema());
        byte[] beginning = encoding.beginning(encoding.leading(columns));
        boolean isWhole = columns.length > 0 && columns.length == encoding.columns();
        return range(isWhole ? KeyBounds.of(beginning) : KeyBounds.startingWith(beginning));
    }

    /** All records, as {@link #range()}. */
    @Override
    public Range<K, V> scan() {
        return range();
    }

    /**
     * The query of the records that pass a filter, which the bricks evaluate.
     *
     * @throws IllegalArgumentException when the filter is too large
     */
    @Override
    public Range<K, V> scan(Filter filter) {
        return range().where(filter);
    }

    private Range<K, V> range(KeyBounds bounds) {
        return new Range<>(RangePlan.of(contexts.current(), bounds));
    }

    private byte[] key(K key) {
        return contexts.first().key(key);
    }

    // ---- neighbours

    /** The record of the lowest key; null when there is none. */
    public Map.@Nullable Entry<K, V> first() {
        return await(plan(KeyBounds.ALL));
    }

    /** As {@link #first}; the future ends with its result or failure. */
    public CompletableFuture<Map.@Nullable Entry<K, V>> firstAsync() {
        return published(plan(KeyBounds.ALL));
    }

    /** The record of the highest key; null when there is none. */
    public Map.@Nullable Entry<K, V> last() {
        return await(plan(KeyBounds.ALL.reversed()));
    }

    /** As {@link #last}; the future ends with its result or failure. */
    public CompletableFuture<Map.@Nullable Entry<K, V>> lastAsync() {
        return published(plan(KeyBounds.ALL.reversed()));
    }

    /** The record of the highest key not above this one; null when there is none. */
    public Map.@Nullable Entry<K, V> floor(K key) {
        return await(upTo(key, true));
    }

    /** As {@link #floor}; the future ends with its result or failure. */
    public CompletableFuture<Map.@Nullable Entry<K, V>> floorAsync(K key) {
        return published(upTo(key, true));
    }

    /** The record of the lowest key not below this one; null when there is none. */
    public Map.@Nullable Entry<K, V> ceiling(K key) {
        return await(startingAt(key, true));
    }

    /** As {@link #ceiling}; the future ends with its result or failure. */
    public CompletableFuture<Map.@Nullable Entry<K, V>> ceilingAsync(K key) {
        return published(startingAt(key, true));
    }

    /** The record of the highest key below this one; null when there is none. */
    public Map.@Nullable Entry<K, V> lower(K key) {
        return await(upTo(key, false));
    }

    /** As {@link #lower}; the future ends with its result or failure. */
    public CompletableFuture<Map.@Nullable Entry<K, V>> lowerAsync(K key) {
        return published(upTo(key, false));
    }

    /** The record of the lowest key above this one; null when there is none. */
    public Map.@Nullable Entry<K, V> higher(K key) {
        return await(startingAt(key, false));
    }

    /** As {@link #higher}; the future ends with its result or failure. */
    public CompletableFuture<Map.@Nullable Entry<K, V>> higherAsync(K key) {
        return published(startingAt(key, false));
    }

    private RangePlan<K, V> plan(KeyBounds bounds) {
        RangePlan<K, V> all = RangePlan.of(contexts.current(), bounds);
        return all.with(all.spec().withLimit(1));
    }

    private RangePlan<K, V> startingAt(K key, boolean inclusive) {
        return plan(new KeyBounds(key(key), inclusive, KeyBounds.OPEN, false, false));
    }

    private RangePlan<K, V> upTo(K key, boolean inclusive) {
        return plan(new KeyBounds(KeyBounds.OPEN, false, key(key), inclusive, false).reversed());
    }

    private Map.@Nullable Entry<K, V> await(RangePlan<K, V> plan) {
        plan.runtime().checkMayBlock();
        return ClientRuntime.await(plan.toListAsync(RangeTable::firstOrNull));
    }

    private CompletableFuture<Map.@Nullable Entry<K, V>> published(RangePlan<K, V> plan) {
        return plan.runtime().published(plan.toListAsync(RangeTable::firstOrNull));
    }

    private static <E> @Nullable E firstOrNull(List<E> found) {
        return found.isEmpty() ? null : found.get(0);
    }

    // ---- all of it

    /**
     * This table as a map in the order of its keys' bytes. This order need not be the natural order of the keys;
     * {@link java.util.SortedMap#comparator} returns it. Submaps, and the map in descending order, are views of the
     * table too. {@code pollFirstEntry} and {@code pollLastEntry} give each record to one caller. The methods of the
     * map that take a key throw {@link IllegalArgumentException} when the key is empty. In all else the map behaves as
     * {@link HashTable#asMap} does.
     */
    public ConcurrentNavigableMap<K, V> asMap() {
        return new RangeView<>(this, contexts, KeyBounds.ALL);
    }

    @Override
    CompletableFuture<Long> size(TableContext<K, V> context) {
        return RangePlan.of(context, KeyBounds.ALL).countAsync();
    }

    @Override
    CompletableFuture<Void> clear(TableContext<K, V> context) {
        return RangePlan.clear(context, KeyBounds.ALL);
    }
}
