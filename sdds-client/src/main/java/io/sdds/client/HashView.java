package io.sdds.client;

import io.sdds.core.protocol.Filter;

/** A hash table as a map. */
final class HashView<K, V> extends MapView<K, V> {
    private final HashTable<K, V> table;

    HashView(HashTable<K, V> table) {
        super(table);
        this.table = table;
    }

    @Override
    Query<K, V> records(Filter filter) {
        return table.scan(filter);
    }

    @Override
    Query<K, Void> keysOnly() {
        return table.scan().keysOnly();
    }

    @Override
    boolean holds(K key) {
        return true;
    }

    @Override
    long records() {
        return table.size();
    }

    @Override
    int order() {
        return 0;
    }

    @Override
    public void clear() {
        table.clear();
    }
}
