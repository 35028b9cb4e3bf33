package io.sdds.coordinator.state;

import io.sdds.coordinator.state.ClusterSnapshot.LostHolder;
import io.sdds.core.model.BrickInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Processes that were the last to hold partitions that are lost, and that are not known to have ended. Such a process
 * may still run and serve: a sole member of a group needs no lease.
 */
final class LostHolders {
    /** By table and partition. */
    private final TreeMap<Long, BrickInfo> holders = new TreeMap<>();

    /** A partition is lost with a process that may still run. */
    void lost(int table, int partition, BrickInfo holder) {
        holders.put(Cluster.key(table, partition), holder);
    }

    /** A process has ended. */
    void ended(int brick, long incarnation) {
        holders.values().removeIf(holder -> holder.number() == brick && holder.incarnation() == incarnation);
    }

    /** Whether it matters that this process has ended. */
    boolean contains(int brick, long incarnation) {
        return holders.values().stream()
                .anyMatch(holder -> holder.number() == brick && holder.incarnation() == incarnation);
    }

    /** A partition is not lost any more, or was lost with a process that has ended. */
    void forget(int table, int partition) {
        holders.remove(Cluster.key(table, partition));
    }

    void forgetTable(int table) {
        holders.subMap(Cluster.key(table, 0), Cluster.key(table + 1, 0)).clear();
    }

    /** Those of the lost partitions of a table, each once. */
    List<BrickInfo> of(Table table) {
        List<BrickInfo> found = new ArrayList<>();
        for (int partition = 0; partition < table.partitions(); partition++) {
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
