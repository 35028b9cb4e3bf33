package io.sdds.client.internal.map;

import io.sdds.client.Cursor;
import io.sdds.client.Table;
import io.sdds.client.TimeoutException;
import io.sdds.client.Versioned;
import io.sdds.client.internal.TableContext;
import io.sdds.client.internal.TableContexts;
import io.sdds.client.internal.query.QueryPlan;
import io.sdds.client.internal.query.lang.Expression;
import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A table, or a part of a table, as a map. {@link io.sdds.client.HashTable#asMap} and
 * {@link io.sdds.client.RangeTable#asMap} are its contract.
 */
abstract class MapView<K, V> extends AbstractMap<K, V> implements ConcurrentMap<K, V> {

    /*
     * A map's write returns the value before. Such a write takes two requests: the first reads the record with its
     * version, and the second writes on the condition that the version is unchanged. No two values of a key share a
     * version, so both requests together are one atomic step. A caller that loses against another write tries again;
     * each such failure means that another write has succeeded.
     */
    private final Table<K, V> table;

    private final TableContexts<K, V> contexts;

    MapView(Table<K, V> table, TableContexts<K, V> contexts) {
        this.table = table;
        this.contexts = contexts;
    }

    /** The table on the loop that the calling thread uses. */
    final TableContext<K, V> context() {
        return contexts.current();
    }

    /** The query of all records of this map, in the order of the map if it has one. */
    abstract QueryPlan<K, V> records();

    /** The query of the records of this map that pass a filter. */
    abstract QueryPlan<K, V> records(Expression filter);

    /** The query of all records of this map with their versions. */
    abstract QueryPlan<K, Versioned<V>> versionedRecords();

    /** The query of the keys of this map. */
    abstract QueryPlan<K, Void> keysOnly();

    /** Whether a key can be in this map. */
    abstract boolean holds(K key);

    abstract long count();

    /** {@link Spliterator#ORDERED} when its records are in an order, else 0. */
    abstract int order();

    @Override
    public int size() {
        return (int) Math.min(count(), Integer.MAX_VALUE);
    }

    @Override
    public @Nullable V get(Object key) {
        K wanted = cast(key);
        return holds(wanted) ? table.get(wanted) : null;
    }

    @Override
    public boolean containsKey(Object key) {
        K wanted = cast(key);
        return holds(wanted) && table.timeToLive(wanted) != null; // which needs no value to travel
    }

    @Override
    public boolean containsValue(Object value) {
        return records(Expression.test("_value", "=", bytes(cast(value)))).count() > 0;
    }

    @Override
    public @Nullable V put(K key, V value) {
        checkValue(value);
        checkHolds(key);
        for (Tries tries = new Tries("put into"); ; tries.again()) {
            Versioned<V> before = table.getVersioned(key);
            if (before == null ? table.putIfAbsent(key, value) : replaces(key, value, before)) {
                return valueOf(before);
            }
        }
    }

    /**
     * Limits the attempts of a write that fails when other writes come between. The attempts end with this table's
     * timeout. Each write that came between has succeeded itself.
     */
    private final class Tries {
        private final String verb;
        private final long begunNanos = context().runtime().nowNanos();

        Tries(String verb) {
            this.verb = verb;
        }

        void again() {
            if (context().runtime().nowNanos() - begunNanos >= contexts.first().timeoutNanos()) {
                throw new TimeoutException(
                        verb + " table '" + table.name()
                                + "': other writes of the key came between until the deadline; not applied",
                        false);
            }
        }
    }

    private boolean replaces(K key, V value, Versioned<V> before) {
        return table.replaceIfVersion(key, value, before.version());
    }

    private static <V> @Nullable V valueOf(@Nullable Versioned<V> record) {
        return record == null ? null : record.value();
    }

    @Override
    public void putAll(Map<? extends K, ? extends V> records) {
        records.keySet().forEach(this::checkHolds);
        table.putAll(records);
    }

    @Override
    public @Nullable V putIfAbsent(K key, V value) {
        checkValue(value);
        checkHolds(key);
        for (Tries tries = new Tries("put if absent into"); ; tries.again()) {
            V before = table.get(key);
            if (before != null || table.putIfAbsent(key, value)) {
                return before;
            }
        }
    }

    @Override
    public @Nullable V replace(K key, V value) {
        checkValue(value);
        for (Tries tries = new Tries("replace in"); ; tries.again()) {
            Versioned<V> before = holds(key) ? table.getVersioned(key) : null;
            if (before == null || replaces(key, value, before)) {
                return valueOf(before);
            }
        }
    }

    @Override
    public boolean replace(K key, V expected, V value) {
        checkValue(expected);
        checkValue(value);
        return holds(key) && table.compareAndSet(key, expected, value);
    }

    @Override
    public @Nullable V remove(Object key) {
        K wanted = cast(key);
        Versioned<V> removed = removed(wanted, null);
        return removed == null ? null : removed.value();
    }

    @Override
    public boolean remove(Object key, @Nullable Object value) {
        K wanted = cast(key);
        return value != null && removed(wanted, cast(value)) != null;
    }

    /**
     * Removes the record of a key if it has the wanted value, or any value if {@code wanted} is null. Returns the
     * removed record, or null.
     */
    final @Nullable Versioned<V> removed(K key, @Nullable V wanted) {
        for (Tries tries = new Tries("remove from"); ; tries.again()) {
            Versioned<V> before = holds(key) ? table.getVersioned(key) : null;
            if (before == null || wanted != null && !isSame(before.value(), wanted)) {
                return null;
            }
            if (table.removeIfVersion(key, before.version())) {
                return before;
            }
        }
    }

    @Override
    public @Nullable V compute(K key, BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
        checkFunction(function);
        checkHolds(key);
        for (Tries tries = new Tries("compute in"); ; tries.again()) {
            Versioned<V> before = table.getVersioned(key);
            V after = function.apply(key, valueOf(before));
            if (isWritten(key, before, after)) {
                return after;
            }
        }
    }

    @Override
    public @Nullable V computeIfPresent(K key, BiFunction<? super K, ? super V, ? extends @Nullable V> function) {
        checkFunction(function);
        for (Tries tries = new Tries("compute in"); ; tries.again()) {
            Versioned<V> before = holds(key) ? table.getVersioned(key) : null;
            V after = before == null ? null : function.apply(key, before.value());
            if (isWritten(key, before, after)) {
                return after;
            }
        }
    }

    @Override
    public @Nullable V merge(K key, V value, BiFunction<? super V, ? super V, ? extends @Nullable V> function) {
        checkValue(value);
        checkFunction(function);
        checkHolds(key);
        for (Tries tries = new Tries("merge in"); ; tries.again()) {
            Versioned<V> before = table.getVersioned(key);
            V after = before == null ? value : function.apply(before.value(), value);
            if (isWritten(key, before, after)) {
                return after;
            }
        }
    }

    /**
     * Writes a function's result unless the record has changed since it was read. The version of the record decides, so
     * a function that changes the object it was given does no harm.
     */
    private boolean isWritten(K key, @Nullable Versioned<V> before, @Nullable V after) {
        if (before == null) {
            return after == null || table.putIfAbsent(key, after);
        }
        return after == null ? table.removeIfVersion(key, before.version()) : replaces(key, after, before);
    }

    @Override
    public void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
        checkFunction(function);
        for (Iterator<K> keys = keys(); keys.hasNext(); ) {
            computeIfPresent(keys.next(), (key, value) -> Objects.requireNonNull(function.apply(key, value)));
        }
    }

    private byte[] bytes(V value) {
        return contexts.first().values().encode(value);
    }

    private boolean isSame(V one, V other) {
        return Arrays.equals(bytes(one), bytes(other));
    }

    private void checkHolds(K key) {
        if (!holds(key)) {
            throw new IllegalArgumentException("key " + key + " is out of range");
        }
    }

    private static void checkValue(@Nullable Object value) {
        Objects.requireNonNull(value, "value");
    }

    /** Removes the records that meet a condition, but none that was written again since the condition was tested. */
    private boolean removeRecordsIf(Predicate<? super Map.Entry<K, V>> condition) {
        boolean removed = false;
        try (Cursor<K, Versioned<V>> records = versionedRecords().open()) {
            while (records.hasNext()) {
                Map.Entry<K, Versioned<V>> record = records.next();
                Versioned<V> seen = record.getValue();
                removed |= condition.test(new SimpleImmutableEntry<>(record.getKey(), seen.value()))
                        && table.removeIfVersion(record.getKey(), seen.version());
            }
        }
        return removed;
    }

    /** Refuses a missing function also when the map has no record to call it for, as the interface says. */
    private static void checkFunction(@Nullable Object function) {
        Objects.requireNonNull(function, "function");
    }

    /** Casts an object to the type of keys or values, as maps do. The codec refuses an object of another type. */
    @SuppressWarnings("unchecked")
    private static <T> T cast(@Nullable Object object) {
        return (T) Objects.requireNonNull(object);
    }

    @Override
    public Set<K> keySet() {
        return new Keys();
    }

    @Override
    public Set<Map.Entry<K, V>> entrySet() {
        return new Entries();
    }

    @Override
    public Collection<V> values() {
        return new Values();
    }

    final Iterator<K> keys() {
        return new Walk<>(keysOnly().open(), Map.Entry::getKey);
    }

    /**
     * An iterator over a cursor's entries, each converted by a function. It can remove the record that it gave last.
     */
    private final class Walk<X, E> implements Iterator<E> {
        private final Cursor<K, X> cursor;
        private final Function<Map.Entry<K, X>, E> made;
        private @Nullable K last;

        Walk(Cursor<K, X> cursor, Function<Map.Entry<K, X>, E> made) {
            this.cursor = cursor;
            this.made = made;
        }

        @Override
        public boolean hasNext() {
            return cursor.hasNext();
        }

        @Override
        public E next() {
            Map.Entry<K, X> entry = cursor.next();
            last = entry.getKey();
            return made.apply(entry);
        }

        @Override
        public void remove() {
            K key = last;
            if (key == null) {
                throw new IllegalStateException("nothing to remove: next was not called since");
            }
            table.remove(key);
            last = null;
        }
    }

    private final class Keys extends AbstractSet<K> {
        @Override
        public Iterator<K> iterator() {
            return keys();
        }

        @Override
        public Spliterator<K> spliterator() {
            return Spliterators.spliteratorUnknownSize(iterator(), SET);
        }

        @Override
        public int size() {
            return MapView.this.size();
        }

        @Override
        public boolean isEmpty() {
            return MapView.this.isEmpty();
        }

        @Override
        public boolean contains(Object key) {
            return containsKey(key);
        }

        @Override
        public boolean remove(Object key) {
            return MapView.this.remove(key) != null;
        }

        @Override
        public void clear() {
            MapView.this.clear();
        }
    }

    /** The values of this map. Spliterators do not know a size beforehand, because other clients write meanwhile. */
    private final class Values extends AbstractCollection<V> {
        @Override
        public Iterator<V> iterator() {
            return new Walk<>(records().open(), Map.Entry::getValue);
        }

        @Override
        public Spliterator<V> spliterator() {
            return Spliterators.spliteratorUnknownSize(
                    iterator(), Spliterator.CONCURRENT | Spliterator.NONNULL | order());
        }

        @Override
        public int size() {
            return MapView.this.size();
        }

        @Override
        public boolean isEmpty() {
            return MapView.this.isEmpty();
        }

        @Override
        public boolean contains(Object value) {
            return containsValue(value);
        }

        @Override
        public boolean removeIf(Predicate<? super V> condition) {
            checkFunction(condition);
            return removeRecordsIf(record -> condition.test(record.getValue()));
        }

        @Override
        public void clear() {
            MapView.this.clear();
        }
    }

    private final class Entries extends AbstractSet<Map.Entry<K, V>> {
        @Override
        public Iterator<Map.Entry<K, V>> iterator() {
            return new Walk<>(records().open(), entry -> entry);
        }

        @Override
        public Spliterator<Map.Entry<K, V>> spliterator() {
            return Spliterators.spliteratorUnknownSize(iterator(), SET | order());
        }

        @Override
        public int size() {
            return MapView.this.size();
        }

        @Override
        public boolean isEmpty() {
            return MapView.this.isEmpty();
        }

        @Override
        public boolean contains(Object object) {
            if (!(object instanceof Map.Entry<?, ?> entry) || entry.getKey() == null || entry.getValue() == null) {
                return false;
            }
            V value = MapView.this.get(entry.getKey());
            return value != null && isSame(value, cast(entry.getValue()));
        }

        @Override
        public boolean remove(Object object) {
            return object instanceof Map.Entry<?, ?> entry
                    && entry.getKey() != null
                    && MapView.this.remove(entry.getKey(), entry.getValue());
        }

        @Override
        public boolean removeIf(Predicate<? super Map.Entry<K, V>> condition) {
            checkFunction(condition);
            return removeRecordsIf(condition);
        }

        @Override
        public void clear() {
            MapView.this.clear();
        }
    }

    static final int SET = Spliterator.DISTINCT | Spliterator.CONCURRENT | Spliterator.NONNULL;
}
