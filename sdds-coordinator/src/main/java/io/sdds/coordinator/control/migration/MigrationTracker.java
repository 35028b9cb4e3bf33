package io.sdds.coordinator.control.migration;

import io.sdds.coordinator.control.base.ChangeText;
import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.base.Reconciler;
import io.sdds.coordinator.control.member.BrickRegistry;
import io.sdds.coordinator.control.member.LiveBrick;
import io.sdds.coordinator.control.placement.Allocator;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;
import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends migrations. Bricks report how each migration ended; the tracker commits the migration in the map or abandons it.
 */
public final class MigrationTracker implements Reconciler {
    /*
     * The tracker is level-triggered: each heartbeat repeats the states of migrations, and the state has the orders. A
     * report that ends an order leads to a proposal. A second proposal does no harm, because the state compares it with
     * the order. So a new leader needs no memory.
     *
     * The source's commit is the commit point. The leader of the source may abandon a migration in its epoch, because
     * the next leader may know more. A target that was told of the hand-over knows of the commit as well, and may
     * outlive the source. If the source is lost, the targets decide: a target that was told serves, and the migration
     * is abandoned if no target was told. A merge of groups is complete once the parent's group has committed that it
     * takes the child's records. A member of the child's group reports the end only when the parent is lost, and the
     * records with it.
     *
     * A repair of a parity group is reported by its target: the source of a recovery is a parity that may be replaced
     * meanwhile.
     */
    private static final Logger log = LoggerFactory.getLogger(MigrationTracker.class);

    private final ControlContext our;
    private final BrickRegistry bricks;
    private final Allocator allocator;
    private final StalledOrders stalled;
    private final Set<Long> proposed = new TreeSet<>();

    public MigrationTracker(ControlContext our, BrickRegistry bricks, Allocator allocator, StalledOrders stalled) {
        this.stalled = stalled;
        this.our = our;
        this.bricks = bricks;
        this.allocator = allocator;
    }

    @Override
    public void onLeading() {
        proposed.clear();
    }

    public void onHeartbeat(LiveBrick brick, Heartbeat heartbeat) {
        heartbeat.migrations().forEach(report -> take(brick, report));
    }

    private void take(LiveBrick brick, MigrationReport report) {
        MigrationOrder order = our.state().migration(report.migration());
        if (order == null || proposed.contains(order.id())) {
            return;
        }
        if (report.state() == MigrationState.SHIPPING) {
            stalled.reported(report);
        }
        if (order.isRepair()) {
            takeOfRepair(brick, report, order);
            return;
        }
        Place sender = our.state().place(order.table(), order.sender());
        Place receiver = order.isMerge() ? our.state().place(order.table(), order.receiver()) : order.target();
        boolean leads = brick.leads(sender);
        if (report.state() == MigrationState.HANDED_OVER && isCommitted(order, brick, sender, receiver)) {
            end(order, new Command.CommitMigration(order.id()));
        } else if (report.state() == MigrationState.ABANDONED
                && (leads || sender.lost() && isAbandonedByTargets(order, brick, receiver))) {
            if (leads) {
                allocator.failed(order);
            }
            abandon(order);
        }
    }

    /**
     * Takes a report of a spare or of a new parity. A spare goes on to report that it has taken the column over until
     * the order has left the map.
     */
    private void takeOfRepair(LiveBrick brick, MigrationReport report, MigrationOrder order) {
        if (!brick.leads(order.target())) {
            return;
        }
        boolean isFilling = order.isRecovery() && brick.leads(our.state().place(order.table(), order.receiver()));
        switch (report.state()) {
            case HANDED_OVER, FILLED -> {
                if (!isFilling) {
                    end(order, new Command.CommitMigration(order.id()));
                } else if (report.state() == MigrationState.FILLED) {
                    end(order, new Command.EndRecovery(order.id()));
                }
            }
            case ABANDONED -> {
                allocator.failed(order);
                abandon(order);
            }
            case SHIPPING, UNKNOWN -> {}
        }
    }

    /** Whether a brick that reports a migration as committed can know this. */
    private boolean isCommitted(MigrationOrder order, LiveBrick brick, Place sender, Place receiver) {
        return switch (order.kind()) {
            case LEARNER -> brick.leads(sender);
            case SPLIT, MOVE -> brick.leads(sender) || brick.holds(receiver);
            case MERGE -> brick.holds(receiver) || receiver.lost() && brick.holds(sender);
            case RECOVERY, PARITY, UNKNOWN -> false;
        };
    }

    /** Whether no target of a migration with a lost sender was told of the hand-over. */
    private boolean isAbandonedByTargets(MigrationOrder order, LiveBrick brick, Place receiver) {
        return order.isMerge()
                ? brick.leads(receiver)
                : order.target().members().stream()
                        .filter(member -> our.state().isCurrent(member.brick(), member.incarnation()))
                        .allMatch(member -> hasAbandoned(member.brick(), order.id()));
    }

    private boolean hasAbandoned(int number, long id) {
        LiveBrick brick = bricks.get(number);
        return brick != null
                && reports(brick, id, MigrationState.ABANDONED)
                && !reports(brick, id, MigrationState.HANDED_OVER);
    }

    private static boolean reports(LiveBrick brick, long id, MigrationState state) {
        return brick.migrations().stream().anyMatch(report -> report.migration() == id && report.state() == state);
    }

    /** Abandons a migration, unless its end is proposed already. */
    public void abandon(MigrationOrder order) {
        Place sender = our.state().place(order.table(), order.sender());
        Place decides = sender.lost() && order.isMerge() ? our.state().place(order.table(), order.receiver()) : sender;
        if (!proposed.contains(order.id())) {
            end(order, new Command.AbandonMigration(order.id(), decides.epoch()));
        }
    }

    private void end(MigrationOrder order, Command command) {
        proposed.add(order.id());
        our.log().propose(command, result -> ended(order, command, result));
    }

    private void ended(MigrationOrder order, Command command, Result result) {
        proposed.remove(order.id());
        if (command instanceof Command.CommitMigration && order.isRecovery()) {
            log.debug("a spare takes a column over: {}: {}", order, result); // its records are still on their way
        } else if (!(command instanceof Command.AbandonMigration) && result instanceof Result.Applied(long version)) {
            allocator.committed(order, version);
            log.debug("migration committed: {}", order);
        } else if (result instanceof Result.Applied) {
            allocator.abandoned(order);
            stalled.abandoned(order);
            log.info("an order is abandoned: {}", new ChangeText(our.state()).of(order));
        }
    }
}
