package io.sdds.coordinator.state;

import io.sdds.coordinator.state.ClusterSnapshot.DroppedTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The tables that were dropped since a map version. The last {@link StateLimits#DROPPED_KEPT_MAX} tables are kept with
 * their versions. A node with an older map gets every table number that was ever given and is no table now.
 */
final class DroppedTables {
    private final ArrayDeque<DroppedTable> kept = new ArrayDeque<>();
    private long horizon;

    void add(int id, long version) {
        kept.addLast(new DroppedTable(id, version));
        if (kept.size() > StateLimits.DROPPED_KEPT_MAX) {
            horizon = kept.removeFirst().version();
        }
    }

    /** @param existing numbers of the existing tables, ascending */
    List<Integer> since(long version, int tableNext, Collection<Integer> existing) {
        if (version == 0) {
            return List.of(); // a node without a map knows no table
        }
        return version < horizon ? allBut(existing, tableNext) : keptSince(version);
    }

    private List<Integer> keptSince(long version) {
        List<Integer> ids = new ArrayList<>();
        for (DroppedTable table : kept) {
            if (table.version() > version) {
                ids.add(table.id());
            }
        }
        return ids;
    }

    private static List<Integer> allBut(Collection<Integer> existing, int tableNext) {
        List<Integer> ids = new ArrayList<>();
        int from = 1;
        for (int id : existing) {
            addRange(ids, from, id);
            from = id + 1;
        }
        addRange(ids, from, tableNext);
        return ids;
    }

    private static void addRange(List<Integer> ids, int from, int end) {
        for (int id = from; id < end; id++) {
            ids.add(id);
        }
    }

    long horizon() {
        return horizon;
    }

    List<DroppedTable> list() {
        return List.copyOf(kept);
    }

    void restore(List<DroppedTable> list, long restoredHorizon) {
        kept.clear();
        kept.addAll(list);
        horizon = restoredHorizon;
    }
}
