package io.sdds.brick.parity.join;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.group.Groups;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.parity.member.Column;
import io.sdds.brick.parity.member.ParityPartition;
import io.sdds.brick.parity.member.ParityPartitions;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.node.Link;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The joins of parity members in which this stage takes part: of members at this stage, and of members that copy
 * columns of this stage. The stage owns a joining member by the number of its group, as {@link ParityPartitions}.
 */
public final class ParityJoins {
    private final Groups groups;
    private final ParityPartitions parities;
    private final BrickMap map;
    private final IntPredicate owned;
    private final JoinSources sources;
    private final JoinPace pace = new JoinPace();
    private final Map<Long, ParityJoin> joins = new TreeMap<>();

    public ParityJoins(Groups groups, StageContext context, ParityPartitions parities) {
        this.groups = groups;
        this.parities = parities;
        this.map = context.map();
        this.owned = context.owned();
        this.sources = new JoinSources(groups, context);
    }

    // ---- the map

    /** The map has changed, and the partitions and parity members here are as it says. */
    public void reconcile() {
        joins.values().removeIf(join -> {
            boolean over = map.migration(join.order().id()) == null;
            if (over) {
                join.release();
            }
            return over;
        });
        List.copyOf(joins.values()).forEach(ParityJoin::mapChanged);
        for (MigrationOrder order : map.migrations()) {
            begin(order);
        }
        sources.reconcile();
    }

    private void begin(MigrationOrder order) {
        TableView table = order.isParity() ? map.table(order.table()) : null;
        if (table == null || table.parity().isNone() || joins.containsKey(order.id())) {
            return;
        }
        int group = table.parity().group(order.sender());
        boolean here = owned.test(group) && order.learner().equals(groups.self());
        if (here && parities.of(order.table(), order.sender()) == null) {
            joins.put(order.id(), new ParityJoin(groups, map, parities, order, table.parity(), pace));
        }
    }

    /** The map names this process as a parity member: its state from the join; null if it has none, or lacks some. */
    public @Nullable ParityPartition adopt(int table, int group, int index) {
        for (ParityJoin join : joins.values()) {
            ParityPartition adopted = join.isOf(table, group, index) ? join.adopt() : null;
            if (adopted != null) {
                joins.remove(join.order().id());
                return adopted;
            }
        }
        return null;
    }

    /** Number of columns that joining members protect. */
    public int columns() {
        int columns = 0;
        for (ParityJoin join : joins.values()) {
            ParityPartition here = join.partition();
            columns += here == null ? 0 : here.columns().size();
        }
        return columns;
    }

    /** Visits the columns of the members that join here. */
    public void forEachColumn(Consumer<Column> action) {
        for (ParityJoin join : joins.values()) {
            ParityPartition here = join.partition();
            if (here != null) {
                here.columns().forEach(action);
            }
        }
    }

    /** The state of the join of an order here; null if there is none. */
    @Nullable
    ParityJoin join(long order) {
        return joins.get(order);
    }

    // ---- reports

    /** What this stage reports of the members that join here. */
    public List<MigrationReport> reports() {
        return joins.values().stream().map(ParityJoin::report).toList();
    }

    // ---- frames

    /** Takes a frame for a parity member that the map does not name. */
    public void toMember(int table, int number, byte opcode, Link link, ByteBuf frame, int index, int length) {
        for (ParityJoin join : joins.values()) {
            if (join.protects(table, number)) {
                join.onFrame(number, opcode, link, frame, index, length);
                return;
            }
        }
    }

    /** Takes a JOIN_WANTED of a joining member, for a partition of this stage. */
    public void onWanted(Partition partition, Link link, ByteBuf frame, int index) {
        sources.onWanted(partition, link, frame, index);
    }

    // ---- turns

    /** A link to another brick is up: asks again over this link. */
    public void onLinkUp() {
        joins.values().forEach(ParityJoin::onLinkUp);
    }

    /** Each 100 ms. */
    public void tick() {
        pace.tick();
        new ArrayList<>(joins.values()).forEach(ParityJoin::tick);
        sources.tick();
    }

    /** The node ends. */
    public void release() {
        joins.values().forEach(ParityJoin::release);
        joins.clear();
    }
}
