package io.sdds.client.internal.query;

import io.sdds.client.QueryException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The first rows in an order, at most a number of them: merges the rows of the parts of a table. */
final class SortedRows {
    private final Comparator<List<byte @Nullable []>> order;
    private final long limit;
    private final MemoryBound memory;

    /** The rows that are kept, the last one in the order first. */
    private final PriorityQueue<List<byte @Nullable []>> kept;

    SortedRows(Comparator<List<byte @Nullable []>> order, long limit, MemoryBound memory) {
        this.order = order;
        this.limit = limit;
        this.memory = memory;
        this.kept = new PriorityQueue<>(order.reversed());
    }

    /** @throws QueryException when the rows need too much memory */
    void add(List<byte @Nullable []> tuple) {
        if (kept.size() == limit) {
            List<byte @Nullable []> last = kept.peek();
            if (last == null || order.compare(tuple, last) >= 0) {
                return;
            }
            memory.remove(last);
            kept.poll();
        }
        memory.add(tuple);
        kept.add(tuple);
    }

    /** The last row that is kept, if there are as many as the limit: rows that are not before it are thrown away. */
    @Nullable
    List<byte @Nullable []> bound() {
        return kept.size() == limit ? kept.peek() : null;
    }

    /** The rows in order. */
    List<List<byte @Nullable []>> tuples() {
        List<List<byte @Nullable []>> sorted = new ArrayList<>(kept);
        sorted.sort(order);
        return sorted;
    }
}
