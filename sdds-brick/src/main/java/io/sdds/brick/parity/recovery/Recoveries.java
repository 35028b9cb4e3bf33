package io.sdds.brick.parity.recovery;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.group.Group;
import io.sdds.brick.group.Groups;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.parity.RecoveryCounters;
import io.sdds.brick.parity.member.Column;
import io.sdds.brick.parity.member.ParityPartition;
import io.sdds.brick.parity.member.ParityPartitions;
import io.sdds.brick.parity.recovery.ColumnFrame.Cursor;
import io.sdds.brick.parity.recovery.ColumnFrame.Subject;
import io.sdds.brick.partition.MovedKeys;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.stage.EmptyPartitions;
import io.sdds.brick.stage.Maintenance;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Opcode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/**
 * The recoveries of lost columns in which this stage takes part (docs/design/parity.md, "A spare takes over"). As spare
 * it follows the recovery orders of the map. As parity member it answers the spares.
 */
public final class Recoveries {
    private final Groups groups;
    private final ParityPartitions parities;
    private final BrickMap map;
    private final Tables tables;
    private final RecordStore store;
    private final IntPredicate owned;
    private final Maintenance maintenance;
    private final ColumnSource source;
    private final Runnable reportSoon;
    private final Map<Long, Recovery> byOrder = new TreeMap<>();

    /** @param reportSoon asks for a heartbeat now */
    public Recoveries(
            StageContext context,
            Groups groups,
            ParityPartitions parities,
            Maintenance maintenance,
            Runnable reportSoon) {
        this.groups = groups;
        this.parities = parities;
        this.map = context.map();
        this.tables = context.tables();
        this.store = context.store();
        this.owned = context.owned();
        this.maintenance = maintenance;
        this.source = new ColumnSource(groups, parities, this::isSpare);
        this.reportSoon = reportSoon;
    }

    Groups groups() {
        return groups;
    }

    BrickMap map() {
        return map;
    }

    void reportSoon() {
        reportSoon.run();
    }

    // ---- the map

    /**
     * The map names this process as primary of a column that was recovered here.
     *
     * @param place the primary and the parity members; the stream of the place is the id of the recovery order
     */
    public void takePlace(int table, int number, Place place) {
        Recovery recovery = byOrder.get(place.migration());
        if (recovery == null
                || recovery.order().table() != table
                || recovery.order().receiver() != number
                || !place.primary().equals(groups.self())) {
            return;
        }
        Partition partition = recovery.serve(place);
        if (partition != null) {
            tables.add(partition);
            reportSoon();
        }
    }

    /** The map has changed: ends the recoveries whose orders are gone, and begins or goes on with the others. */
    public void reconcile() {
        byOrder.values().removeIf(recovery -> {
            boolean gone = map.migration(recovery.order().id()) == null || isDropped(recovery);
            if (gone) {
                recovery.end();
            }
            return gone;
        });
        for (MigrationOrder order : map.migrations()) {
            if (order.kind() == MigrationKind.RECOVERY
                    && order.target().primary().equals(groups.self())
                    && owned.test(order.receiver())
                    && !byOrder.containsKey(order.id())
                    && tables.find(order.table(), order.receiver()) == null
                    && map.table(order.table()) != null) {
                byOrder.put(order.id(), new Recovery(this, order));
            }
        }
        byOrder.values().forEach(Recovery::goOn);
    }

    /** Whether the recovered partition has been dropped here, or the table. */
    private boolean isDropped(Recovery recovery) {
        MigrationOrder order = recovery.order();
        boolean here = tables.find(order.table(), order.receiver()) != null;
        return map.table(order.table()) == null || recovery.isServing() && !here;
    }

    /** A partition without records, for the column of an order. */
    Partition empty(TableView table, MigrationOrder order) {
        return EmptyPartitions.forLostColumn(table, order.receiver(), order.id(), store);
    }

    /**
     * Takes what the map has learnt of the keys of a column while its state came here. A column that has given no
     * version begins to count as one that begins empty in this epoch.
     */
    void ready(Partition partition, long epoch) {
        TableView table = map.table(partition.table());
        if (table != null) {
            EmptyPartitions.ready(table, partition);
            if (partition.version() == 0) {
                partition.versionAtLeast(table.versionBefore(epoch));
            }
        }
    }

    /**
     * Gives a column the keys of a merge whose ABSORB is in the column's log. The map may still order the merge, and
     * nobody tells this primary again when the order goes.
     *
     * @param migration of the last ABSORB in the log; 0 if there is none
     */
    void absorb(Partition column, long migration) {
        MigrationOrder merge = map.migration(migration);
        TableView table = map.table(column.table());
        if (table == null || merge == null || !column.mayAbsorb(MovedKeys.by(merge))) {
            return;
        }
        if (!column.isWide()) {
            column.beginWidening(merge);
        }
        column.absorb(MovedKeys.by(merge));
        table.mergeCommitted(merge);
    }

    void free(Partition partition) {
        maintenance.free(partition);
    }

    // ---- frames

    /** Takes a frame of a recovery ({@link ColumnFrame}). A frame that nobody here expects is dropped. */
    public void onFrame(Link link, ByteBuf frame, int index, int length) {
        Subject of = Subject.read(frame, index, length);
        if (frame.getByte(index + 4) == Opcode.COLUMN_WANTED) {
            onWanted(link, of, frame, index, length);
        } else if (!map.isAmong(map.members(of.table(), of.number()), link.peer())) {
            return;
        } else if (ColumnFrame.isOfRecords(frame, index)) {
            Partition partition = tables.find(of.table(), of.number());
            if (partition != null && partition.migration() == of.order()) {
                onRecords(partition.group(), frame, index, length);
            }
        } else {
            Recovery recovery = byOrder.get(of.order());
            if (recovery != null) {
                recovery.onState(link, of, frame, index, length);
            }
        }
    }

    /** Takes decoded records of a column. They are ignored if all records are here. */
    private void onRecords(Group column, ByteBuf frame, int index, int length) {
        if (!(column.missing() instanceof Filling filling)) {
            if (frame.getIntLE(index + ColumnFrame.COUNT) > 0) {
                groups.recoveryCounters().add(RecoveryCounters.Event.LATE_RECORD_IGNORED);
            }
        } else if (!column.isDissolved()) {
            filling.onRecords(frame, index, length);
            if (filling.left() == 0) {
                groups.recoveryCounters().add(RecoveryCounters.Event.COLUMN_RECOVERED);
                column.filled();
            }
        }
    }

    private void onWanted(Link link, Subject of, ByteBuf frame, int index, int length) {
        ParityPartition parity = parities.of(of.table(), of.number());
        if (parity == null) {
            return;
        }
        Column column = parity.column(of.number());
        if (!ColumnFrame.isOfRecords(frame, index)) {
            source.onStateWanted(link, of, Cursor.read(frame, index + ColumnFrame.PART));
        } else if (of.epoch() >= column.epoch() && isSpare(link, of)) {
            source.onRecordsWanted(link, parity.decoder(), column.index(), of, frame, index, length);
        }
    }

    /** Whether a frame comes from the spare of a column, which may be its primary already. */
    private boolean isSpare(Link link, Subject of) {
        MigrationOrder order = map.migration(of.order());
        TableView table = map.table(of.table());
        Place place = table == null ? null : table.place(of.number());
        boolean ordered = order != null
                && order.table() == of.table()
                && order.receiver() == of.number()
                && map.isProcess(order.target().primary(), link.peer());
        return ordered || place != null && !place.lost() && map.isProcess(place.primary(), link.peer());
    }

    // ---- reports and turns

    /** What this stage reports of its recoveries. */
    public List<MigrationReport> reports() {
        List<MigrationReport> reports = new ArrayList<>();
        byOrder.values().forEach(recovery -> reports.add(recovery.report()));
        return reports;
    }

    /** A link to another brick is up: asks for what waited for the link. */
    public void onLinkUp() {
        byOrder.values().forEach(Recovery::goOn);
    }

    /** At the end of a turn: answers the spares whose columns are settled now. */
    public void onDrained() {
        source.flush();
    }

    /** Each 100 ms: asks again for what has not come. */
    public void tick() {
        reconcile();
    }

    /** The node ends. The memory of the store ends with it. */
    public void release() {
        byOrder.clear();
    }
}
