package io.sdds.coordinator.control.parity;

import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.member.BrickRegistry;
import io.sdds.coordinator.control.member.FailureDetector;
import io.sdds.coordinator.control.member.LiveBrick;
import io.sdds.coordinator.control.placement.Allocator;
import io.sdds.coordinator.control.placement.Placement;
import io.sdds.coordinator.control.placement.Placement.Candidate;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableMap;
import io.sdds.core.protocol.IndexRecord;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Converts tables from replicas to parity: makes room for the parities of each group, and ends the conversion of the
 * groups whose parities are complete (docs/design/parity.md, rule 34). {@link ParityRepairs} orders the parities.
 */
final class ConversionsToParity {
    /*
     * Level-triggered as the reconcilers are: each tick looks at the groups that stand on replicas. A group has one
     * change at a time. A member that is in the way gets a replacement by a join (rule 13 of migration.md), and then
     * MembershipReconciler has it leave. The last command drops the backups of a group without orders to leave. That is
     * safe because no backup of a table that is being converted answers reads, and each of them has been heard to know
     * that the table is.
     */
    private final ControlContext our;
    private final BrickRegistry bricks;
    private final FailureDetector detector;
    private final Allocator allocator;
    private final ConversionOrders orders;
    private final ConversionWaits waits;

    ConversionsToParity(
            ControlContext our,
            BrickRegistry bricks,
            FailureDetector detector,
            Allocator allocator,
            ConversionOrders orders,
            ConversionWaits waits) {
        this.our = our;
        this.bricks = bricks;
        this.detector = detector;
        this.allocator = allocator;
        this.orders = orders;
        this.waits = waits;
    }

    // ---- the beginning

    /** The reason why a table without parity cannot be converted now; null if there is none. */
    @Nullable
    Rejected fault(TableDefinition table, Parity parity) {
        String numbers = parity.fault();
        if (numbers != null) {
            return new Rejected(Refusal.BAD_REQUEST, numbers);
        }
        if (table.name().startsWith(IndexRecord.OWN_NAMES)) {
            return new Rejected(Refusal.BAD_REQUEST, "table '" + table.name() + "' is the cluster's own");
        }
        if (our.state().lostPartitions(table.id()) > 0) {
            return new Rejected(
                    Refusal.NOT_READY, "table '" + table.name() + "' has lost partitions; accept their loss first");
        }
        String tooFew = tooFewBricks(table, parity);
        return tooFew.isEmpty() ? null : new Rejected(Refusal.TOO_FEW_BRICKS, tooFew);
    }

    /** The reason why too few bricks are up for the conversion of a table; empty if they are enough. */
    private String tooFewBricks(TableDefinition table, Parity parity) {
        int needed = parity.bricksToConvert(table.replicas());
        int up = allocator.candidates().size();
        return up >= needed
                ? ""
                : "the conversion to parity " + parity.text() + " needs " + needed + " bricks, and " + up + " are up; "
                        + (needed - up) + " more are missing";
    }

    /** The command that begins the conversion of a table; null while no brick can take the idle columns. */
    @Nullable
    Command begin(int table, Parity parity) {
        List<Command.Host> hosts = Placement.inOrder(allocator.candidates()).stream()
                .map(Candidate::host)
                .toList();
        return hosts.isEmpty() ? null : new Command.ConvertToParity(table, parity, hosts);
    }

    // ---- its groups

    /** Takes the next step of each group that still stands on replicas. */
    void advance(TableMap table, List<Candidate> candidates) {
        for (ParityGroup group : left(table)) {
            if (orders.mayPropose() && !isChanging(group)) {
                advance(group, table, candidates);
            }
        }
    }

    /** The groups of a table that still stand on replicas. */
    List<ParityGroup> left(TableMap table) {
        int id = table.definition().id();
        return IntStream.range(0, our.state().groups(id))
                .mapToObj(number -> our.state().parityGroup(id, number))
                .filter(ParityGroup::standsOnReplicas)
                .toList();
    }

    /** Whether a member of a group joins, leaves, or is to leave because another one has joined in its place. */
    private boolean isChanging(ParityGroup group) {
        return !group.repairs().isEmpty()
                || orders.areMembersChanging(group)
                || group.columns().stream()
                        .anyMatch(
                                place -> place.members().size() > group.table().replicas());
    }

    private void advance(ParityGroup group, TableMap table, List<Candidate> candidates) {
        if (!group.areColumnsComplete() || group.processes().stream().anyMatch(detector::isGone)) {
            return;
        }
        RoomForParities.Replacement next = new RoomForParities(group, candidates).next(orders::canJoin);
        if (next == null) {
            if (isComplete(group, table)) {
                orders.end(group, "parity");
            }
        } else if (next.joiner() != null) {
            orders.copy(group, next.partition(), next.joiner(), "makes room for parities");
        }
    }

    /** Whether the parities of a group know all records, and no backup can answer reads. */
    private boolean isComplete(ParityGroup group, TableMap table) {
        return group.parities().firstMissing() < 0
                && areRanked(group)
                && group.processes().stream().allMatch(bricks::hears)
                && group.columns().stream()
                        .flatMap(place -> place.members().stream())
                        .allMatch(member -> bricks.hears(member, table.version()));
    }

    /** Whether the primaries of a group have reported in their present epochs that all records have ranks. */
    private boolean areRanked(ParityGroup group) {
        return IntStream.range(0, group.columns().size()).allMatch(k -> {
            Place place = group.columns().get(k);
            LiveBrick brick = bricks.get(place.brick());
            return brick != null
                    && brick.leads(place)
                    && brick.isRanked(group.table().id(), group.first() + k, place.epoch());
        });
    }

    /** Whether a process may get a parity of a group: first there must be room, and ranks for all records. */
    boolean mayGetParity(ParityGroup group) {
        return !group.standsOnReplicas()
                || !isChanging(group)
                        && areRanked(group)
                        && new RoomForParities(group, allocator.candidates()).next(candidate -> true) == null;
    }

    /** The member of a column that is in the way of parities; null if there is none. */
    @Nullable
    Member inTheWay(ParityGroup group, int column) {
        return group.standsOnReplicas()
                ? new RoomForParities(group, allocator.candidates()).inTheWay(column - group.first())
                : null;
    }

    /** The reason why the conversion of a table makes no progress; empty if there is none. */
    String obstacle(TableMap table) {
        String tooFew = tooFewBricks(table.definition(), table.definition().parity());
        if (!tooFew.isEmpty()) {
            return tooFew;
        }
        for (ParityGroup group : left(table)) {
            if (!group.areColumnsComplete()) {
                return "partitions are lost; accept their loss";
            }
            RoomForParities.Replacement next =
                    isChanging(group) ? null : new RoomForParities(group, allocator.candidates()).next(brick -> true);
            if (next != null && next.joiner() == null) {
                return "no brick can take the copy of partition " + next.partition()
                        + " that is in the way of the parities of group " + group.number() + "; start another brick";
            }
        }
        return "";
    }

    /** What the first group of a table waits for that still stands on replicas, and that has no obstacle. */
    String waitsFor(TableMap table) {
        ParityGroup group = left(table).getFirst();
        String changes = waits.changes(group, group.processes());
        if (!changes.isEmpty()) {
            return changes;
        }
        RoomForParities.Replacement next = new RoomForParities(group, allocator.candidates()).next(brick -> true);
        return next == null ? waits.parities(group, table) : ConversionWaits.copy(next.partition());
    }
}
