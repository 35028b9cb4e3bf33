package io.sdds.client.internal.map;

import io.sdds.client.HashTable;
import io.sdds.client.Versioned;
import io.sdds.client.internal.TableContexts;
import io.sdds.client.internal.query.QueryPlan;
import io.sdds.client.internal.query.QuerySpec;
import io.sdds.client.internal.query.ScanPlan;
import io.sdds.client.internal.query.lang.Expression;

/** A hash table as a map. */
public final class HashView<K, V> extends MapView<K, V> {
    private final HashTable<K, V> table;

    public HashView(HashTable<K, V> table, TableContexts<K, V> contexts) {
        super(table, contexts);
        this.table = table;
    }

    @Override
    QueryPlan<K, V> records() {
        return new ScanPlan<>(QuerySpec.all(context()));
    }

    @Override
    QueryPlan<K, V> records(Expression filter) {
        return new ScanPlan<>(QuerySpec.all(context()).withFilter(filter));
    }

    @Override
    QueryPlan<K, Versioned<V>> versionedRecords() {
        return new ScanPlan<>(QuerySpec.all(context()).versioned());
    }

    @Override
    QueryPlan<K, Void> keysOnly() {
        return new ScanPlan<>(QuerySpec.all(context()).keysOnly());
    }

    @Override
    boolean holds(K key) {
        return true;
    }

    @Override
    long count() {
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
