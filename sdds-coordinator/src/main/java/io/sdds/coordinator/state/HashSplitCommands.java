package io.sdds.coordinator.state;

import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.model.Place;
import io.sdds.core.model.SplitOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Splits and merges of hash tables begin. */
final class HashSplitCommands {
    private final Cluster cluster;

    HashSplitCommands(Cluster cluster) {
        this.cluster = cluster;
    }

    Result beginSplit(Table table, Command.BeginSplit command) {
        Rejected fault = splitFault(table, command.partitions());
        if (fault != null) {
            return fault;
        }
        Place source = table.place(LinearHashing.splitPointer(command.partitions()));
        if (source.lost() || !cluster.canServe(command.targetBrick(), command.targetIncarnation())) {
            return Rejected.stale("a brick of the split was started again");
        }
        return begun(
                table, source, child(List.of(new Command.Host(command.targetBrick(), command.targetIncarnation()))));
    }

    private @Nullable Rejected splitFault(Table table, int partitionsThen) {
        if (table.isRange()) {
            return Rejected.stale("table " + table.definition().id() + " is no hash table");
        }
        int partitions = table.partitionsOrdered();
        int parent = LinearHashing.splitPointer(partitions);
        if (partitions != partitionsThen || table.isMerging()) {
            return Rejected.stale("the table has split meanwhile, or merges");
        }
        if (LinearHashing.levelOf(parent, table.partitions()) != LinearHashing.level(partitions)) {
            return Rejected.stale("partition " + parent + " is splitting already");
        }
        if (table.isMoving(parent)) {
            return Rejected.stale("partition " + parent + " moves");
        }
        return partitions >= LinearHashing.PARTITIONS_MAX
                        || cluster.partitionsTotal + cluster.splits.size() >= StateLimits.PARTITIONS_MAX
                ? Rejected.tooManyPartitions()
                : null;
    }

    Result beginGroupSplit(Table table, Command.BeginGroupSplit command) {
        Rejected fault = splitFault(table, command.partitions());
        if (fault != null) {
            return fault;
        }
        int parent = LinearHashing.splitPointer(command.partitions());
        Place source = table.place(parent);
        if (source.lost()
                || source.epoch() != command.epoch()
                || cluster.isGroupChanging(command.table(), parent)
                || !cluster.allCanServe(command.members())) {
            return Rejected.stale("the group of partition " + parent + " has changed meanwhile, or is changing");
        }
        return begun(table, source, child(command.members()));
    }

    /** No epoch is above the map's version: this one is above all that a partition of the child's number ever had. */
    private Place child(List<Command.Host> members) {
        return Place.of(Cluster.members(members), cluster.streamNext++, cluster.version + 1);
    }

    private Result begun(Table table, Place source, Place target) {
        cluster.version++;
        int partitions = table.partitionsOrdered();
        return cluster.begun(
                table,
                new SplitOrder(
                        table.definition().id(),
                        LinearHashing.splitPointer(partitions),
                        partitions,
                        LinearHashing.level(partitions),
                        target.stream(),
                        source,
                        target,
                        false));
    }

    Result beginMerge(Table table, Command.BeginMerge command) {
        int child = table.partitions() - 1;
        if (!mayMerge(table, command.partitions()) || table.definition().isReplicated()) {
            return Rejected.stale("the table has changed meanwhile, or is changing");
        }
        if (!cluster.isCurrent(table.place(child)) || !cluster.isCurrent(table.place(LinearHashing.parent(child)))) {
            return Rejected.stale("a brick of the merge was started again");
        }
        return mergeBegun(table);
    }

    private static boolean mayMerge(Table table, int partitionsThen) {
        return !table.isRange()
                && table.partitions() == partitionsThen
                && table.partitions() >= 2
                && table.split() == null
                && !table.isMoving(table.partitions() - 1)
                && !table.isMoving(LinearHashing.parent(table.partitions() - 1));
    }

    /** Of the last partition with the one it came from. */
    private Result mergeBegun(Table table) {
        cluster.version++;
        int child = table.partitions() - 1;
        int parent = LinearHashing.parent(child);
        return cluster.begun(
                table,
                new SplitOrder(
                        table.definition().id(),
                        parent,
                        child,
                        LinearHashing.level(child),
                        cluster.streamNext++,
                        table.place(child),
                        table.place(parent),
                        true));
    }

    Result beginGroupMerge(Table table, Command.BeginGroupMerge command) {
        int child = table.partitions() - 1;
        int parent = LinearHashing.parent(child);
        if (!mayMerge(table, command.partitions())
                || !cluster.isInEpoch(table, child, command.childEpoch())
                || !cluster.isInEpoch(table, parent, command.parentEpoch())) {
            return Rejected.stale("the table or one of the two groups has changed meanwhile, or is changing");
        }
        return mergeBegun(table);
    }
}
