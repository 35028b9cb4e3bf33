package io.sdds.coordinator.control.schedule;

import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.base.Reconciler;
import io.sdds.coordinator.control.member.BrickRegistry;
import io.sdds.coordinator.control.member.LiveBrick;
import io.sdds.coordinator.control.migration.StalledOrders;
import io.sdds.coordinator.control.parity.ColumnSplits;
import io.sdds.coordinator.control.placement.Allocator;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.control.ControlMessage.SplitWanted;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides which partition splits next, and which bricks get its child. Tables split independently of each other. */
public final class SplitScheduler implements Reconciler {
    /*
     * The scheduler is level-triggered: each heartbeat repeats the splits that its brick wants. A second proposal does
     * no harm, because the state compares it with the orders. So a new leader needs no memory.
     */
    /** Largest number of splits from a brick, and also of splits to a brick. */
    private static final int BRICK_SPLITS_MAX = 8;

    /**
     * Number of splits of a brick beyond which only tables without a split under way get another one, so that no table
     * keeps others from growing.
     */
    private static final int BRICK_SPLITS_SHARED = 4;

    private static final Logger log = LoggerFactory.getLogger(SplitScheduler.class);

    private final ControlContext our;
    private final Allocator allocator;
    private final ColumnSplits columns;
    private final StalledOrders stalled;
    private final IntPredicate held;
    private final Set<Integer> tablesProposed = new TreeSet<>();

    /** @param held whether no split of a table may begin */
    public SplitScheduler(
            ControlContext our, Allocator allocator, BrickRegistry bricks, StalledOrders stalled, IntPredicate held) {
        this.held = held;
        this.stalled = stalled;
        this.our = our;
        this.allocator = allocator;
        this.columns = new ColumnSplits(our, allocator, bricks);
    }

    public void onHeartbeat(LiveBrick brick, Heartbeat heartbeat) {
        for (SplitWanted wanted : heartbeat.splitsWanted()) {
            want(brick, wanted);
        }
    }

    private void want(LiveBrick brick, SplitWanted wanted) {
        TableMap table = our.state().table(wanted.table());
        if (table == null
                || tablesProposed.contains(wanted.table())
                || held.test(wanted.table())
                || stalled.rests(wanted.table(), wanted.partition())) {
            return;
        }
        if (table.definition().kind() == TableKind.RANGE) {
            wantRange(brick, wanted, table);
            return;
        }
        if (our.state().isMerging(wanted.table())) {
            return;
        }
        int partitions = our.state().partitionsOrdered(wanted.table());
        int n = LinearHashing.splitPointer(partitions);
        if (wanted.partition() != n
                || our.state().isMoving(wanted.table(), n)
                || !brick.leads(our.state().place(wanted.table(), n))) {
            return; // the split token is elsewhere, because the brick's map is older or newer than this coordinator's
        }
        int underWay = partitions - table.partitions();
        int most = underWay == 0 ? BRICK_SPLITS_MAX : BRICK_SPLITS_SHARED;
        if (underWay >= table.definition().split().atOnceMost() || allocator.splitsFrom(brick.number()) >= most) {
            return;
        }
        if (table.definition().hasParity()) {
            wantColumn(brick, new ColumnSplits.Wanted(table, n, partitions, KeySpan.ALL), most);
            return;
        }
        List<Command.Host> hosts = allocator.forChild(table, n, most);
        if (!hosts.isEmpty()) {
            long epoch = our.state().place(wanted.table(), n).epoch();
            propose(brick, n, Command.BeginMigration.split(wanted.table(), partitions, epoch, hosts));
        }
    }

    /** Takes the wish to split of a partition of a table with parity, which has all conditions of other tables. */
    private void wantColumn(LiveBrick brick, ColumnSplits.Wanted wanted, int most) {
        switch (columns.next(wanted, most)) {
            case Command.BeginMigration begin -> propose(brick, wanted.parent(), begin);
            case Command.AddColumn add -> add(add);
            case null, default -> {} // the parity groups are not whole, or too few bricks can take a column
        }
    }

    private void add(Command.AddColumn add) {
        tablesProposed.add(add.table());
        our.log().propose(add, result -> {
            tablesProposed.remove(add.table());
            log.debug("column {} of table {} on brick {}: {}", add.column(), add.table(), add.host(), result);
        });
    }

    private void propose(LiveBrick brick, int parent, Command.BeginMigration begin) {
        PartitionLoad load = brick.load(begin.table(), parent);
        long movingBytes = load == null ? 0 : load.bytes() / 2;
        tablesProposed.add(begin.table());
        our.log().propose(begin, result -> begun(begin.table(), movingBytes, result));
    }

    /** Takes the wish to split of a partition of a range table. Each such partition splits independently. */
    private void wantRange(LiveBrick brick, SplitWanted wanted, TableMap table) {
        int id = wanted.table();
        int parent = wanted.partition();
        if (!our.state().exists(id, parent)
                || our.state().isChanging(id, parent)
                || !brick.leads(our.state().place(id, parent))
                || !Arrays.equals(
                        our.state().span(id, parent).high(), wanted.span().high())) {
            return; // the brick's map is older or newer than this coordinator's
        }
        int underWay = our.state().splitsOf(id).size();
        int most = underWay == 0 ? BRICK_SPLITS_MAX : BRICK_SPLITS_SHARED;
        if (underWay >= table.definition().split().atOnce() || allocator.splitsFrom(brick.number()) >= most) {
            return;
        }
        int child = our.state().freeNumber(id);
        if (table.definition().hasParity()) {
            wantColumn(brick, new ColumnSplits.Wanted(table, parent, child, wanted.span()), most);
            return;
        }
        List<Command.Host> hosts = allocator.forChild(table, parent, most);
        if (!hosts.isEmpty()) {
            long epoch = our.state().place(id, parent).epoch();
            propose(brick, parent, Command.BeginMigration.rangeSplit(id, parent, child, wanted.span(), epoch, hosts));
        }
    }

    private void begun(int table, long movingBytes, Result result) {
        tablesProposed.remove(table);
        if (result instanceof Result.MigrationBegun(MigrationOrder order)) {
            allocator.begun(order, movingBytes);
            log.debug("split ordered: {}", order);
        } else {
            log.debug("no split of table {}: {}", table, result);
        }
    }

    @Override
    public void onLeading() {
        tablesProposed.clear();
    }
}
