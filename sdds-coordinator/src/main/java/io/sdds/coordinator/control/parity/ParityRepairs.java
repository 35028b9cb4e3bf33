package io.sdds.coordinator.control.parity;

import io.sdds.coordinator.control.base.ChangeText;
import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.base.Reconciler;
import io.sdds.coordinator.control.member.BrickRegistry;
import io.sdds.coordinator.control.member.FailureDetector;
import io.sdds.coordinator.control.migration.MigrationTracker;
import io.sdds.coordinator.control.placement.Allocator;
import io.sdds.coordinator.control.placement.Loads;
import io.sdds.coordinator.control.placement.Placement.Candidate;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.coordinator.state.Result;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableMap;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes parity groups whole again: orders a spare for each degraded column, and then a new process for each missing
 * parity, and for each parity on a brick that is being drained. {@link MigrationTracker} follows each order.
 */
public final class ParityRepairs implements Reconciler {
    /*
     * docs/design/parity.md, rules 28 and 29. Level-triggered as the other schedulers are: each tick looks for
     * groups that lack members and have no order for them. Spares come first, because writes of a degraded column wait
     * for its spare, and all degraded columns of a group fill at the same time, from the same slices. A parity is built
     * from complete columns, one parity of a group at a time. While any process of the group is gone, nothing is
     * ordered: ParityReconciler decides first, or waits. A column that splits or merges gets its spare after its lead
     * has decided how the split or merge ends (rule 31).
     *
     * Sender and receiver of a parity order are the first column of the group, and its level is the index of the
     * parity. A parity on a drained brick stays a member until its new process has joined.
     */

    /** Largest number of spares ordered at once. */
    private static final int RECOVERIES_AT_ONCE = 64;

    /** Largest number of parities ordered at once. */
    private static final int PARITIES_AT_ONCE = 16;

    /** Largest number of parities that are built on a brick, so that the building leaves the stages to the clients. */
    private static final int BRICK_PARITIES_MAX = 4;

    /** What a column or a parity takes beside its records, at least. */
    private static final int COPY_BYTES = 16 << 10;

    private static final Logger log = LoggerFactory.getLogger(ParityRepairs.class);

    private final ControlContext our;
    private final BrickRegistry bricks;
    private final FailureDetector detector;
    private final Allocator allocator;
    private final MigrationTracker migrations;
    private final TableConversions conversions;
    private final Loads loads;

    /** Tables with a column or parity for which no brick can be the spare. */
    private final Set<Integer> lackingSpares = new TreeSet<>();

    private int proposed;

    public ParityRepairs(
            ControlContext our,
            BrickRegistry bricks,
            FailureDetector detector,
            Allocator allocator,
            MigrationTracker migrations,
            TableConversions conversions) {
        this.our = our;
        this.bricks = bricks;
        this.detector = detector;
        this.allocator = allocator;
        this.migrations = migrations;
        this.conversions = conversions;
        this.loads = new Loads(bricks);
    }

    @Override
    public void onLeading() {
        proposed = 0;
        lackingSpares.clear();
    }

    /** Whether a table has a column or parity for which no brick can be the spare. */
    public boolean lacksSpare(int table) {
        return lackingSpares.contains(table);
    }

    /** The bricks that may take columns and parities now. */
    Spares spares() {
        return new Spares(allocator, BRICK_PARITIES_MAX);
    }

    @Override
    public void tick() {
        our.state().repairs().forEach(this::abandonIfFailed);
        if (proposed == 0) {
            order();
        }
    }

    /** Abandons a repair whose target is silent or is being drained. A spare that is primary stays. */
    private void abandonIfFailed(MigrationOrder order) {
        int target = order.learner().brick();
        boolean silent = bricks.silentNanos(target) >= our.settings().silenceNanos();
        boolean isPrimary =
                our.state().place(order.table(), order.receiver()).primary().equals(order.learner());
        if (!isPrimary && (silent || our.state().drains(target))) {
            allocator.failed(order);
            migrations.abandon(order);
        }
    }

    private void order() {
        lackingSpares.clear();
        Spares spares = spares();
        for (TableMap table : our.state().tables()) {
            int groups = our.state().groups(table.definition().id());
            for (int number = 0; number < groups; number++) {
                ParityGroup group = our.state().parityGroup(table.definition().id(), number);
                if (needsProcess(group)
                        && group.judged().stream().noneMatch(detector::isGone)
                        && conversions.mayGetParity(group)) {
                    repair(group, spares);
                }
            }
        }
    }

    /** Whether a group lacks a member, or has a parity on a brick that is being drained. */
    private boolean needsProcess(ParityGroup group) {
        return isLacking(group) || group.firstParityOn(our.state()::drains) >= 0;
    }

    private static boolean isLacking(ParityGroup group) {
        return group.lacking(process -> false) > 0;
    }

    private void repair(ParityGroup group, Spares spares) {
        if (!group.areColumnsComplete()) {
            orderSpares(group, spares);
        } else if (group.repairs().isEmpty()
                && proposed < PARITIES_AT_ONCE
                && !our.state().isSendingAny(group)) {
            Candidate process = spares.forParity(group, bytes(group));
            if (process != null) {
                long epoch = group.columns().getFirst().epoch();
                order(
                        Command.BeginMigration.parity(group.table().id(), group.first(), epoch, process.host()),
                        bytes(group));
            } else if (isLacking(group) && !spares.anyForParity(group, bytes(group))) {
                lackingSpares.add(group.table().id());
            }
        }
    }

    private void orderSpares(ParityGroup group, Spares spares) {
        Set<Integer> chosen = new TreeSet<>();
        for (int k = 0; k < group.columns().size() && proposed < RECOVERIES_AT_ONCE; k++) {
            int column = group.first() + k;
            Place place = group.columns().get(k);
            if (group.isDegraded(place)
                    && group.recovery(column) == null
                    && !our.state().isSending(group.table().id(), column)) {
                Candidate spare = spares.forColumn(group, chosen, bytes(group));
                if (spare != null) {
                    chosen.add(spare.brick());
                    order(
                            Command.BeginMigration.recovery(group.table().id(), column, place.epoch(), spare.host()),
                            bytes(group));
                } else if (!spares.anyForColumn(group, bytes(group))) {
                    lackingSpares.add(group.table().id());
                }
            }
        }
    }

    /** About as many bytes as a column or a parity of a group takes: those of the largest column that is reported. */
    private long bytes(ParityGroup group) {
        long most = 0;
        for (int k = 0; k < group.columns().size(); k++) {
            most = Math.max(
                    most,
                    loads.of(
                                    group.table().id(),
                                    group.first() + k,
                                    group.columns().get(k))
                            .bytes());
        }
        return COPY_BYTES + most;
    }

    private void order(Command.BeginMigration command, long bytes) {
        proposed++;
        our.log().propose(command, result -> {
            proposed--;
            if (result instanceof Result.MigrationBegun(MigrationOrder order)) {
                allocator.begun(order, bytes);
                log.info("{}", new ChangeText(our.state()).of(order));
            } else {
                log.debug("a repair is refused: {}", result);
            }
        });
    }
}
