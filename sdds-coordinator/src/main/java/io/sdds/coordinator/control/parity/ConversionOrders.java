package io.sdds.coordinator.control.parity;

import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.placement.Allocator;
import io.sdds.coordinator.control.placement.Placement.Candidate;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.coordinator.state.Result;
import io.sdds.core.model.MigrationKind;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The commands that {@link TableConversions} proposes for groups, in either direction. */
final class ConversionOrders {
    /**
     * Largest number of joins from a brick, and also of joins to a brick, as in
     * {@link io.sdds.coordinator.control.schedule.ReplicaReconciler}.
     */
    private static final int BRICK_JOINS_MAX = 4;

    private static final int ORDERED_A_TICK = 16;
    private static final Logger log = LoggerFactory.getLogger(ConversionOrders.class);

    private final ControlContext our;
    private final Allocator allocator;
    private int proposed;

    ConversionOrders(ControlContext our, Allocator allocator) {
        this.our = our;
        this.allocator = allocator;
    }

    void onLeading() {
        proposed = 0;
    }

    /** Whether commands are proposed whose results are not known yet. */
    boolean arePending() {
        return proposed > 0;
    }

    /** Whether another command may be proposed in this tick. */
    boolean mayPropose() {
        return proposed < ORDERED_A_TICK;
    }

    /** Whether a member of a column of a group joins or leaves by an order. */
    boolean areMembersChanging(ParityGroup group) {
        return IntStream.range(group.first(), group.first() + group.columns().size())
                .anyMatch(column -> our.state().isGroupChanging(group.table().id(), column));
    }

    /** Whether a brick can take another copy now. */
    boolean canJoin(Candidate candidate) {
        return !allocator.learnerHasFailed(candidate.brick())
                && allocator.to(MigrationKind.LEARNER, candidate.brick()) < BRICK_JOINS_MAX;
    }

    /** Orders a copy of a column, unless enough copies leave the brick of its primary. */
    void copy(ParityGroup group, int column, Candidate joiner, String purpose) {
        int source = group.column(column).brick();
        if (allocator.from(MigrationKind.LEARNER, source) + proposed >= BRICK_JOINS_MAX) {
            return;
        }
        int table = group.table().id();
        long epoch = group.column(column).epoch();
        propose(
                Command.BeginMigration.learner(table, column, epoch, joiner.host()),
                result -> log.info(
                        "a copy of partition {} of table {} at brick {} {}: {}",
                        column,
                        table,
                        joiner.brick(),
                        purpose,
                        result));
    }

    /** Has backups leave columns that stand on parity. */
    void leave(List<Command.GroupChange> changes) {
        log.warn(
                "backups leave {} {} whose table is being converted, because they are gone or missed",
                changes.size(),
                changes.size() == 1 ? "column" : "columns");
        propose(new Command.ChangeGroups(changes), result -> {});
    }

    /** @param outcome what the group stands on then */
    void end(ParityGroup group, String outcome) {
        propose(new Command.EndConversion(group.table().id(), group.number(), group.epochs()), result -> {
            if (result instanceof Result.Applied) {
                log.info(
                        "parity group {} of table {} stands on {}",
                        group.number(),
                        group.table().name(),
                        outcome);
            }
        });
    }

    private void propose(Command command, Consumer<Result> then) {
        proposed++;
        our.log().propose(command, result -> {
            proposed--;
            then.accept(result);
        });
    }
}
