package io.sdds.coordinator.state;

import io.sdds.coordinator.state.Result.Applied;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.protocol.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The commands that begin, commit and abandon migrations. */
final class MigrationCommands {
    private final Cluster cluster;
    private final ParityGroupCommands parityGroups;
    private final ConversionCommands conversions;

    MigrationCommands(Cluster cluster, ParityGroupCommands parityGroups, ConversionCommands conversions) {
        this.cluster = cluster;
        this.parityGroups = parityGroups;
        this.conversions = conversions;
    }

    // ---- begin

    Result begin(Command.BeginMigration command) {
        Table table = cluster.tables.get(command.table());
        if (table == null) {
            return Rejected.noSuchTable(command.table());
        }
        boolean isOfKeys = command.kind() == MigrationKind.SPLIT || command.kind() == MigrationKind.MERGE;
        boolean isHeld = isOfKeys && (table.definition().isConverting() || table.becomesOneCopy())
                || command.kind() == MigrationKind.MOVE && table.definition().isConvertingToReplicas();
        if (isHeld) {
            return Rejected.stale("table " + command.table() + " is being converted, or gives its backups up");
        }
        boolean joinsReplicas = command.kind() == MigrationKind.LEARNER && hasReplicas(table, command.sender());
        if (table.definition().hasParity() && !isOfKeys && !joinsReplicas) {
            return parityGroups.begin(table, command);
        }
        Rejected fault = switch (command.kind()) {
            case SPLIT -> table.isRange() ? rangeSplitFault(table, command) : hashSplitFault(table, command);
            case MERGE -> mergeFault(table, command);
            case MOVE -> moveFault(table, command);
            case LEARNER -> learnerFault(table, command);
            case RECOVERY, PARITY -> new Rejected(Refusal.BAD_REQUEST, "a repair of a table without parity");
            case UNKNOWN -> new Rejected(Refusal.BAD_REQUEST, "a migration of an unknown kind");
        };
        if (fault != null) {
            return fault;
        }
        cluster.version++;
        MigrationOrder order = order(table, command, cluster.streamNext++);
        cluster.migrations.put(order.id(), order);
        table.begin(order);
        return new Result.MigrationBegun(order);
    }

    private MigrationOrder order(Table table, Command.BeginMigration command, long id) {
        int sender = command.sender();
        int receiver = command.receiver();
        boolean all = sender == receiver;
        int level = 0;
        KeySpan span = KeySpan.ALL;
        if (table.isRange()) {
            span = all ? table.span(sender) : command.span();
        } else {
            level = all
                    ? LinearHashing.levelOf(sender, table.partitions())
                    : LinearHashing.level(Math.max(sender, receiver));
        }
        Place source = table.place(sender);
        Place target = target(table, command, id);
        return new MigrationOrder(id, command.kind(), command.table(), sender, receiver, level, span, source, target);
    }

    /**
     * The target of a migration. No epoch is above the map's version, so the child's epoch, which is the map's version,
     * is above all epochs that a partition of its number ever had. The child of a table with parity is an idle column,
     * which keeps its place.
     */
    private Place target(Table table, Command.BeginMigration command, long id) {
        boolean isOfColumns =
                command.kind() == MigrationKind.SPLIT && table.definition().hasParity();
        if (command.kind() == MigrationKind.MERGE || isOfColumns) {
            return table.place(command.receiver());
        }
        long epoch = command.kind() == MigrationKind.SPLIT ? cluster.version : Math.addExact(command.sourceEpoch(), 1);
        return Place.of(Cluster.members(command.target()), id, epoch);
    }

    private @Nullable Rejected hashSplitFault(Table table, Command.BeginMigration command) {
        int partitions = table.partitionsOrdered();
        int parent = LinearHashing.splitPointer(partitions);
        if (command.receiver() != partitions || command.sender() != parent || table.isMerging()) {
            return Rejected.stale("the table has split meanwhile, or merges");
        }
        if (LinearHashing.levelOf(parent, table.partitions()) != LinearHashing.level(partitions)) {
            return Rejected.stale("partition " + parent + " is splitting already");
        }
        if (table.isMoving(parent)) {
            return Rejected.stale("partition " + parent + " moves");
        }
        return partitions >= LinearHashing.PARTITIONS_MAX || cluster.isFull()
                ? Rejected.tooManyPartitions()
                : membersFault(table, command);
    }

    private @Nullable Rejected rangeSplitFault(Table table, Command.BeginMigration command) {
        int parent = command.sender();
        if (!table.exists(parent) || table.isChanging(parent) || command.receiver() != table.freeNumber()) {
            return Rejected.stale("partition " + parent + " is changing already, or is no more");
        }
        KeySpan span = table.span(parent);
        KeySpan moved = command.span();
        byte[] at = moved.low();
        if (!Arrays.equals(span.high(), moved.high())
                || !span.holds(at)
                || Arrays.equals(at, span.high())
                || at.length > Limits.SPLIT_KEY_BYTES_MAX) {
            return Rejected.stale(
                    "partition " + parent + " has the keys " + span + ", and can't be divided into " + moved);
        }
        return table.partitions() + cluster.splitsUnderWay() >= LinearHashing.PARTITIONS_MAX || cluster.isFull()
                ? Rejected.tooManyPartitions()
                : membersFault(table, command);
    }

    /** Checks that the sender is in the epoch of the decision, and that the target's processes can take new copies. */
    private @Nullable Rejected membersFault(Table table, Command.BeginMigration command) {
        if (table.definition().hasParity()) {
            return table.hasColumn(command.receiver()) ? columnsFault(table, command) : noColumn(command);
        }
        return command.target().isEmpty()
                        || !table.definition().isReplicated()
                                && command.target().size() > 1
                        || !cluster.isInEpoch(table, command.sender(), command.sourceEpoch())
                        || !cluster.allCanServe(command.target())
                ? Rejected.stale("partition " + command.sender() + " or a brick has changed meanwhile, or is changing")
                : null;
    }

    private static Rejected noColumn(Command.BeginMigration command) {
        return Rejected.stale("the table has no column " + command.receiver() + " yet");
    }

    /**
     * Checks that sender and receiver of a split or merge of a table with parity are in the epochs of the decision, do
     * not move, and that their parity groups lack nothing (docs/design/parity.md, rule 31).
     */
    private @Nullable Rejected columnsFault(Table table, Command.BeginMigration command) {
        int sender = command.sender();
        int receiver = command.receiver();
        return command.target().isEmpty()
                        && cluster.isInEpoch(table, sender, command.sourceEpoch())
                        && cluster.isInEpoch(table, receiver, command.receiverEpoch())
                        && !table.isMoving(sender)
                        && !table.isMoving(receiver)
                        && parityGroups.isWhole(table, sender)
                        && parityGroups.isWhole(table, receiver)
                ? null
                : Rejected.stale("column " + sender + " or " + receiver
                        + ", or its parity group, has changed meanwhile, or is changing");
    }

    private @Nullable Rejected mergeFault(Table table, Command.BeginMigration command) {
        int sender = command.sender();
        int receiver = command.receiver();
        boolean fits = table.isRange() ? areNeighbours(table, command) : isLastIntoItsParent(table, command);
        if (fits && table.definition().hasParity()) {
            return columnsFault(table, command);
        }
        return fits
                        && cluster.isInEpoch(table, sender, command.sourceEpoch())
                        && cluster.isInEpoch(table, receiver, command.receiverEpoch())
                ? null
                : Rejected.stale("the table, or partition " + sender + " or " + receiver
                        + ", has changed meanwhile, or is changing");
    }

    private static boolean isLastIntoItsParent(Table table, Command.BeginMigration command) {
        int child = table.partitions() - 1;
        return child >= 1
                && command.sender() == child
                && command.receiver() == LinearHashing.parent(child)
                && table.split() == null
                && !table.isMoving(child)
                && !table.isMoving(command.receiver());
    }

    private static boolean areNeighbours(Table table, Command.BeginMigration command) {
        int left = command.receiver();
        int right = command.sender();
        return table.exists(left)
                && table.exists(right)
                && !table.isChanging(left)
                && !table.isChanging(right)
                && table.span(right).equals(command.span())
                && !command.span().isFirst()
                && Arrays.equals(table.span(left).high(), command.span().low());
    }

    private @Nullable Rejected moveFault(Table table, Command.BeginMigration command) {
        int partition = command.sender();
        return table.isReplicated()
                        || command.receiver() != partition
                        || !table.exists(partition)
                        || table.isChanging(partition)
                        || holdsTarget(table.place(partition), command)
                ? Rejected.stale("partition " + partition + " has changed meanwhile, or is changing")
                : membersFault(table, command);
    }

    /**
     * Whether a partition has backups, or gets them. So does an idle column whose group stands on replicas: without a
     * backup it could not leave a brick that the parities need.
     */
    private boolean hasReplicas(Table table, int number) {
        if (!table.hasColumn(number)) {
            return false;
        }
        return !table.standsOnParity(number)
                || table.exists(number) && table.definition().isConvertingToReplicas();
    }

    private @Nullable Rejected learnerFault(Table table, Command.BeginMigration command) {
        int partition = command.sender();
        return command.receiver() != partition
                        || !hasReplicas(table, partition)
                        || table.isChanging(partition)
                        || command.target().size() != 1
                        || holdsTarget(table.place(partition), command)
                        || isParityOfItsGroup(table, command)
                        || table.standsOnParity(partition) && !mayGetBackup(table, partition)
                        || !cluster.isInEpoch(table, partition, command.sourceEpoch())
                        || !cluster.allCanServe(command.target())
                ? Rejected.stale("the table, the brick or the group has changed meanwhile")
                : null;
    }

    /** Whether the target holds or gets a parity of the partition's group, which would make the copy worth less. */
    private static boolean isParityOfItsGroup(Table table, Command.BeginMigration command) {
        if (!table.definition().hasParity()) {
            return false;
        }
        int brick = command.target().getFirst().brick();
        ParityGroup group = ParityGroup.of(table, table.definition().parity().group(command.sender()));
        return group.hasParityOn(brick)
                || group.repairs().stream().anyMatch(order -> order.target().brick() == brick);
    }

    /**
     * Whether a column that stands on parity may get a backup: its group has all records and repairs nothing, and the
     * column has fewer members than its table asks for.
     */
    private static boolean mayGetBackup(Table table, int partition) {
        ParityGroup group = ParityGroup.of(table, table.definition().parity().group(partition));
        return group.areColumnsComplete()
                && group.repairs().isEmpty()
                && table.place(partition).members().size() < table.definition().replicas();
    }

    private static boolean holdsTarget(Place place, Command.BeginMigration command) {
        return place.members().stream()
                .anyMatch(member -> command.target().stream().anyMatch(host -> host.brick() == member.brick()));
    }

    // ---- commit

    Result commit(Command.CommitMigration command) {
        MigrationOrder order = cluster.migrations.get(command.id());
        if (order == null) {
            return Rejected.noSuchMigration(command.id());
        }
        Table table = cluster.known(order.table());
        if (order.isRepair() || order.isMove() && table.definition().hasParity()) {
            return parityGroups.commit(table, order);
        }
        if (!table.commitsNext(order)) {
            return Rejected.stale("the split of partition " + (order.parent() - 1) + " commits first");
        }
        cluster.migrations.remove(order.id());
        table.committed(order);
        cluster.version++;
        switch (order.kind()) {
            case SPLIT -> commitSplit(table, order);
            case MERGE -> commitMerge(table, order);
            case MOVE -> commitMove(table, order);
            case LEARNER -> commitLearner(table, order);
            case RECOVERY, PARITY, UNKNOWN ->
                throw new IllegalStateException("a migration of an unknown kind was ordered: " + order);
        }
        return new Applied(cluster.version);
    }

    private void commitSplit(Table table, MigrationOrder order) {
        if (table.definition().hasParity()) {
            commitColumnSplit(table, order);
            return;
        }
        int before = table.columns();
        Place child = whatLivesOf(order.target());
        if (table.isRange()) {
            table.divide(order, child, cluster.version);
        } else {
            table.append(child, cluster.version);
        }
        cluster.count(child, 1);
        cluster.partitionsTotal += table.columns() - before;
        noteLoss(table, order.child(), order.target());
    }

    /** The idle column owns the keys from now on. Its place stays, also if it has changed since the order. */
    private void commitColumnSplit(Table table, MigrationOrder order) {
        if (table.isRange()) {
            table.divide(order, table.place(order.child()), cluster.version);
        } else {
            table.resize(table.partitions() + 1, cluster.version);
        }
    }

    /** The child is no more; in a table with parity it stays as an idle column. */
    private void commitMerge(Table table, MigrationOrder order) {
        int before = table.columns();
        Place merged = table.place(order.child());
        boolean stays = table.definition().hasParity();
        if (table.isRange()) {
            table.join(order, cluster.version);
        } else if (stays) {
            table.resize(table.partitions() - 1, cluster.version);
        } else {
            table.removeLast(cluster.version);
        }
        if (!stays) {
            cluster.count(merged, -1);
            cluster.dropVoidOrders(); // a member that was missed may have been ordered to leave the child meanwhile
        }
        cluster.partitionsTotal += table.columns() - before;
    }

    private void commitMove(Table table, MigrationOrder order) {
        Place after = whatLivesOf(order.target());
        cluster.count(table.place(order.child()), -1);
        table.place(order.child(), after, cluster.version);
        cluster.count(after, 1);
        noteLoss(table, order.child(), order.target());
    }

    private void commitLearner(Table table, MigrationOrder order) {
        Place before = table.place(order.receiver());
        List<Place.Member> members = new ArrayList<>(before.members());
        members.add(order.learner());
        Place after = Place.of(members, order.id(), before.epoch() + 1);
        conversions.changeMembers(table, Collections.singletonMap(order.receiver(), after), cluster.version);
        cluster.dropVoidOrders();
    }

    /**
     * Notes the target's first process as the last holder of a lost partition. The state no longer knows which of the
     * target's replaced processes have ended.
     */
    private void noteLoss(Table table, int partition, Place target) {
        Brick brick = cluster.bricks.get(target.brick());
        if (brick != null && table.place(partition).lost()) {
            BrickInfo now = brick.info();
            cluster.lose(table, partition, new BrickInfo(now.number(), now.id(), target.incarnation(), now.address()));
        }
    }

    /**
     * The members of a target whose processes are still the present ones. The target was whole when the keys were
     * handed over. A member whose brick was started again since is lost, as any other copy there.
     */
    private Place whatLivesOf(Place target) {
        List<Place.Member> live = target.members().stream()
                .filter(member -> cluster.isCurrent(member.brick(), member.incarnation()))
                .toList();
        if (live.size() == target.members().size()) {
            return target;
        }
        return live.isEmpty() ? Place.lost(target.epoch()) : Place.of(live, target.migration(), target.epoch() + 1);
    }

    // ---- abandon

    /**
     * Abandons a migration. Only the leader of the partition in this epoch knows that the partition has not handed over
     * and will not.
     */
    Result abandon(Command.AbandonMigration command) {
        MigrationOrder order = cluster.migrations.get(command.id());
        if (order == null) {
            return Rejected.noSuchMigration(command.id());
        }
        Table table = cluster.known(order.table());
        if (order.isRepair()) {
            return parityGroups.abandon(table, order, command.epoch());
        }
        if (epochThatDecides(table, order) != command.epoch()) {
            return Rejected.stale("the partition of migration " + command.id() + " has changed meanwhile");
        }
        cluster.takeBackFrom(table, order);
        return new Applied(++cluster.version);
    }

    /**
     * The epoch of the partition that is copied; if this partition is lost, the epoch of the partition that it merges
     * into.
     */
    private static long epochThatDecides(Table table, MigrationOrder order) {
        Place sender = table.place(order.sender());
        return sender.lost() && order.isMerge() ? table.place(order.receiver()).epoch() : sender.epoch();
    }
}
