package io.sdds.coordinator.control.schedule;

import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.base.Reconciler;
import io.sdds.coordinator.control.member.BrickRegistry;
import io.sdds.coordinator.control.member.LiveBrick;
import io.sdds.coordinator.control.migration.MigrationTracker;
import io.sdds.coordinator.control.migration.StalledOrders;
import io.sdds.coordinator.control.parity.TableConversions;
import io.sdds.coordinator.control.placement.Allocator;
import io.sdds.coordinator.control.placement.Balance;
import io.sdds.coordinator.control.placement.Placement;
import io.sdds.coordinator.control.placement.Placement.Candidate;
import io.sdds.coordinator.state.Command;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recovery: orders joins for groups that have fewer members than their table asks for. Members on bricks that are being
 * drained do not count. The joining brick must hold no copy of the group.
 */
public final class ReplicaReconciler implements Reconciler {
    /*
     * The reconciler is level-triggered, as the scheduler of splits is: each tick looks for groups that lack members,
     * and orders at most one join for a group. The primary's heartbeats report the join until the order is gone. An
     * order names its epoch and is void in any other epoch. So the loss of a member ends the order, and the next tick
     * orders another join.
     */

    /**
     * Largest number of joins from a brick, and also of joins to a brick, so that recovery leaves the stages to the
     * clients.
     */
    private static final int BRICK_JOINS_MAX = 4;

    private static final int ORDERED_A_TICK = 16;
    private static final long LOOK_NANOS = 1_000_000_000L;
    private static final Logger log = LoggerFactory.getLogger(ReplicaReconciler.class);

    private final ControlContext our;
    private final BrickRegistry bricks;
    private final Allocator allocator;
    private final MigrationTracker migrations;
    private final MoveScheduler moves;
    private final StalledOrders stalled;
    private final TableConversions conversions;

    /** The bricks that can take copies. {@link #steadySinceNanos} is the time since when this list is the same. */
    private List<Integer> steady = List.of();

    private long steadySinceNanos;
    private long lookedNanos;

    private int proposed;

    public ReplicaReconciler(
            ControlContext our,
            BrickRegistry bricks,
            Allocator allocator,
            MigrationTracker migrations,
            MoveScheduler moves,
            StalledOrders stalled,
            TableConversions conversions) {
        this.stalled = stalled;
        this.our = our;
        this.bricks = bricks;
        this.allocator = allocator;
        this.migrations = migrations;
        this.moves = moves;
        this.conversions = conversions;
    }

    @Override
    public void onLeading() {
        proposed = 0;
        steady = List.of();
    }

    @Override
    public void tick() {
        for (MigrationOrder order : our.state().learners()) {
            int learner = order.learner().brick();
            boolean silent = bricks.silentNanos(learner) >= our.settings().silenceNanos();
            if (silent || our.state().drains(learner)) {
                allocator.failed(order); // the primary may be waiting for the learner's vote
                migrations.abandon(order);
            }
        }
        List<Candidate> candidates = allocator.candidates();
        noteWhoIsUp(candidates);
        if (proposed == 0 && !orderLacking(candidates) && !moves.separates()) {
            rebalance(candidates);
        }
    }

    private void noteWhoIsUp(List<Candidate> candidates) {
        List<Integer> now = candidates.stream().map(Candidate::brick).toList();
        if (!now.equals(steady)) {
            steady = now;
            steadySinceNanos = our.env().nowNanos();
        }
    }

    /**
     * Moves copies, and partitions of one copy, one at a time from full bricks to bricks that are new or much emptier.
     */
    private void rebalance(List<Candidate> candidates) {
        long now = our.env().nowNanos();
        if (now - lookedNanos < LOOK_NANOS
                || now - steadySinceNanos < our.settings().rebalanceAfterNanos()) {
            return;
        }
        lookedNanos = now;
        Balance.Move move = new Balance(our, bricks, moves::isAtRest, moves::mayChange)
                .move(candidates.stream()
                        .filter(candidate -> !allocator.learnerHasFailed(candidate.brick()))
                        .toList());
        TableMap table = move == null ? null : our.state().table(move.table());
        if (move != null && table != null && table.definition().isReplicated()) {
            order(move.table(), move.partition(), move.place(), move.joiner());
        } else if (move != null && table != null) {
            moves.order(table, move.partition(), move.joiner());
        }
    }

    /** Orders joins for groups that lack members. Returns whether there is such a group. */
    private boolean orderLacking(List<Candidate> candidates) {
        boolean any = false;
        boolean anyDrains =
                our.state().bricks().stream().anyMatch(brick -> our.state().drains(brick.number()));
        for (TableMap table : our.state().tables()) {
            int wanted = Math.min(table.definition().replicas(), candidates.size());
            int partitions = table.definition().isReplicated() ? table.partitions() : 0;
            for (int a = 0; a < partitions && proposed < ORDERED_A_TICK; a++) {
                Place place = our.state().place(table.definition().id(), a);
                int backups = place.backups().size();
                if (backups < table.definition().replicas()
                        && (anyDrains || backups + 1 < wanted)
                        && lacks(place, wanted)
                        && !our.state().standsOnParity(table.definition().id(), a)) {
                    Candidate joiner = joiner(table, a, candidates);
                    any |= joiner != null || !table.definition().hasParity();
                    if (joiner != null) {
                        order(table.definition().id(), a, place, joiner);
                    }
                }
            }
        }
        return any;
    }

    /** Whether a group has fewer members than wanted on bricks that are not being drained. */
    private boolean lacks(Place place, int wanted) {
        long staying = place.members().stream()
                .filter(member -> !our.state().drains(member.brick()))
                .count();
        return !place.lost() && !place.none() && staying < wanted;
    }

    /** Orders a join, unless the partition changes or the primary's brick has enough joins. */
    private void order(int table, int partition, Place place, Candidate joiner) {
        LiveBrick primary = bricks.get(place.brick());
        if (primary == null
                || !bricks.isUp(primary)
                || our.state().isChanging(table, partition)
                || our.state().isGroupChanging(table, partition)
                || stalled.rests(table, partition)
                || allocator.from(MigrationKind.LEARNER, place.brick()) + proposed >= BRICK_JOINS_MAX) {
            return;
        }
        proposed++;
        Command.Host host = joiner.host();
        our.log().propose(Command.BeginMigration.learner(table, partition, place.epoch(), host), result -> {
            proposed--;
            log.info("a copy of partition {} of table {} at brick {}: {}", partition, table, host.brick(), result);
        });
    }

    private @Nullable Candidate joiner(TableMap table, int partition, List<Candidate> candidates) {
        Place place = our.state().place(table.definition().id(), partition);
        return Placement.inOrder(candidates).stream()
                .filter(candidate -> place.members().stream().noneMatch(member -> member.brick() == candidate.brick()))
                .filter(candidate -> !allocator.learnerHasFailed(candidate.brick())
                        && allocator.to(MigrationKind.LEARNER, candidate.brick()) < BRICK_JOINS_MAX
                        && conversions.mayJoin(table, partition, candidate.brick(), candidates))
                .findFirst()
                .orElse(null);
    }
}
