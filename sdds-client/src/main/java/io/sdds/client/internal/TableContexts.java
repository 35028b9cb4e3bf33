package io.sdds.client.internal;

import io.sdds.client.Codec;
import io.sdds.client.internal.query.UpdatePrograms;
import io.sdds.client.internal.routing.RoutedTable;
import java.util.ArrayList;
import java.util.List;

/** A table on all event loops of the client. */
public final class TableContexts<K, V> {
    private final ClientLoops loops;
    private final List<TableContext<K, V>> contexts = new ArrayList<>();

    /** The context on the first loop, which is the only loop of most clients. */
    private final TableContext<K, V> first;

    private final boolean alone;

    /**
     * @param tables the table on each loop, in the order of the loops
     * @throws IllegalArgumentException if a codec does not fit the schema of the table
     */
    public TableContexts(
            ClientLoops loops, List<RoutedTable> tables, Codec<K> keys, Codec<V> values, long timeoutNanos) {
        this.loops = loops;
        UpdatePrograms updates = new UpdatePrograms();
        for (int k = 0; k < tables.size(); k++) {
            RoutedTable table = tables.get(k);
            contexts.add(new TableContext<>(
                    loops.get(k),
                    table,
                    BoundCodec.ofKeys(table, keys),
                    BoundCodec.ofValues(table, values),
                    updates,
                    timeoutNanos));
        }
        this.first = contexts.get(0);
        this.alone = tables.size() == 1;
    }

    /** The table on the loop that the calling thread uses. */
    public TableContext<K, V> current() {
        return alone ? first : contexts.get(loops.current());
    }

    /** The table on the first loop, for properties that are the same on all loops. */
    public TableContext<K, V> first() {
        return first;
    }
}
