package io.sdds.coordinator.state;

import io.sdds.coordinator.state.Result.Applied;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.Place;
import io.sdds.core.model.SplitOrder;
import java.util.List;

/** Moves begin; splits, merges and moves come to be, or are given up. */
final class ShippingCommands {
    private final Cluster cluster;

    ShippingCommands(Cluster cluster) {
        this.cluster = cluster;
    }

    Result beginMove(Table table, Command.BeginMove command) {
        int partition = command.partition();
        Command.Host from = command.from();
        Command.Host to = command.to();
        if (table.definition().isReplicated()
                || !table.exists(partition)
                || table.isChanging(partition)
                || table.place(partition).lost()
                || !table.place(partition).has(from.brick(), from.incarnation())
                || to.brick() == from.brick()
                || !cluster.allCanServe(List.of(to))) {
            return Rejected.stale("partition " + partition + " or a brick has changed meanwhile, or is changing");
        }
        Place source = table.place(partition);
        Place target = Place.of(Cluster.members(List.of(to)), cluster.streamNext++, source.epoch() + 1);
        int level = table.isRange() ? 0 : LinearHashing.levelOf(partition, table.partitions());
        KeySpan span = table.isRange() ? table.span(partition) : KeySpan.ALL;
        cluster.version++;
        return cluster.begun(
                table,
                new SplitOrder(
                        command.table(), partition, partition, level, target.stream(), source, target, false, span));
    }

    Result commitSplit(Command.CommitSplit command) {
        SplitOrder order = cluster.splits.get(command.stream());
        if (order == null) {
            return Rejected.stale("no split has stream " + command.stream());
        }
        Table table = cluster.known(order.table());
        if (!table.isRange() && !order.isMove() && order != table.split()) {
            return Rejected.stale("the split of partition " + (order.parent() - 1) + " commits first");
        }
        cluster.splits.remove(order.stream());
        table.committed(order);
        if (order.isMove()) {
            return commitMove(table, order);
        }
        if (table.isRange()) {
            return commitRange(table, order);
        }
        if (order.merge()) {
            cluster.count(table.removeLast(++cluster.version), -1);
            cluster.partitionsTotal--;
            return new Applied(cluster.version);
        }
        cluster.append(table, whatLivesOf(order.target()), ++cluster.version);
        noteLoss(table, table.partitions() - 1, order.target());
        return new Applied(cluster.version);
    }

    private Result commitMove(Table table, SplitOrder order) {
        Place after = whatLivesOf(order.target());
        cluster.count(table.place(order.child()), -1);
        table.place(order.child(), after, ++cluster.version);
        cluster.count(after, 1);
        noteLoss(table, order.child(), order.target());
        return new Applied(cluster.version);
    }

    private Result commitRange(Table table, SplitOrder order) {
        int before = table.partitions();
        cluster.version++;
        if (order.merge()) {
            cluster.count(table.join(order, cluster.version), -1);
        } else {
            Place child = whatLivesOf(order.target());
            table.divide(order, child, cluster.version);
            cluster.count(child, 1);
            noteLoss(table, order.child(), order.target());
        }
        cluster.partitionsTotal += table.partitions() - before;
        return new Applied(cluster.version);
    }

    /** Which of the target's processes that were replaced have ended is not known any more. */
    private void noteLoss(Table table, int partition, Place target) {
        Brick brick = cluster.bricks.get(target.brick());
        if (brick != null && table.place(partition).lost()) {
            BrickInfo now = brick.info();
            cluster.lose(table, partition, new BrickInfo(now.number(), now.id(), target.incarnation(), now.address()));
        }
    }

    /**
     * The child was whole when it was handed over; a member whose brick was started again since is lost like any other
     * copy there.
     */
    private Place whatLivesOf(Place child) {
        List<Place.Member> live = child.members().stream()
                .filter(member -> cluster.isCurrent(member.brick(), member.incarnation()))
                .toList();
        if (live.size() == child.members().size()) {
            return child;
        }
        return live.isEmpty() ? Place.lost(child.epoch()) : Place.of(live, child.stream(), child.epoch() + 1);
    }

    /** Only the primary of an epoch knows that it has not handed over, and won't. */
    Result abandonGroupSplit(Command.AbandonGroupSplit command) {
        SplitOrder order = cluster.splits.get(command.stream());
        if (order == null || epochThatDecides(order) != command.epoch()) {
            return Rejected.stale("no split has stream " + command.stream() + ", or its group has changed meanwhile");
        }
        cluster.takeBackFrom(cluster.known(order.table()), order);
        return new Applied(++cluster.version);
    }

    /** That of the group whose partition is shipped; when it is lost, of the one that a merge ships to. */
    private long epochThatDecides(SplitOrder order) {
        Table table = cluster.known(order.table());
        Place sender = table.place(order.sender());
        return sender.lost() && order.merge() ? table.place(order.receiver()).epoch() : sender.epoch();
    }

    Result abandonSplit(Command.AbandonSplit command) {
        SplitOrder order = cluster.splits.get(command.stream());
        if (order == null) {
            return Rejected.stale("no split has stream " + command.stream());
        }
        cluster.takeBackFrom(cluster.known(order.table()), order);
        return new Applied(++cluster.version);
    }
}
