package io.sdds.coordinator.state;

import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.Place;
import io.sdds.core.model.SplitOrder;
import io.sdds.core.protocol.Limits;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Splits and merges of range tables begin. */
final class RangeSplitCommands {
    private final Cluster cluster;

    RangeSplitCommands(Cluster cluster) {
        this.cluster = cluster;
    }

    Result beginRangeSplit(Table table, Command.BeginRangeSplit command) {
        int parent = command.parent();
        Rejected fault = rangeSplitFault(table, parent, command.span());
        if (fault != null) {
            return fault;
        }
        Place source = table.place(parent);
        if (table.definition().isReplicated()
                || source.lost()
                || !cluster.canServe(command.targetBrick(), command.targetIncarnation())) {
            return Rejected.stale("a brick of the split was started again");
        }
        Command.Host target = new Command.Host(command.targetBrick(), command.targetIncarnation());
        return rangeSplitBegun(table, parent, command.span(), List.of(target));
    }

    private @Nullable Rejected rangeSplitFault(Table table, int parent, KeySpan moved) {
        if (!table.isRange() || !table.exists(parent) || table.isChanging(parent)) {
            return Rejected.stale("partition " + parent + " is changing already, or is no more");
        }
        KeySpan span = table.span(parent);
        byte[] at = moved.low();
        if (!Arrays.equals(span.high(), moved.high())
                || !span.holds(at)
                || Arrays.equals(at, span.high())
                || at.length > Limits.SPLIT_KEY_BYTES_MAX) {
            return Rejected.stale(
                    "partition " + parent + " has the keys " + span + ", and can't be divided into " + moved);
        }
        return table.partitions() + cluster.splits.size() >= LinearHashing.PARTITIONS_MAX
                        || cluster.partitionsTotal + cluster.splits.size() >= StateLimits.PARTITIONS_MAX
                ? Rejected.tooManyPartitions()
                : null;
    }

    private Result rangeSplitBegun(Table table, int parent, KeySpan moved, List<Command.Host> members) {
        int id = table.definition().id();
        Place source = table.place(parent);
        // no epoch is above the map's version, as in HashSplitCommands
        Place target = Place.of(Cluster.members(members), cluster.streamNext++, ++cluster.version);
        return cluster.begun(
                table,
                new SplitOrder(id, parent, table.freeNumber(), 0, target.stream(), source, target, false, moved));
    }

    Result beginRangeGroupSplit(Table table, Command.BeginRangeGroupSplit command) {
        int parent = command.parent();
        Rejected fault = rangeSplitFault(table, parent, command.span());
        if (fault != null) {
            return fault;
        }
        if (!cluster.isInEpoch(table, parent, command.epoch()) || !cluster.allCanServe(command.members())) {
            return Rejected.stale("the group of partition " + parent + " has changed meanwhile, or is changing");
        }
        return rangeSplitBegun(table, parent, command.span(), command.members());
    }

    Result beginRangeMerge(Table table, Command.BeginRangeMerge command) {
        int left = command.left();
        int right = command.right();
        if (table.definition().isReplicated()
                || !areNeighbours(table, left, command.leftSpan(), right, command.rightSpan())) {
            return Rejected.stale("partition " + left + " or " + right + " has changed meanwhile, or is changing");
        }
        if (!cluster.isCurrent(table.place(right)) || !cluster.isCurrent(table.place(left))) {
            return Rejected.stale("a brick of the merge was started again");
        }
        return rangeMergeBegun(table, left, right, command.rightSpan());
    }

    private static boolean areNeighbours(Table table, int left, KeySpan leftSpan, int right, KeySpan rightSpan) {
        return table.isRange()
                && isUnchanged(table, left, leftSpan)
                && isUnchanged(table, right, rightSpan)
                && !rightSpan.isFirst()
                && Arrays.equals(leftSpan.high(), rightSpan.low());
    }

    private Result rangeMergeBegun(Table table, int left, int right, KeySpan moved) {
        cluster.version++;
        int id = table.definition().id();
        Place source = table.place(right);
        Place target = table.place(left);
        return cluster.begun(
                table, new SplitOrder(id, left, right, 0, cluster.streamNext++, source, target, true, moved));
    }

    Result beginRangeGroupMerge(Table table, Command.BeginRangeGroupMerge command) {
        int left = command.left();
        int right = command.right();
        if (!areNeighbours(table, left, command.leftSpan(), right, command.rightSpan())
                || !cluster.isInEpoch(table, left, command.leftEpoch())
                || !cluster.isInEpoch(table, right, command.rightEpoch())) {
            return Rejected.stale(
                    "partition " + left + " or " + right + ", or its group, has changed meanwhile, or is changing");
        }
        return rangeMergeBegun(table, left, right, command.rightSpan());
    }

    private static boolean isUnchanged(Table table, int partition, KeySpan span) {
        return table.exists(partition)
                && !table.isChanging(partition)
                && table.span(partition).equals(span);
    }
}
