package io.sdds.coordinator.control.schedule;

import io.sdds.coordinator.control.base.ChangeText;
import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.base.Reconciler;
import io.sdds.coordinator.control.member.BrickRegistry;
import io.sdds.coordinator.control.member.LiveBrick;
import io.sdds.coordinator.control.migration.MigrationTracker;
import io.sdds.coordinator.control.migration.StalledOrders;
import io.sdds.coordinator.control.parity.TableConversions;
import io.sdds.coordinator.control.placement.Allocator;
import io.sdds.coordinator.control.placement.Balance;
import io.sdds.coordinator.control.placement.Loads;
import io.sdds.coordinator.control.placement.Placement.Candidate;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.coordinator.state.Result;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableMap;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Orders moves of partitions of one copy and of columns of parity groups: off bricks that are being drained, off bricks
 * that hold two columns of a group, and as {@link Balance} chooses. {@link MigrationTracker} follows each move.
 */
public final class MoveScheduler implements Reconciler {
    /*
     * The scheduler is level-triggered, as the scheduler of splits is: each tick looks for partitions that should move
     * and have no other migration. A move that was given up is ordered again, to another brick than the failed one if
     * there is one.
     *
     * A parity group has one move or repair at a time, and a move only while it lacks no member: the group then
     * tolerates as many losses during the move as before it. A column never moves to a brick that holds another member
     * of its group, because the group would tolerate fewer losses afterwards. ParityRepairs gives the parities
     * on drained bricks other processes.
     *
     * Columns of a group share a brick after a recovery to one that held a column already, because no other brick was
     * up (Spares). They move apart as soon as another brick can take one of them: each move leaves fewer columns to
     * separate, and no move makes two columns share a brick, so these moves end. Of the columns on the brick the
     * smallest one moves. Balance by bytes waits for these moves, because the table can lose fewer bricks until then.
     */

    /**
     * Largest number of moves from a brick, and also of moves to a brick, so that moves leave the stages to the
     * clients.
     */
    private static final int BRICK_MOVES_MAX = 4;

    /**
     * Largest number of moves from or to a brick by which columns of a group leave a common brick. The pace of the
     * bricks bounds the bytes that move. So this number matters only for many small columns: the move of a small column
     * takes as long as a few messages.
     */
    public static final int BRICK_SEPARATIONS_MAX = 16;

    private static final int ORDERED_A_TICK = 16;
    private static final Logger log = LoggerFactory.getLogger(MoveScheduler.class);

    private final ControlContext our;
    private final BrickRegistry bricks;
    private final Allocator allocator;
    private final TableConversions conversions;
    private final Loads loads;
    private final StalledOrders stalled;

    /** Time at which each table was seen to split or merge last. */
    private final Map<Integer, Long> changedNanos = new TreeMap<>();

    private boolean separates;
    private int proposed;

    public MoveScheduler(
            ControlContext our,
            BrickRegistry bricks,
            Allocator allocator,
            StalledOrders stalled,
            TableConversions conversions) {
        this.conversions = conversions;
        this.stalled = stalled;
        this.our = our;
        this.bricks = bricks;
        this.allocator = allocator;
        this.loads = new Loads(bricks);
    }

    @Override
    public void onLeading() {
        changedNanos.clear();
        separates = false;
        proposed = 0;
    }

    /** Whether a table has not split or merged for a while, and may change. */
    boolean isAtRest(int table) {
        Long changed = changedNanos.get(table);
        boolean rests = changed == null
                || our.env().nowNanos() - changed >= our.settings().rebalanceAfterNanos();
        return rests && !conversions.holds(table);
    }

    @Override
    public void tick() {
        changedNanos.keySet().removeIf(table -> our.state().table(table) == null);
        for (TableMap table : our.state().tables()) {
            if (!our.state().splitsOf(table.definition().id()).isEmpty()) {
                changedNanos.put(table.definition().id(), our.env().nowNanos());
            }
        }
        if (proposed == 0) {
            boolean anyDrains =
                    our.state().bricks().stream().anyMatch(brick -> our.state().drains(brick.number()));
            separates = false;
            our.state().tables().stream()
                    .filter(table -> table.definition().hasParity())
                    .forEach(table -> moveColumns(table, anyDrains));
            if (anyDrains) {
                our.state().tables().stream().filter(this::isOfOneCopy).forEach(this::empty);
            }
        }
    }

    private boolean isOfOneCopy(TableMap table) {
        int id = table.definition().id();
        return !table.definition().hasParity() && !our.state().isReplicated(id) && !conversions.holds(id);
    }

    /** Whether columns of a parity group are moving to different bricks, or can. */
    boolean separates() {
        return separates;
    }

    /**
     * Orders moves of the columns of a table with parity off bricks that are being drained, and off bricks that hold
     * two columns of a group: one of each group.
     */
    private void moveColumns(TableMap table, boolean anyDrains) {
        int id = table.definition().id();
        for (int number = 0; number < our.state().groups(id) && proposed < ORDERED_A_TICK; number++) {
            if (anyDrains || our.state().sharesBrick(id, number)) {
                moveColumn(table, our.state().parityGroup(id, number));
            }
        }
    }

    private void moveColumn(TableMap table, ParityGroup group) {
        int drained = columnOnDrainedBrick(group);
        int column = drained >= 0 ? drained : columnToSeparate(group);
        if (column < 0) {
            return;
        }
        int most = drained >= 0 ? BRICK_MOVES_MAX : BRICK_SEPARATIONS_MAX;
        Candidate target = mayChange(group) ? allocator.forMoveOfColumn(group, most - proposed) : null;
        separates |= drained < 0 && (target != null || isMovingAny(group));
        if (target != null) {
            order(table, column, target, most);
        }
    }

    private static boolean isMovingAny(ParityGroup group) {
        return group.repairs().stream().anyMatch(MigrationOrder::isMove);
    }

    /** The first column of a group on a brick that is being drained; -1 if there is none. */
    private int columnOnDrainedBrick(ParityGroup group) {
        for (int k = 0; k < group.columns().size(); k++) {
            Place place = group.columns().get(k);
            if (!place.none() && our.state().drains(place.brick())) {
                return group.first() + k;
            }
        }
        return -1;
    }

    /** The smallest of the columns of a group on the brick that holds the most of them; -1 if each is alone. */
    private int columnToSeparate(ParityGroup group) {
        return group.columnsOnOneBrick().stream()
                .min(Comparator.comparingLong(column -> loads.of(group.table().id(), column, group.column(column))
                        .bytes()))
                .orElse(-1);
    }

    /** Whether a parity group lacks no member, all its bricks are up, and nothing is ordered for it. */
    boolean mayChange(ParityGroup group) {
        return !group.standsOnReplicas()
                && !conversions.holdsColumns(group.table().id())
                && group.repairs().isEmpty()
                && group.lacking(this::isDown) == 0
                && !our.state().isSendingAny(group);
    }

    private boolean isDown(Place.Member process) {
        LiveBrick brick = bricks.get(process.brick());
        return brick == null || !bricks.isUp(brick);
    }

    /** Orders moves of a table's partitions off bricks that are being drained. */
    private void empty(TableMap table) {
        int id = table.definition().id();
        for (int a = 0; a < table.partitions() && proposed < ORDERED_A_TICK; a++) {
            if (our.state().drains(our.state().place(id, a).brick())) {
                Candidate target = allocator.forMove(id, BRICK_MOVES_MAX - proposed);
                if (target != null) {
                    order(table, a, target);
                }
            }
        }
    }

    /** Orders a move, unless the partition has another migration or its brick has enough moves. */
    void order(TableMap table, int partition, Candidate target) {
        order(table, partition, target, BRICK_MOVES_MAX);
    }

    private void order(TableMap table, int partition, Candidate target, int brickMovesMax) {
        int id = table.definition().id();
        Place place = our.state().place(id, partition);
        LiveBrick source = bricks.get(place.brick());
        if (source == null
                || !bricks.isUp(source)
                || our.state().isChanging(id, partition)
                || stalled.rests(id, partition)
                || allocator.from(MigrationKind.MOVE, place.brick()) + proposed >= brickMovesMax) {
            return;
        }
        proposed++;
        PartitionLoad load = source.load(id, partition);
        long bytes = load == null ? 0 : load.bytes();
        our.log()
                .propose(
                        Command.BeginMigration.move(id, partition, place.epoch(), target.host()),
                        result -> begun(bytes, result));
    }

    private void begun(long bytes, Result result) {
        proposed--;
        if (result instanceof Result.MigrationBegun(MigrationOrder order)) {
            allocator.begun(order, bytes);
            log.info("{}", new ChangeText(our.state()).of(order));
        } else {
            log.debug("a move is refused: {}", result);
        }
    }
}
