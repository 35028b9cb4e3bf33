package io.sdds.coordinator.state;

import io.sdds.coordinator.state.Command.BeginMigration;
import io.sdds.coordinator.state.Command.Host;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.Place;
import java.util.List;

/** Commands of migrations that fit the present state. Values that a test does not name are taken from the state. */
public final class Begin {
    private Begin() {}

    private static long epoch(ClusterState state, int table, int partition) {
        return state.exists(table, partition) ? state.place(table, partition).epoch() : Place.FIRST_EPOCH;
    }

    /** @param partitions M after all splits have committed */
    public static BeginMigration split(ClusterState state, int table, int partitions, int brick, long incarnation) {
        long epoch = epoch(state, table, LinearHashing.splitPointer(Math.max(1, partitions)));
        return BeginMigration.split(table, partitions, epoch, List.of(new Host(brick, incarnation)));
    }

    static BeginMigration rangeSplit(
            ClusterState state, int table, int parent, KeySpan span, int brick, long incarnation) {
        List<Host> target = List.of(new Host(brick, incarnation));
        return rangeSplit(state, table, parent, span, epoch(state, table, parent), target);
    }

    static BeginMigration rangeSplit(
            ClusterState state, int table, int parent, KeySpan span, long epoch, List<Host> target) {
        return BeginMigration.rangeSplit(table, parent, state.freeNumber(table), span, epoch, target);
    }

    /** @param partitions M */
    static BeginMigration merge(ClusterState state, int table, int partitions) {
        int child = partitions - 1;
        int parent = child < 1 ? 0 : LinearHashing.parent(child);
        return BeginMigration.rangeMerge(
                table, child, parent, KeySpan.ALL, epoch(state, table, child), epoch(state, table, parent));
    }

    static BeginMigration rangeMerge(ClusterState state, int table, int left, int right, KeySpan rightSpan) {
        return BeginMigration.rangeMerge(
                table, right, left, rightSpan, epoch(state, table, right), epoch(state, table, left));
    }

    static BeginMigration move(ClusterState state, int table, int partition, Host to) {
        return BeginMigration.move(table, partition, epoch(state, table, partition), to);
    }

    /** The command that abandons a migration, in the present epoch of the partition that decides. */
    public static Command.AbandonMigration undone(ClusterState state, long id) {
        var order = state.migration(id);
        if (order == null) {
            return new Command.AbandonMigration(id, 1);
        }
        Place sender = state.place(order.table(), order.sender());
        Place decides = sender.lost() && order.isMerge() ? state.place(order.table(), order.receiver()) : sender;
        return new Command.AbandonMigration(id, decides.epoch());
    }
}
