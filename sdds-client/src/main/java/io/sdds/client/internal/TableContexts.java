package io.sdds.client.internal;

import io.sdds.client.Codec;
import io.sdds.client.internal.routing.RoutedTable;
import java.util.ArrayList;
import java.util.List;

/** A table on all event loops of the client. */
public final class TableContexts<K, V> {
    private final ClientLoops loops;
    private final List<TableContext<K, V>> contexts = new ArrayList<>();

    /** The context of a client that has one loop, as most have. */
    private final TableContext<K, V> first;

    private final boolean alone;

    /** @param tables one for each loop, in their order */
    public TableContexts(
            ClientLoops loops, List<RoutedTable> tables, Codec<K> keys, Codec<V> values, long timeoutNanos) {
        this.loops = loops;
        for (int k = 0; k < tables.size(); k++) {
            contexts.add(new TableContext<>(loops.get(k), tables.get(k), keys, values, timeoutNanos));
        }
        this.first = contexts.get(0);
        this.alone = tables.size() == 1;
    }

    /** The table on the loop that the calling thread uses. */
    public TableContext<K, V> current() {
        return alone ? first : contexts.get(loops.current());
    }

    /** The table on the first loop, for what is the same on all. */
    public TableContext<K, V> first() {
        return first;
    }
}
