package io.sdds.brick.node;

import io.sdds.brick.group.Groups;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.migration.Migrations;
import io.sdds.brick.parity.recovery.Recoveries;
import io.sdds.brick.parity.stage.ParityStage;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.stage.EmptyPartitions;
import io.sdds.brick.stage.Maintenance;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.LeaveOrder;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import java.util.List;
import java.util.function.IntPredicate;

/** Creates and frees the partitions of this stage as the map says, and leaves replica groups as it orders. */
final class PartitionLifecycle {
    private final BrickMap map;
    private final Tables tables;
    private final RecordStore store;
    private final Migrations migrations;
    private final Recoveries recoveries;
    private final ParityStage parity;
    private final Groups groups;
    private final Maintenance maintenance;
    private final IntPredicate owned;
    private final Runnable created;

    /** The orders to leave in the map before the last update. */
    private List<LeaveOrder> leaves = List.of();

    /**
     * @param created runs after a partition was created, because the client that creates the table waits for this brick
     */
    PartitionLifecycle(
            StageContext context,
            Migrations migrations,
            Recoveries recoveries,
            ParityStage parity,
            Maintenance maintenance,
            Runnable created) {
        this.map = context.map();
        this.tables = context.tables();
        this.store = context.store();
        this.migrations = migrations;
        this.recoveries = recoveries;
        this.parity = parity;
        this.groups = parity.groups();
        this.maintenance = maintenance;
        this.owned = context.owned();
        this.created = created;
    }

    /** Takes a change of the map; false if earlier changes are missing here. */
    boolean take(MapUpdate update, BrickInfo self) {
        if (!map.apply(update, this::dropTable)) {
            return false;
        }
        for (AddressBlock block : update.blocks()) {
            takeBlock(block, self);
        }
        if (!update.tables().isEmpty()) {
            dropMerged();
            dropParities();
        }
        reconcileColumns();
        if (update.sessionNext() != 0) {
            tables.forEach(partition -> partition.results().dropEnded(map::sessionEnded));
            parity.parities().dropEnded(map::sessionEnded);
        }
        migrations.reconcile();
        recoveries.reconcile();
        parity.joins().reconcile();
        leaveGroups(self);
        return true;
    }

    /** Gives up this brick's copies in the groups that it is ordered to leave. A later map says when to free them. */
    private void leaveGroups(BrickInfo self) {
        for (LeaveOrder order : map.leaves()) {
            Partition partition = owned.test(order.partition()) ? tables.find(order.table(), order.partition()) : null;
            if (partition == null) {
                continue;
            }
            if (order.leaver().equals(new Place.Member(self.number(), self.incarnation()))) {
                groups.leave(partition, order.epoch());
            } else if (!leaves.contains(order)) {
                groups.reportSoon(); // the coordinator waits until a remaining member has heard of the order
            }
        }
        leaves = map.leaves();
    }

    /**
     * Drops the copies of merged children, whose records the parents have, and the idle columns of tables that have no
     * parity any more.
     */
    private void dropMerged() {
        for (TableView table : map.tables()) {
            if (table.definition().hasParity() && !table.definition().isConvertingToParity()) {
                continue; // the child stays as an idle column
            }
            for (Partition partition : tables.from(table.definition().id(), table.partitionsInMap())) {
                if (!table.standsOnParity(partition.number())
                        && !partition.group().isJoining()
                        && !isKept(partition)) {
                    migrations.drop(partition);
                }
            }
        }
    }

    /** Drops the parities of tables that have no parity any more, because they have been converted to replicas. */
    private void dropParities() {
        for (TableView table : map.tables()) {
            if (!table.definition().hasParity()) {
                parity.parities().dropTable(table.definition().id());
            }
        }
    }

    /**
     * Idle columns own the keys of their numbers if the table has grown to them by the coordinators' map. The target of
     * the split may be another process, which has been lost since. A column is idle after the merge of its partition.
     */
    private void reconcileColumns() {
        tables.forEach(partition -> {
            TableView table = map.table(partition.table());
            if (table != null && table.definition().hasParity()) {
                boolean idle = table.isIdleInMap(partition.number());
                if (partition.isIdle() != idle && (!idle || !isChild(partition))) {
                    partition.group().forgetSubsumed();
                    if (idle) {
                        partition.idle(true);
                    } else {
                        EmptyPartitions.wake(table, partition);
                    }
                    tables.changed(partition);
                }
            }
        });
    }

    /** Whether a column is the child of a split or merge that is under way. */
    private boolean isChild(Partition column) {
        return map.migrations().stream()
                .anyMatch(order -> (order.isMerge() || order.kind() == MigrationKind.SPLIT)
                        && order.table() == column.table()
                        && order.child() == column.number());
    }

    /**
     * Whether a partition is kept that the map does not have: a child of a split or a merge that is still under way.
     */
    private boolean isKept(Partition partition) {
        return map.migrations().stream().anyMatch(order -> keeps(order, partition));
    }

    private static boolean keeps(MigrationOrder order, Partition partition) {
        return order.table() == partition.table()
                && order.child() == partition.number()
                && (order.isMerge() || order.id() == partition.migration());
    }

    private void takeBlock(AddressBlock block, BrickInfo self) {
        for (int k = 0; k < block.places().size(); k++) {
            int number = block.number() * AddressBlock.SIZE + k;
            if (owned.test(number)) {
                TableView table = map.table(block.table());
                Place known = table == null ? null : table.place(number);
                takePlace(block.table(), number, known == null ? block.places().get(k) : known, self);
            }
        }
        takeParities(block);
    }

    /** Creates, updates or drops the parity members here of the groups of a block. */
    private void takeParities(AddressBlock block) {
        TableView table = map.table(block.table());
        if (table == null || table.definition().parity().isNone()) {
            return;
        }
        int columns = table.definition().parity().columns();
        int first = block.number() * (AddressBlock.SIZE / columns);
        int end = Math.ceilDiv(block.places().size(), columns);
        for (int k = 0; k < end; k++) {
            if (owned.test(first + k)) {
                parity.parities().take(table, first + k);
            }
        }
    }

    /**
     * Creates, updates or drops a partition, because the map says where the partition is.
     *
     * @param place the place of the highest known epoch; a partition that was handed over may be ahead of the map
     */
    private void takePlace(int table, int number, Place place, BrickInfo self) {
        boolean here = place.has(self.number(), self.incarnation()) && !isDegraded(table, number, place);
        Partition partition = tables.find(table, number);
        if (partition == null) {
            if (here && place.migration() == 0) {
                create(table, number, withParities(table, number, place));
            } else if (here) {
                recoveries.takePlace(table, number, withParities(table, number, place));
            }
        } else if (here && place.migration() == 0 && partition.group().isFilling()) {
            migrations.drop(partition); // its records were given up, and the map places it here once more
            create(table, number, withParities(table, number, place));
        } else if (here) {
            partition.group().become(withParities(table, number, place));
        } else if (!partition.group().isJoining() && !(place.none() && isKept(partition))) {
            migrations.drop(partition);
        }
    }

    /** Whether a parity member leads the partition, so that no brick holds its records. */
    private boolean isDegraded(int table, int number, Place place) {
        TableView view = map.table(table);
        return view != null && view.isDegraded(number, place);
    }

    /** The members of a partition's group: those of its place, and the parity members of its parity group. */
    private Place withParities(int table, int number, Place place) {
        TableView view = map.table(table);
        Place all = view == null ? null : view.groupPlace(number);
        return all == null ? place : all;
    }

    /** Creates an empty partition (stream 0) that the map places with this process and that it never had. */
    private void create(int id, int number, Place place) {
        TableView table = map.table(id);
        if (table == null) {
            return; // a kind of a later version
        }
        Partition partition = EmptyPartitions.make(table, number, 0, store);
        partition.versionAtLeast(table.versionBefore(place.epoch()));
        groups.begin(partition, place);
        tables.add(partition);
        created.run();
    }

    private void dropTable(int table) {
        parity.parities().dropTable(table);
        for (Partition partition : tables.removeTable(table)) {
            partition.group().dissolve();
            maintenance.free(partition);
        }
    }
}
