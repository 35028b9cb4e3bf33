package io.sdds.client.internal.map;

import java.util.AbstractSet;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Spliterator;
import java.util.Spliterators;
import org.jspecify.annotations.Nullable;

/** The keys of a range table, or of a range of a range table, as a set. */
final class KeySetView<K> extends AbstractSet<K> implements NavigableSet<K> {
    private final RangeView<K, ?> map;

    KeySetView(RangeView<K, ?> map) {
        this.map = map;
    }

    @Override
    public Iterator<K> iterator() {
        return map.keys();
    }

    @Override
    public Iterator<K> descendingIterator() {
        return map.descendingMap().keys();
    }

    @Override
    public Spliterator<K> spliterator() {
        return Spliterators.spliteratorUnknownSize(iterator(), MapView.SET | Spliterator.ORDERED);
    }

    @Override
    public int size() {
        return map.size();
    }

    @Override
    public boolean isEmpty() {
        return map.isEmpty();
    }

    @Override
    public boolean contains(Object key) {
        return map.containsKey(key);
    }

    @Override
    public boolean remove(Object key) {
        return map.remove(key) != null;
    }

    @Override
    public void clear() {
        map.clear();
    }

    @Override
    public Comparator<? super K> comparator() {
        return map.comparator();
    }

    @Override
    public K first() {
        return map.firstKey();
    }

    @Override
    public K last() {
        return map.lastKey();
    }

    @Override
    public @Nullable K lower(K key) {
        return map.lowerKey(key);
    }

    @Override
    public @Nullable K floor(K key) {
        return map.floorKey(key);
    }

    @Override
    public @Nullable K ceiling(K key) {
        return map.ceilingKey(key);
    }

    @Override
    public @Nullable K higher(K key) {
        return map.higherKey(key);
    }

    @Override
    public @Nullable K pollFirst() {
        return key(map.pollFirstEntry());
    }

    @Override
    public @Nullable K pollLast() {
        return key(map.pollLastEntry());
    }

    private static <K> @Nullable K key(Map.@Nullable Entry<K, ?> entry) {
        return entry == null ? null : entry.getKey();
    }

    @Override
    public NavigableSet<K> descendingSet() {
        return map.descendingKeySet();
    }

    @Override
    public NavigableSet<K> subSet(K from, boolean fromInclusive, K to, boolean toInclusive) {
        return map.subMap(from, fromInclusive, to, toInclusive).navigableKeySet();
    }

    @Override
    public NavigableSet<K> headSet(K to, boolean inclusive) {
        return map.headMap(to, inclusive).navigableKeySet();
    }

    @Override
    public NavigableSet<K> tailSet(K from, boolean inclusive) {
        return map.tailMap(from, inclusive).navigableKeySet();
    }

    @Override
    public NavigableSet<K> subSet(K from, K to) {
        return subSet(from, true, to, false);
    }

    @Override
    public NavigableSet<K> headSet(K to) {
        return headSet(to, false);
    }

    @Override
    public NavigableSet<K> tailSet(K from) {
        return tailSet(from, true);
    }
}
