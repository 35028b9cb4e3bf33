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
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableMap;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Converts tables from parity to replicas: orders the backups of each group, and ends the conversion of the groups that
 * have them (docs/design/parity.md, rule 35).
 */
public final class ConversionsToReplicas {
    /*
     * Level-triggered as the reconcilers are: each tick looks at the groups that stand on parity. ParityReconciler
     * judges these groups as if there were no backups. A backup that is gone, or that its primary misses, leaves here
     * at once: parity protects the column, and no backup of such a table answers reads, so nothing waits for a lease.
     * A group gets one backup at a time. ParityRepairs comes first: a command that begins a repair drops the orders for
     * backups of the group. A missing parity that no brick can take holds nothing up, because the parities leave at the
     * end in any case.
     */
    private final ControlContext our;
    private final BrickRegistry bricks;
    private final FailureDetector detector;
    private final Allocator allocator;
    private final ConversionOrders orders;
    private final ConversionWaits waits;

    ConversionsToReplicas(
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

    /**
     * The reason why too few bricks are up to convert a table; empty if they are enough. No backup is on a brick of a
     * parity of its group.
     */
    String tooFewBricks(TableDefinition table, int replicas) {
        int needed = replicas + table.parity().parities();
        int up = allocator.candidates().size();
        return up >= needed
                ? ""
                : "the conversion to " + text(replicas) + " needs " + needed + " bricks, and " + up + " are up; "
                        + (needed - up) + " more are missing";
    }

    public static String text(int replicas) {
        return replicas == 1 ? "1 replica" : replicas + " replicas";
    }

    /** Takes the next step of each group that still stands on parity. */
    void advance(TableMap table, List<Candidate> candidates) {
        List<Command.GroupChange> changes = new ArrayList<>();
        for (ParityGroup group : left(table)) {
            List<Command.GroupChange> ofGroup = withoutThoseGone(group);
            changes.addAll(ofGroup);
            if (ofGroup.isEmpty() && orders.mayPropose()) {
                advance(group, table, candidates);
            }
        }
        if (!changes.isEmpty()) {
            orders.leave(changes);
        }
    }

    /** The groups of a table that still stand on parity. */
    List<ParityGroup> left(TableMap table) {
        int id = table.definition().id();
        return IntStream.range(0, our.state().groups(id))
                .mapToObj(number -> our.state().parityGroup(id, number))
                .filter(group -> !group.standsOnReplicas())
                .toList();
    }

    /** The columns of a group without the backups that are gone, or that their primaries miss. */
    private List<Command.GroupChange> withoutThoseGone(ParityGroup group) {
        return columns(group)
                .filter(column ->
                        group.column(column).backups().stream().anyMatch(backup -> leaves(group, column, backup)))
                .mapToObj(column -> new Command.GroupChange(
                        group.table().id(),
                        column,
                        group.column(column).epoch(),
                        group.column(column).members().stream()
                                .filter(member -> !leaves(group, column, member))
                                .map(member -> new Command.Host(member.brick(), member.incarnation()))
                                .toList()))
                .toList();
    }

    private boolean leaves(ParityGroup group, int column, Member member) {
        Member primary = group.column(column).primary();
        return !member.equals(primary) && (detector.isGone(member) || misses(primary, member.brick()));
    }

    private boolean misses(Member primary, int brick) {
        LiveBrick live = bricks.get(primary.brick());
        return live != null && bricks.hears(primary) && live.misses(brick);
    }

    private static IntStream columns(ParityGroup group) {
        return IntStream.range(group.first(), group.first() + group.columns().size());
    }

    /** The columns of a group that own keys. */
    private IntStream owning(ParityGroup group) {
        return columns(group).filter(column -> our.state().exists(group.table().id(), column));
    }

    private void advance(ParityGroup group, TableMap table, List<Candidate> candidates) {
        if (orders.areMembersChanging(group)) {
            return;
        }
        int column = lacksBackup(group);
        if (column < 0) {
            if (areHeard(group, table)) {
                orders.end(group, text(group.table().replicas()));
            }
        } else if (group.areColumnsComplete()
                && group.repairs().isEmpty()
                && group.judged().stream().allMatch(bricks::hears)) {
            Candidate joiner = joiner(group, column, candidates, orders::canJoin);
            if (joiner != null) {
                orders.copy(group, column, joiner, "joins beside the parities");
            }
        }
    }

    /** The first column that owns keys and lacks backups; -1 if there is none. */
    private int lacksBackup(ParityGroup group) {
        return owning(group)
                .filter(column ->
                        group.column(column).members().size() < group.table().replicas())
                .findFirst()
                .orElse(-1);
    }

    /**
     * Whether all columns that own keys have all records, and all their members were heard lately, with the present map
     * of the table. So a member that was dead before the last change of the table is noticed while parities protect it.
     */
    private boolean areHeard(ParityGroup group, TableMap table) {
        return owning(group)
                .mapToObj(group::column)
                .allMatch(place -> group.isComplete(place)
                        && place.members().stream().allMatch(member -> bricks.hears(member, table.version())));
    }

    /** The least loaded brick that may get a backup of a column; null if there is none. */
    private @Nullable Candidate joiner(
            ParityGroup group, int column, List<Candidate> candidates, Predicate<Candidate> canTake) {
        Place place = group.column(column);
        Stream<Candidate> able = Placement.inOrder(candidates).stream()
                .filter(candidate -> place.members().stream().noneMatch(member -> member.brick() == candidate.brick()))
                .filter(candidate -> !holdsParity(group, candidate))
                .filter(candidate -> !misses(place.primary(), candidate.brick()));
        return able.filter(canTake).findFirst().orElse(null);
    }

    private static boolean holdsParity(ParityGroup group, Candidate candidate) {
        return group.hasParityOn(candidate.brick())
                || group.repairs().stream().anyMatch(order -> order.target().brick() == candidate.brick());
    }

    /** Whether a process may get a parity of a group, because one is missing while the group stands on parity. */
    static boolean mayGetParity(ParityGroup group) {
        return !group.standsOnReplicas() && group.lacking(process -> false) > 0;
    }

    /** The reason why the conversion of a table makes no progress; empty if there is none. */
    String obstacle(TableMap table) {
        List<Candidate> candidates = allocator.candidates();
        for (ParityGroup group : left(table)) {
            if (owning(group).mapToObj(group::column).anyMatch(Place::lost)) {
                return "partitions are lost; accept their loss";
            }
            int column = lacksBackup(group);
            if (column >= 0
                    && !orders.areMembersChanging(group)
                    && joiner(group, column, candidates, candidate -> true) == null) {
                String tooFew =
                        tooFewBricks(table.definition(), table.definition().replicas());
                return tooFew.isEmpty()
                        ? "no brick can take a copy of partition " + column
                                + ", because each has another copy of it or a parity of its group; start another brick"
                        : tooFew;
            }
        }
        return "";
    }

    /** What the first group of a table waits for that still stands on parity, and that has no obstacle. */
    String waitsFor(TableMap table) {
        ParityGroup group = left(table).getFirst();
        String changes = waits.changes(group, group.judged());
        if (!changes.isEmpty()) {
            return changes;
        }
        if (!owning(group).mapToObj(group::column).allMatch(group::isComplete)) {
            return "columns of group " + group.number() + " wait for spares";
        }
        int column = lacksBackup(group);
        return column >= 0 && group.judged().stream().allMatch(bricks::hears)
                ? ConversionWaits.copy(column)
                : waits.end(group, group.processes(), table);
    }
}
