package io.sdds.client;

import io.sdds.client.internal.routing.KeyBounds;
import io.sdds.client.internal.routing.RangeSweep;
import io.sdds.client.internal.routing.RoutedTable;
import io.sdds.core.protocol.Filter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentNavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * A range table of a cluster: its records are in the order of their keys' bytes, unsigned, and each partition has a span of keys (RP*). What is asked about one key
 * is as in a {@link HashTable}.
 */
public final class RangeTable<K, V> extends Table<K, V> {
    RangeTable(Shell shell, RoutedTable table, Codec<K> keys, Codec<V> values, long timeoutNanos) {
        super(shell, table, keys, values, timeoutNanos);
    }

    // ---- ranges

    /** All records. */
    public Range<K, V> range() {
        return range(KeyBounds.ALL);
    }

    /**
     * The records from one key to another, both included.
     *
     * @throws IllegalArgumentException if {@code from} is above {@code to}
     */
    public Range<K, V> range(K from, K to) {
        return range(from, true, to, true);
    }

    /**
     * The records between two keys.
     *
     * @throws IllegalArgumentException if {@code from} is above {@code to}
     */
    public Range<K, V> range(K from, boolean fromInclusive, K to, boolean toInclusive) {
        byte[] low = key(from);
        byte[] high = key(to);
        if (Arrays.compareUnsigned(low, high) > 0) {
            throw new IllegalArgumentException("a range from " + from + " to " + to + " is reversed");
        }
        return range(new KeyBounds(low, fromInclusive, high, toInclusive, false));
    }

    /** The records from a key on. */
    public Range<K, V> from(K from, boolean inclusive) {
        return range(new KeyBounds(key(from), inclusive, KeyBounds.OPEN, false, false));
    }

    /** The records up to a key. */
    public Range<K, V> to(K to, boolean inclusive) {
        return range(new KeyBounds(KeyBounds.OPEN, false, key(to), inclusive, false));
    }

    /** The records whose keys' bytes begin with those of {@code prefix}. */
    public Range<K, V> prefix(K prefix) {
        byte[] low = key(prefix);
        return range(new KeyBounds(low, true, above(low), false, false));
    }

    /** The lowest key above all those that begin with a prefix; empty when there is none. */
    private static byte[] above(byte[] prefix) {
        int length = prefix.length;
        while (length > 0 && prefix[length - 1] == (byte) 0xff) {
            length--;
        }
        byte[] above = Arrays.copyOf(prefix, length);
        if (length > 0) {
            above[length - 1]++;
        }
        return above;
    }

    /** All records, as {@link #range()}. */
    @Override
    public Range<K, V> scan() {
        return range();
    }

    @Override
    public Range<K, V> scan(Filter filter) {
        return range().where(filter);
    }

    Range<K, V> range(KeyBounds bounds) {
        return new Range<>(shell, table, keys, values, timeoutNanos, bounds);
    }

    // ---- neighbours

    /** The record of the lowest key; null when there is none. */
    public Map.@Nullable Entry<K, V> first() {
        return blocking(firstAsync());
    }

    public CompletableFuture<Map.@Nullable Entry<K, V>> firstAsync() {
        return firstOf(range());
    }

    /** The record of the highest key; null when there is none. */
    public Map.@Nullable Entry<K, V> last() {
        return blocking(lastAsync());
    }

    public CompletableFuture<Map.@Nullable Entry<K, V>> lastAsync() {
        return firstOf(range().descending());
    }

    /** The record of the highest key not above this one; null when there is none. */
    public Map.@Nullable Entry<K, V> floor(K key) {
        return blocking(floorAsync(key));
    }

    public CompletableFuture<Map.@Nullable Entry<K, V>> floorAsync(K key) {
        return firstOf(to(key, true).descending());
    }

    /** The record of the lowest key not below this one; null when there is none. */
    public Map.@Nullable Entry<K, V> ceiling(K key) {
        return blocking(ceilingAsync(key));
    }

    public CompletableFuture<Map.@Nullable Entry<K, V>> ceilingAsync(K key) {
        return firstOf(from(key, true));
    }

    /** The record of the highest key below this one; null when there is none. */
    public Map.@Nullable Entry<K, V> lower(K key) {
        return blocking(lowerAsync(key));
    }

    public CompletableFuture<Map.@Nullable Entry<K, V>> lowerAsync(K key) {
        return firstOf(to(key, false).descending());
    }

    /** The record of the lowest key above this one; null when there is none. */
    public Map.@Nullable Entry<K, V> higher(K key) {
        return blocking(higherAsync(key));
    }

    public CompletableFuture<Map.@Nullable Entry<K, V>> higherAsync(K key) {
        return firstOf(from(key, false));
    }

    private CompletableFuture<Map.@Nullable Entry<K, V>> firstOf(Range<K, V> range) {
        return range.limit(1).toListAsync(RangeTable::firstOrNull);
    }

    private static <E> @Nullable E firstOrNull(List<E> found) {
        return found.isEmpty() ? null : found.get(0);
    }

    private <T> @Nullable T blocking(CompletableFuture<@Nullable T> future) {
        shell.checkMayBlock();
        return Shell.await(future);
    }

    // ---- all of it

    /**
     * This table as a map in the order of its keys' bytes, which need not be the natural one of the keys: {@link java.util.SortedMap#comparator} tells it. Its parts and
     * the map against the order are views of the table, too. As {@link HashTable#asMap} in all else; {@code pollFirstEntry} and {@code pollLastEntry} give
     * each record to one caller.
     *
     * @throws IllegalArgumentException from its methods that take a key, when the key is empty or too long for a table
     */
    public ConcurrentNavigableMap<K, V> asMap() {
        return new RangeView<>(this, KeyBounds.ALL);
    }

    @Override
    public CompletableFuture<Long> sizeAsync() {
        return range().countAsync();
    }

    @Override
    public CompletableFuture<Void> clearAsync() {
        return clearAsync(KeyBounds.ALL);
    }

    /** Removes the records of a range, in either direction. */
    void clear(KeyBounds bounds) {
        shell.checkMayBlock();
        Shell.await(clearAsync(bounds.descending() ? bounds.reversed() : bounds));
    }

    private CompletableFuture<Void> clearAsync(KeyBounds bounds) {
        return Tally.of(
                shell,
                timeoutNanos,
                sink -> new RangeSweep(table, Tally.CLEAR_RANGE, bounds, Long.MAX_VALUE, timeoutNanos, sink),
                nothing -> null);
    }
}
