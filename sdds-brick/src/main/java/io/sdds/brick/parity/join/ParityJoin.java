package io.sdds.brick.parity.join;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.group.GroupFrame;
import io.sdds.brick.group.Groups;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.parity.RecoveryCounters;
import io.sdds.brick.parity.member.Column;
import io.sdds.brick.parity.member.ParityPartition;
import io.sdds.brick.parity.member.ParityPartitions;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Place;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Opcode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The join of a parity member at its own brick, by an order of the coordinators. The member copies all columns of its
 * group, takes their logs, and votes (docs/design/parity.md, "A parity member joins").
 */
public final class ParityJoin {

    /*
     * The records of a column cannot be taken out of the parity records again without the records themselves. So when a
     * column gets another primary or epoch, the member begins again with empty parity records.
     *
     * From its report on, the coordinators may name the member in the map, so the member keeps its state until the map
     * tells. A member that has reported does not begin again under the same order, because the coordinators could take
     * its earlier report for one of the new attempt.
     */
    private enum State {
        COPYING,
        /** All columns count the votes of this member. */
        COMPLETE,
        ABANDONED
    }

    /** After so long without progress a repair is given up, so that the coordinators can order it of another brick. */
    public static final long STALLED_NANOS = 30_000_000_000L;

    private static final Logger log = LoggerFactory.getLogger(ParityJoin.class);

    private final Groups groups;
    private final BrickMap map;
    private final ParityPartitions parities;
    private final MigrationOrder order;
    private final Parity parity;
    private final JoinPace pace;
    private final List<ColumnCopy> copies = new ArrayList<>();
    private State state = State.COPYING;
    private @Nullable ParityPartition partition;
    private int attempt;
    private long progressNanos;

    ParityJoin(
            Groups groups,
            BrickMap map,
            ParityPartitions parities,
            MigrationOrder order,
            Parity parity,
            JoinPace pace) {
        this.groups = groups;
        this.map = map;
        this.parities = parities;
        this.order = order;
        this.parity = parity;
        this.pace = pace;
        progressed();
        begin();
    }

    MigrationOrder order() {
        return order;
    }

    JoinPace pace() {
        return pace;
    }

    /** The attempt that is under way, from 1 on. */
    int attempt() {
        return attempt;
    }

    /** Whether this is the join of the parity member of an index in a group. */
    boolean isOf(int table, int group, int index) {
        return isOf(table, group) && order.parityIndex() == index;
    }

    private boolean isOf(int table, int group) {
        return order.table() == table && parity.group(order.sender()) == group;
    }

    /** Whether a partition is a column of the group. */
    boolean protects(int table, int number) {
        return number >= 0 && isOf(table, parity.group(number));
    }

    /** The parity member, which has not all records yet; null when the join is given up. */
    @Nullable
    ParityPartition partition() {
        return partition;
    }

    /** The parity member, when the map names it; null if the member lacks something. Nothing is left here then. */
    @Nullable
    ParityPartition adopt() {
        ParityPartition adopted = state == State.COMPLETE ? partition : null;
        if (adopted != null) {
            groups.recoveryCounters().add(RecoveryCounters.Event.PARITY_REBUILT);
            partition = null;
            copies.clear();
        }
        return adopted;
    }

    MigrationReport report() {
        long bytes = partition == null ? 0 : partition.records().bytes();
        MigrationState reported = switch (state) {
            case COPYING -> MigrationState.SHIPPING;
            case COMPLETE -> MigrationState.HANDED_OVER;
            case ABANDONED -> MigrationState.ABANDONED;
        };
        return new MigrationReport(order.id(), reported, bytes, bytes);
    }

    // ---- attempts

    private void begin() {
        attempt++;
        int group = parity.group(order.sender());
        ParityPartition made =
                new ParityPartition(groups, map, parities, order.table(), group, order.parityIndex(), parity);
        partition = made;
        for (Column column : made.columns()) {
            Place place = place(column);
            if (place != null && exists(place)) {
                copies.add(new ColumnCopy(groups, map, this, column, place));
            }
        }
    }

    private @Nullable Place place(Column column) {
        TableView table = map.table(order.table());
        return table == null ? null : table.place(column.number());
    }

    /** Whether a column has a primary. A range table may have fewer partitions than its groups have columns. */
    static boolean exists(Place place) {
        return !place.lost() && !place.none();
    }

    private void end() {
        copies.clear();
        if (partition != null) {
            parities.end(partition);
            partition = null;
        }
    }

    /** The order is over, and the map does not name this member. */
    void release() {
        end();
        state = State.ABANDONED;
    }

    void abandon(String why) {
        log.warn(
                "gives up the join of parity {} of group {} of table {}: {}",
                order.parityIndex(),
                parity.group(order.sender()),
                order.table(),
                why);
        release();
        groups.reportSoon();
    }

    /** The memory of this brick is short, or something of the join does not fit into it. */
    void abandonWithoutMemory() {
        groups.recoveryCounters().add(RecoveryCounters.Event.JOIN_WITHOUT_MEMORY);
        abandon("its brick has no memory left");
    }

    /** A column's primary does not keep the log for this attempt. */
    void again() {
        if (state == State.COPYING) {
            groups.recoveryCounters().add(RecoveryCounters.Event.JOIN_BEGUN_AGAIN);
            end();
            begin();
        }
    }

    /** Begins again if a column has another primary or epoch, or has come or gone. */
    void mapChanged() {
        ParityPartition here = partition;
        if (here == null || here.columns().stream().allMatch(this::isUnchanged)) {
            return;
        }
        if (state == State.COMPLETE) {
            abandon("a column has another epoch");
        } else {
            progressed();
            again();
        }
    }

    private boolean isUnchanged(Column column) {
        ColumnCopy copy = copyOf(column);
        Place place = place(column);
        return copy == null ? place == null || !exists(place) : copy.isOf(place);
    }

    private @Nullable ColumnCopy copyOf(Column column) {
        for (ColumnCopy copy : copies) {
            if (copy.column() == column) {
                return copy;
            }
        }
        return null;
    }

    /** The join gets further. */
    void progressed() {
        progressNanos = groups.env().nowNanos();
    }

    /** A column has got further. Its primary counts no vote of this member before all columns are copied. */
    void advance() {
        if (state != State.COPYING || copies.isEmpty()) {
            return;
        }
        if (copies.stream().allMatch(ColumnCopy::isCopied)) {
            if (!groups.hasMemory(0)) {
                abandonWithoutMemory();
                return;
            }
            copies.forEach(ColumnCopy::vote);
        }
        if (copies.stream().allMatch(ColumnCopy::isCounted)) {
            state = State.COMPLETE;
            groups.reportSoon();
        }
    }

    // ---- turns

    /** Takes a frame of a column's primary. Other frames are not for a member that joins. */
    void onFrame(int number, byte opcode, Link link, ByteBuf frame, int index, int length) {
        ParityPartition here = partition;
        ColumnCopy copy = here == null ? null : copyOf(here.columns().get(parity.column(number)));
        if (copy == null) {
            return;
        }
        if (opcode == Opcode.JOIN) {
            copy.onAnswer(link, frame, index, length);
        } else if (opcode == Opcode.PREPARE) {
            onPrepare(copy, link, frame, index, length);
        }
    }

    private void onPrepare(ColumnCopy copy, Link link, ByteBuf frame, int index, int length) {
        Column column = copy.column();
        long ofEpoch = frame.getLongLE(index + GroupFrame.EPOCH);
        if (state == State.COMPLETE && ofEpoch > column.epoch() && isOfColumn(column, link)) {
            column.adopt(ofEpoch); // only a primary whose map names this member sends a PREPARE of a later epoch
        }
        if (copy.onPrepare(link, frame, index, length)) {
            parities.dirty(column);
            if (state == State.COPYING && column.follower().isStuck()) {
                abandonWithoutMemory();
            }
        }
    }

    private boolean isOfColumn(Column column, Link link) {
        return map.isAmong(map.members(column.table(), column.number()), link.peer());
    }

    void onLinkUp() {
        List.copyOf(copies).forEach(ColumnCopy::onLinkUp);
    }

    /** Each 100 ms. */
    void tick() {
        if (partition != null) {
            partition.tick();
        }
        if (state == State.COPYING) {
            List.copyOf(copies).forEach(ColumnCopy::tick);
            giveUpIfStalled();
        }
    }

    private void giveUpIfStalled() {
        if (groups.env().nowNanos() - progressNanos >= STALLED_NANOS) {
            abandon("it has made no progress for " + STALLED_NANOS / 1_000_000_000L + " s");
        }
    }
}
