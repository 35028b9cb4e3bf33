package io.sdds.brick.node;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.group.Group;
import io.sdds.brick.group.Groups;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.ship.JoinSource;
import io.sdds.brick.ship.ShippingPace;
import io.sdds.brick.ship.SliceFrame;
import io.sdds.brick.ship.SplitTarget;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage.Answer;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.ShipAcked;
import io.sdds.core.control.ControlMessage.ShipOpen;
import io.sdds.core.control.ControlMessage.SplitReport;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.stage.Stage;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** The joins that this stage's partitions are shipped for, or come here by; by stream, kept to what the map orders. */
final class Joins implements Migrations.Targets, Migrations.Sources {
    private final StageContext context;
    private final Env env;
    private final Stage stage;
    private final BrickMap map;
    private final Tables tables;
    private final RecordStore store;
    private final MemoryBudget budget;
    private final Groups groups;
    private final Splits splits;
    private final IntPredicate owned;
    private final Runnable soon;
    private final ShippingPace pace;
    private final Map<Long, JoinSource> sources = new TreeMap<>();
    private final Map<Long, Coming> targets = new TreeMap<>();

    /** A partition on its way here; {@code installed} once its group's log goes on where the slices ended. */
    private static final class Coming {
        private final MigrationOrder order;
        private final SplitTarget target;
        private boolean installed;

        Coming(MigrationOrder order, SplitTarget target) {
            this.order = order;
            this.target = target;
        }
    }

    /** @param soon has the next heartbeat sent now */
    Joins(StageContext context, Groups groups, Splits splits, ShippingPace pace, Runnable soon) {
        this.context = context;
        this.env = context.env();
        this.stage = context.stage();
        this.map = context.map();
        this.tables = context.tables();
        this.store = context.store();
        this.budget = context.budget();
        this.groups = groups;
        this.splits = splits;
        this.owned = context.owned();
        this.soon = soon;
        this.pace = pace;
    }

    /** The map has changed: begins what it orders anew, ends what it orders no more. */
    void reconcile(BrickInfo self) {
        endUnordered(self);
        for (MigrationOrder order : map.learners()) {
            begin(order);
            boolean here =
                    order.learner().brick() == self.number() && order.learner().incarnation() == self.incarnation();
            if (here && owned.test(order.receiver()) && !targets.containsKey(order.id())) {
                expect(order);
            }
        }
    }

    private void endUnordered(BrickInfo self) {
        for (JoinSource source : List.copyOf(sources.values())) {
            Partition partition =
                    tables.find(source.order().table(), source.order().receiver());
            boolean leads =
                    partition != null && groups.leader(partition, source.order().sourceEpoch()) != null;
            if (!leads || !map.learners().contains(source.order())) {
                source.release();
                sources.remove(source.order().id());
            }
        }
        for (Coming coming : List.copyOf(targets.values())) {
            if (!map.learners().contains(coming.order)) {
                targets.remove(coming.order.id());
                end(coming, self);
            }
        }
    }

    private void begin(MigrationOrder order) {
        Partition partition = tables.find(order.table(), order.receiver());
        Group leader = partition == null ? null : groups.leader(partition, order.sourceEpoch());
        if (partition != null && leader != null && partition.mover() == null && !sources.containsKey(order.id())) {
            JoinSource source = new JoinSource(context, partition, order, leader, pace, soon);
            sources.put(order.id(), source);
            source.start();
        }
    }

    private void expect(MigrationOrder order) {
        TableView table = map.table(order.table());
        if (table != null && tables.find(order.table(), order.receiver()) == null) {
            SplitTarget target =
                    new SplitTarget(env, store, order, table.definition().kind());
            targets.put(order.id(), new Coming(order, target));
        }
    }

    /** The order is gone: the map has it among the members by now, or never will. */
    private void end(Coming coming, BrickInfo self) {
        TableView table = map.table(coming.order.table());
        Place place = table == null ? null : table.place(coming.order.receiver());
        boolean member = place != null && place.has(self.number(), self.incarnation());
        if (!member || !coming.installed) {
            uninstall(coming);
            splits.free(coming.target.receiver());
        }
    }

    private void uninstall(Coming coming) {
        Partition partition = coming.target.receiver();
        if (coming.installed) {
            coming.installed = false;
            tables.remove(partition);
            groups.dissolve(partition);
        }
    }

    List<SplitReport> reports() {
        return sources.values().stream().map(JoinSource::report).toList();
    }

    @Override
    public @Nullable SplitTarget target(long id) {
        Coming coming = targets.get(id);
        return coming == null ? null : coming.target;
    }

    @Override
    public boolean ships(long id) {
        return sources.containsKey(id);
    }

    @Override
    public Answer onOpen(Link link, ShipOpen open) {
        Coming coming = targets.get(open.stream());
        if (coming == null || !coming.target.isNewer(open)) {
            return Migrations.unknown(open.stream());
        }
        if (!budget.admitsOrdinary(open.bytes())) {
            return new Refused(Refusal.MEMORY_FULL, "no room for " + open.bytes() + " bytes");
        }
        Partition before = coming.target.receiver();
        uninstall(coming);
        Answer opened = coming.target.open(link, open, 0);
        if (coming.target.receiver() != before) {
            splits.free(before);
        }
        return opened;
    }

    @Override
    public void onSlice(Link link, ByteBuf frames, int index, int length) {
        Coming coming = targets.get(Migrations.idOf(frames, index));
        if (coming != null && !coming.installed) {
            coming.target.onSlice(link, frames, index, length);
            SliceFrame.Seal seal = coming.target.seal();
            if (seal != null) {
                install(coming, seal);
            }
        }
    }

    /** The copy is complete: this member takes the group's log from behind the last entry that is in the copy. */
    private void install(Coming coming, SliceFrame.Seal seal) {
        coming.installed = true;
        Partition partition = coming.target.receiver();
        partition.versionAtLeast(seal.version());
        TableView table = map.table(partition.table());
        if (table != null) {
            partition.ttlMillis(table.definition().ttlMillis());
        }
        tables.add(partition);
        groups.join(partition, seal.epoch(), seal.index(), seal.timeNanos());
    }

    @Override
    public void onAcked(Link link, ShipAcked acked) {
        JoinSource source = sources.get(acked.stream());
        if (source != null) {
            source.onAcked(link, acked);
        }
    }

    /** At the end of a turn: changes and acknowledgements leave. */
    void onDrained() {
        for (JoinSource source : sources.values()) {
            source.onDrained();
        }
        for (Coming coming : targets.values()) {
            Link link = coming.target.acknowledge(map.version());
            if (link != null) {
                stage.touched(link);
            }
        }
    }

    void onLinkDown(Link link) {
        List.copyOf(sources.values()).forEach(source -> source.onLinkDown(link));
    }

    /** The node ends. */
    void release() {
        sources.values().forEach(JoinSource::release);
        targets.values().forEach(coming -> coming.target.parked().release());
    }
}
