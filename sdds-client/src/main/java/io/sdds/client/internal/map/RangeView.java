package io.sdds.client.internal.map;

import io.sdds.client.RangeTable;
import io.sdds.client.Versioned;
import io.sdds.client.internal.ClientRuntime;
import io.sdds.client.internal.TableContext;
import io.sdds.client.internal.TableContexts;
import io.sdds.client.internal.query.QueryPlan;
import io.sdds.client.internal.query.RangePlan;
import io.sdds.client.internal.query.lang.Expression;
import io.sdds.client.internal.routing.KeyBounds;
import java.util.AbstractMap;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.concurrent.ConcurrentNavigableMap;
import org.jspecify.annotations.Nullable;

/** A range table, or a range of a range table, as a map in ascending or descending order of its keys' bytes. */
public final class RangeView<K, V> extends MapView<K, V> implements ConcurrentNavigableMap<K, V> {
    private final RangeTable<K, V> table;
    private final TableContexts<K, V> contexts;

    /** The keys of this map, in the direction of the map. */
    private final KeyBounds bounds;

    /** @param bounds the keys of the map, in its direction */
    public RangeView(RangeTable<K, V> table, TableContexts<K, V> contexts, KeyBounds bounds) {
        super(table, contexts);
        this.table = table;
        this.contexts = contexts;
        this.bounds = bounds;
    }

    private RangePlan<K, V> plan(KeyBounds range) {
        return RangePlan.of(context(), range);
    }

    @Override
    QueryPlan<K, V> records() {
        return plan(bounds);
    }

    @Override
    QueryPlan<K, V> records(Expression filter) {
        RangePlan<K, V> all = plan(bounds);
        return all.with(all.spec().withFilter(filter));
    }

    @Override
    QueryPlan<K, Versioned<V>> versionedRecords() {
        RangePlan<K, V> all = plan(bounds);
        return all.with(all.spec().versioned());
    }

    @Override
    QueryPlan<K, Void> keysOnly() {
        RangePlan<K, V> all = plan(bounds);
        return all.with(all.spec().keysOnly());
    }

    private byte[] bytes(K key) {
        return contexts.first().key(key);
    }

    @Override
    boolean holds(K key) {
        return bounds.holds(bytes(key));
    }

    @Override
    long count() {
        return bounds.isEmpty() ? 0 : plan(bounds).count();
    }

    @Override
    int order() {
        return Spliterator.ORDERED;
    }

    @Override
    public boolean isEmpty() {
        return key(bounds) == null;
    }

    @Override
    public void clear() {
        if (!bounds.isEmpty()) {
            TableContext<K, V> context = context();
            context.runtime().checkMayBlock();
            ClientRuntime.await(RangePlan.clear(context, bounds));
        }
    }

    @Override
    public Comparator<? super K> comparator() {
        return this::order;
    }

    private int order(K one, K other) {
        return order(bytes(one), bytes(other));
    }

    private int order(byte[] one, byte[] other) {
        return bounds.descending() ? Arrays.compareUnsigned(other, one) : Arrays.compareUnsigned(one, other);
    }

    // ---- neighbours

    /** The first record of a range; null when it has none. */
    private Map.@Nullable Entry<K, V> entry(KeyBounds range) {
        return range.isEmpty() ? null : first(plan(range));
    }

    private @Nullable K key(KeyBounds range) {
        if (range.isEmpty()) {
            return null;
        }
        RangePlan<K, V> all = plan(range);
        Map.Entry<K, Void> first = first(all.with(all.spec().keysOnly()));
        return first == null ? null : first.getKey();
    }

    private static <K, X> Map.@Nullable Entry<K, X> first(RangePlan<K, X> range) {
        range.runtime().checkMayBlock();
        List<Map.Entry<K, X>> found =
                ClientRuntime.await(range.with(range.spec().withLimit(1)).toListAsync(all -> all));
        return found.isEmpty() ? null : found.get(0);
    }

    /** The part of a range from a key on, in the direction of the range. */
    private KeyBounds from(KeyBounds range, K key, boolean inclusive) {
        byte[] bytes = bytes(key);
        int behind = range.from().length == 0 ? 1 : Arrays.compareUnsigned(bytes, range.from());
        if (range.descending() && range.from().length > 0) {
            behind = -behind;
        }
        if (behind < 0) {
            return range;
        }
        boolean included = inclusive && (behind > 0 || range.fromInclusive());
        return new KeyBounds(bytes, included, range.to(), range.toInclusive(), range.descending());
    }

    @Override
    public Map.@Nullable Entry<K, V> firstEntry() {
        return entry(bounds);
    }

    @Override
    public Map.@Nullable Entry<K, V> lastEntry() {
        return entry(bounds.reversed());
    }

    @Override
    public Map.@Nullable Entry<K, V> lowerEntry(K key) {
        return entry(from(bounds.reversed(), key, false));
    }

    @Override
    public Map.@Nullable Entry<K, V> floorEntry(K key) {
        return entry(from(bounds.reversed(), key, true));
    }

    @Override
    public Map.@Nullable Entry<K, V> ceilingEntry(K key) {
        return entry(from(bounds, key, true));
    }

    @Override
    public Map.@Nullable Entry<K, V> higherEntry(K key) {
        return entry(from(bounds, key, false));
    }

    @Override
    public K firstKey() {
        return present(key(bounds));
    }

    @Override
    public K lastKey() {
        return present(key(bounds.reversed()));
    }

    private static <K> K present(@Nullable K key) {
        if (key == null) {
            throw new NoSuchElementException("no record in this range");
        }
        return key;
    }

    @Override
    public @Nullable K lowerKey(K key) {
        return key(from(bounds.reversed(), key, false));
    }

    @Override
    public @Nullable K floorKey(K key) {
        return key(from(bounds.reversed(), key, true));
    }

    @Override
    public @Nullable K ceilingKey(K key) {
        return key(from(bounds, key, true));
    }

    @Override
    public @Nullable K higherKey(K key) {
        return key(from(bounds, key, false));
    }

    @Override
    public Map.@Nullable Entry<K, V> pollFirstEntry() {
        return poll(bounds);
    }

    @Override
    public Map.@Nullable Entry<K, V> pollLastEntry() {
        return poll(bounds.reversed());
    }

    /**
     * Removes the first record of a range and returns it; null if the range is empty. If another caller removes the
     * record first, this method continues with the next record.
     */
    private Map.@Nullable Entry<K, V> poll(KeyBounds range) {
        while (true) {
            K key = key(range);
            if (key == null) {
                return null;
            }
            Versioned<V> removed = removed(key, null);
            if (removed != null) {
                return new AbstractMap.SimpleImmutableEntry<>(key, removed.value());
            }
        }
    }

    // ---- parts

    @Override
    public RangeView<K, V> subMap(K from, boolean fromInclusive, K to, boolean toInclusive) {
        return part(end(from), fromInclusive, end(to), toInclusive);
    }

    @Override
    public RangeView<K, V> headMap(K to, boolean inclusive) {
        return part(KeyBounds.OPEN, false, end(to), inclusive);
    }

    @Override
    public RangeView<K, V> tailMap(K from, boolean inclusive) {
        return part(end(from), inclusive, KeyBounds.OPEN, false);
    }

    @Override
    public RangeView<K, V> subMap(K from, K to) {
        return subMap(from, true, to, false);
    }

    @Override
    public RangeView<K, V> headMap(K to) {
        return headMap(to, false);
    }

    @Override
    public RangeView<K, V> tailMap(K from) {
        return tailMap(from, true);
    }

    private byte[] end(K key) {
        return bytes(key);
    }

    /** A part of this map. An open end of the part is the end of this map. */
    private RangeView<K, V> part(byte[] from, boolean fromInclusive, byte[] to, boolean toInclusive) {
        checkInside(from, fromInclusive);
        checkInside(to, toInclusive);
        if (from.length > 0 && to.length > 0 && order(from, to) > 0) {
            throw new IllegalArgumentException("the range ends before it begins");
        }
        boolean openFrom = from.length == 0;
        boolean openTo = to.length == 0;
        return new RangeView<>(
                table,
                contexts,
                new KeyBounds(
                        openFrom ? bounds.from() : from,
                        openFrom ? bounds.fromInclusive() : fromInclusive,
                        openTo ? bounds.to() : to,
                        openTo ? bounds.toInclusive() : toInclusive,
                        bounds.descending()));
    }

    /**
     * Checks that an end of a part lies inside this map. An included end may be an end of this map only if this map
     * includes it.
     */
    private void checkInside(byte[] end, boolean included) {
        if (end.length == 0) {
            return;
        }
        int behindFrom = bounds.from().length == 0 ? 1 : order(end, bounds.from());
        int beforeTo = bounds.to().length == 0 ? 1 : order(bounds.to(), end);
        if (behindFrom < 0
                || beforeTo < 0
                || included && behindFrom == 0 && !bounds.fromInclusive()
                || included && beforeTo == 0 && !bounds.toInclusive()) {
            throw new IllegalArgumentException("an end of the range is outside of the map, which is " + bounds);
        }
    }

    @Override
    public RangeView<K, V> descendingMap() {
        return new RangeView<>(table, contexts, bounds.reversed());
    }

    @Override
    public NavigableSet<K> keySet() {
        return navigableKeySet();
    }

    @Override
    public NavigableSet<K> navigableKeySet() {
        return new KeySetView<>(this);
    }

    @Override
    public NavigableSet<K> descendingKeySet() {
        return descendingMap().navigableKeySet();
    }
}
