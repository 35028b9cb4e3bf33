package io.sdds.coordinator.control;

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

/** What becomes of migrations: bricks report how each one ended, and the map changes or the order is void. */
final class MigrationTracker implements Reconciler {
    /*
     * Level-triggered: a heartbeat says how migrations stand, again and again, and the state says what was ordered. A
     * report that ends an order leads to a proposal, and the state's own comparison makes a second one harmless. So a
     * new leader needs to know nothing.
     *
     * The source's commit is the commit point. Whoever leads the source abandons a migration, in its epoch: the next
     * leader may know more. A target that was handed over to knows of the commit as well and may outlive the source.
     * With the source lost the targets have the last word: one that was told serves, and the migration is over when
     * none was. A merge of groups is complete once the parent's group has committed that it takes the child's records.
     * A member of the child's group reports the end only when the parent is lost, and what was handed over with it.
     */
    private static final Logger log = LoggerFactory.getLogger(MigrationTracker.class);

    private final ControlContext our;
    private final BrickRegistry bricks;
    private final Allocator allocator;
    private final Set<Long> proposed = new TreeSet<>();

    MigrationTracker(ControlContext our, BrickRegistry bricks, Allocator allocator) {
        this.our = our;
        this.bricks = bricks;
        this.allocator = allocator;
    }

    @Override
    public void onLeading() {
        proposed.clear();
    }

    void onHeartbeat(LiveBrick brick, Heartbeat heartbeat) {
        heartbeat.migrations().forEach(report -> take(brick, report));
    }

    private void take(LiveBrick brick, MigrationReport report) {
        MigrationOrder order = our.state().migration(report.migration());
        if (order == null || proposed.contains(order.id())) {
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

    /** Whether a brick that says that a migration is committed can know it. */
    private boolean isCommitted(MigrationOrder order, LiveBrick brick, Place sender, Place receiver) {
        return switch (order.kind()) {
            case LEARNER -> brick.leads(sender);
            case SPLIT, MOVE -> brick.leads(sender) || brick.holds(receiver);
            case MERGE -> brick.holds(receiver) || receiver.lost() && brick.holds(sender);
            case UNKNOWN -> false;
        };
    }

    /** With the sender lost: whether no target was told that the keys are its own. */
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
                && brick.migrations().stream()
                        .anyMatch(report -> report.migration() == id && report.state() == MigrationState.ABANDONED);
    }

    /** The order shall be void, unless its end is proposed already. */
    void abandon(MigrationOrder order) {
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
        if (command instanceof Command.CommitMigration && result instanceof Result.Applied(long version)) {
            allocator.committed(order, version);
            log.debug("migration committed: {}", order);
        } else if (result instanceof Result.Applied) {
            allocator.abandoned(order);
            log.info("migration abandoned: {}", order);
        }
    }
}
