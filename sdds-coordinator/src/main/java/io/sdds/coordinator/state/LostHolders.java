package io.sdds.coordinator.state;

import io.sdds.coordinator.state.ClusterSnapshot.LostHolder;
import io.sdds.core.model.BrickInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The last processes that held lost partitions, unless they are known to have ended. Such a process may still run and
 * serve, because the only member of a group needs no lease.
 */
final class LostHolders {
    /** The last process of each lost partition, by table and partition. */
    private final TreeMap<Long, BrickInfo> holders = new TreeMap<>();

    /** A partition is lost. Its last process may still run. */
    void lost(int table, int partition, BrickInfo holder) {
        holders.put(Cluster.key(table, partition), holder);
    }

    /** A process has ended. */
    void ended(int brick, long incarnation) {
        holders.values().removeIf(holder -> holder.number() == brick && holder.incarnation() == incarnation);
    }

    /** Whether a process is a last holder of a lost partition. */
    boolean contains(int brick, long incarnation) {
        return holders.values().stream()
                .anyMatch(holder -> holder.number() == brick && holder.incarnation() == incarnation);
    }

    /** Forgets the last process of a partition that is not lost any more, or whose process has ended. */
    void forget(int table, int partition) {
        holders.remove(Cluster.key(table, partition));
    }

    void forgetTable(int table) {
        holders.subMap(Cluster.key(table, 0), Cluster.key(table + 1, 0)).clear();
    }

    /** The last processes of the lost partitions of a table, each once. */
    List<BrickInfo> of(Table table) {
        List<BrickInfo> found = new ArrayList<>();
        for (int partition = 0; partition < table.columns(); partition++) {
            BrickInfo holder = holders.get(Cluster.key(table.definition().id(), partition));
            if (holder != null && table.place(partition).lost() && !found.contains(holder)) {
                found.add(holder);
            }
        }
        return found;
    }

    List<LostHolder> list() {
        List<LostHolder> list = new ArrayList<>();
        holders.forEach((key, holder) -> list.add(new LostHolder((int) (key >> Integer.SIZE), key.intValue(), holder)));
        return list;
    }

    void restore(List<LostHolder> list) {
        holders.clear();
        list.forEach(each -> lost(each.table(), each.partition(), each.holder()));
    }
}
