package io.sdds.brick.node;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.group.Group;
import io.sdds.brick.group.Groups;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.Moved;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.ship.GroupSplitSource;
import io.sdds.brick.ship.SplitSource;
import io.sdds.brick.ship.SplitTarget;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage.Activate;
import io.sdds.core.control.ControlMessage.Answer;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.ShipAcked;
import io.sdds.core.control.ControlMessage.ShipOpen;
import io.sdds.core.control.ControlMessage.SplitReport;
import io.sdds.core.control.ControlMessage.SplitState;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.stage.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The splits of replica groups that this stage's partitions are a member of the parent or the child of, by stream, kept
 * to what the map orders; and the merges that it ships. Those that it takes: {@link GroupMerges}.
 */
final class GroupSplits implements Migrations.Targets, Migrations.Sources {
    private final StageContext context;
    private final Env env;
    private final Stage stage;
    private final BrickMap map;
    private final Tables tables;
    private final RecordStore store;
    private final MemoryBudget budget;
    private final Groups groups;
    private final IntPredicate owned;
    private final SplitSource.Listener listener;
    private final Consumer<Partition> free;
    private final GroupMerges merges;
    private final Map<Long, GroupSplitSource> sources = new TreeMap<>();
    private final Map<Long, Coming> targets = new TreeMap<>();

    /** A copy of a child on its way here. */
    private static final class Coming {
        private final MigrationOrder order;
        private final SplitTarget target;

        Coming(MigrationOrder order, SplitTarget target) {
            this.order = order;
            this.target = target;
        }
    }

    /**
     * @param free frees a partition's memory in the background
     * @param maintain lets a bucket compact in the background
     */
    GroupSplits(
            StageContext context,
            Groups groups,
            SplitSource.Listener listener,
            Consumer<Partition> free,
            Consumer<Partition> maintain) {
        this.context = context;
        this.env = context.env();
        this.stage = context.stage();
        this.map = context.map();
        this.tables = context.tables();
        this.store = context.store();
        this.budget = context.budget();
        this.groups = groups;
        this.owned = context.owned();
        this.listener = listener;
        this.free = free;
        this.merges = new GroupMerges(context, groups, listener, maintain);
    }

    /** The merges that this stage's partitions take. */
    GroupMerges merges() {
        return merges;
    }

    /** Whether a split is of a table of replica groups. */
    boolean isOfGroups(MigrationOrder order) {
        TableView table = map.table(order.table());
        return table != null && table.definition().isReplicated();
    }

    /**
     * The map has changed: begins what it orders anew, ends what it orders no more.
     *
     * @param gaveUp hears of the tables whose splits were given up here
     */
    void reconcile(BrickInfo self, Consumer<Integer> gaveUp) {
        endUnordered(self, gaveUp);
        merges.endUnordered();
        for (MigrationOrder order : map.splits()) {
            if (isOfGroups(order)) {
                begin(order);
                expect(order, self);
                learn(order);
                if (order.isMerge()) {
                    merges.take(order);
                }
            }
        }
        merges.learn();
        for (GroupSplitSource source : List.copyOf(sources.values())) {
            if (source.order().isMerge() && !isParentAsOrdered(source.order())) {
                source.abandon("the group of partition " + source.order().parent() + " has changed");
            }
            source.mapChanged(member -> map.isReplaced(placeOf(member, source.order())));
        }
        for (Coming coming : targets.values()) {
            if (coming.target.isShipping() && isParentLost(coming.order)) {
                coming.target.giveUp();
                coming.target.parked().rerun(listener::rerun);
            }
        }
    }

    private @Nullable Place place(MigrationOrder order, int partition) {
        TableView table = map.table(order.table());
        return table == null ? null : table.place(partition);
    }

    private boolean isParentAsOrdered(MigrationOrder merge) {
        Place parent = place(merge, merge.parent());
        return parent != null
                && !parent.lost()
                && parent.epoch() == merge.target().epoch();
    }

    private static Place placeOf(Place.Member member, MigrationOrder order) {
        return new Place(member.brick(), member.incarnation(), order.id());
    }

    private boolean isParentLost(MigrationOrder order) {
        Place place = place(order, order.parent());
        return place != null && place.lost();
    }

    /** Of the partition that is shipped. */
    private @Nullable Group group(MigrationOrder order) {
        Partition shipped = tables.find(order.table(), order.sender());
        return shipped == null ? null : shipped.group();
    }

    private void begin(MigrationOrder order) {
        Group group = group(order);
        Partition shipped = tables.find(order.table(), order.sender());
        if (group != null
                && group.leadsIn(order.source().epoch())
                && shipped != null
                && shipped.mover() == null
                && !shipped.isClosed()
                && Splits.mayShip(shipped, order)
                && !sources.containsKey(order.id())) {
            GroupSplitSource source = new GroupSplitSource(context, shipped, order, group, listener);
            sources.put(order.id(), source);
            source.start();
        }
    }

    private void expect(MigrationOrder order, BrickInfo self) {
        TableView table = map.table(order.table());
        if (!order.isMerge()
                && table != null
                && order.target().has(self.number(), self.incarnation())
                && owned.test(order.child())
                && tables.find(order.table(), order.child()) == null
                && !targets.containsKey(order.id())) {
            targets.put(
                    order.id(),
                    new Coming(
                            order,
                            new SplitTarget(
                                    env, store, order, table.definition().kind())));
        }
    }

    /**
     * A split that is committed here, at a member of the parent or the child, is so before the coordinator's map says
     * it.
     */
    private void learn(MigrationOrder order) {
        TableView table = map.table(order.table());
        Partition parent = tables.find(order.table(), order.parent());
        Partition child = tables.find(order.table(), order.child());
        boolean committed =
                parent != null && parent.hasGivenUp(Moved.by(order)) || child != null && child.stream() == order.id();
        if (table != null && !order.isMerge() && committed) {
            table.splitCommitted(order);
        }
    }

    private void endUnordered(BrickInfo self, Consumer<Integer> gaveUp) {
        for (GroupSplitSource source : List.copyOf(sources.values())) {
            MigrationOrder order = source.order();
            Group group = group(order);
            boolean ordered = map.split(order.id()) != null;
            if (!ordered || group == null || !group.leads()) {
                sources.remove(order.id());
                source.release();
                if (source.isAbandoned()) {
                    gaveUp.accept(order.table());
                }
            }
        }
        for (Coming coming : List.copyOf(targets.values())) {
            if (map.split(coming.order.id()) == null) {
                end(coming, self);
            }
        }
    }

    /**
     * The order is gone: the child is a partition by now, and this copy one of its members, or it never will be. A
     * member that the map names came by this order, even if others have joined the child since: whatever else could
     * have made this process one needs a map in which the order was gone.
     */
    private void end(Coming coming, BrickInfo self) {
        targets.remove(coming.order.id());
        if (coming.target.isServing()) {
            return;
        }
        TableView table = map.table(coming.order.table());
        Place place = table == null ? null : table.place(coming.order.child());
        Activate sealed = coming.target.sealed();
        if (place != null && place.has(self.number(), self.incarnation()) && sealed != null) {
            serve(coming, sealed, place);
        } else {
            coming.target.parked().rerun(listener::rerun);
            free.accept(coming.target.receiver());
        }
    }

    private void serve(Coming coming, Activate activate, Place place) {
        if (coming.target.seal() == null) {
            throw new IllegalStateException("HANDOVER of stream " + activate.stream() + " but its copy is not sealed");
        }
        Partition child = coming.target.serve(activate);
        TableView table = map.table(child.table());
        if (table != null) {
            child.ttlMillis(table.definition().ttlMillis());
        }
        child.results().dropEnded(map::sessionEnded);
        tables.add(child);
        groups.beginShipped(child, place, activate.timeNanos());
        learn(coming.order);
        coming.target.parked().rerun(listener::rerun);
    }

    /**
     * HANDOVER is committed at this member of the group whose partition was shipped; or TAKE, at one of those it was
     * shipped to.
     */
    void changedHands(Partition partition) {
        for (MigrationOrder order : map.splits()) {
            if (order.table() == partition.table() && order.parent() == partition.number()) {
                learn(order);
            }
        }
        merges.changedHands(partition);
        for (GroupSplitSource source : List.copyOf(sources.values())) {
            if (source.order().table() == partition.table() && source.order().sender() == partition.number()) {
                source.committed();
            }
        }
    }

    /** What this stage says of splits under way: as the parent's primary, and as a member of the child. */
    List<SplitReport> reports() {
        List<SplitReport> reports = new ArrayList<>();
        for (MigrationOrder order : map.splits()) {
            GroupSplitSource source = sources.get(order.id());
            Coming coming = targets.get(order.id());
            if (order.isMerge() && isOfGroups(order)) {
                addOfMerge(reports, order);
            }
            if (source != null) {
                reports.add(source.report());
            } else if (isOfGroups(order)) {
                addAsSuccessor(reports, order);
            }
            if (coming != null && !coming.target.isShipping()) {
                reports.add(coming.target.report());
            }
        }
        return reports;
    }

    /**
     * A primary that did not begin the split knows by what it holds how the one that did has ended it, once all that it
     * took over is decided.
     */
    private void addAsSuccessor(List<SplitReport> reports, MigrationOrder order) {
        Partition shipped = tables.find(order.table(), order.sender());
        Group group = group(order);
        if (shipped == null || group == null || !group.leadsAndKnows() || group.handedBack() != null) {
            return;
        }
        if (!order.isMerge() && shipped.hasGivenUp(Moved.by(order))) {
            reports.add(new SplitReport(order.id(), SplitState.HANDED_OVER, 0, 0));
        } else if (group.epoch() > order.source().epoch()) {
            reports.add(new SplitReport(order.id(), SplitState.ABANDONED, 0, 0));
        }
    }

    /**
     * That a merge is over: said by the parent's primary; with the parent lost, by the primary of the child that has
     * handed over.
     */
    private void addOfMerge(List<SplitReport> reports, MigrationOrder order) {
        SplitReport ofParent = merges.report(order);
        Group child = group(order);
        if (ofParent != null) {
            reports.add(ofParent);
        } else if (child != null && child.leads() && child.handedBack() != null && isParentLost(order)) {
            reports.add(new SplitReport(order.id(), SplitState.HANDED_OVER, 0, 0));
        }
    }

    /**
     * Keeps the request for a child that is being shipped here, or handed back; false when there is none, or no room to
     * wait.
     */
    boolean park(Request request, int partition) {
        for (Coming coming : targets.values()) {
            if (coming.target.isShipping()
                    && coming.order.child() == partition
                    && coming.order.table() == request.table) {
                return coming.target.parked().add(request);
            }
        }
        return merges.park(request, partition);
    }

    /** Whether this child has handed over here, and its parent serves. */
    boolean isMerged(int table, int partition) {
        return merges.isMerged(table, partition);
    }

    @Override
    public void onSlice(Link link, ByteBuf frames, int index, int length) {
        Coming coming = targets.get(Migrations.idOf(frames, index));
        if (coming != null && coming.target.isShipping()) {
            coming.target.onSlice(link, frames, index, length);
        }
    }

    @Override
    public void onAcked(Link link, ShipAcked acked) {
        GroupSplitSource source = sources.get(acked.stream());
        if (source != null) {
            source.onAcked(link, acked);
        }
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
        if (coming == null || !coming.target.isShipping() || !coming.target.isNewer(open)) {
            return Migrations.unknown(open.stream());
        }
        if (!budget.admitsOrdinary(open.bytes())) {
            return new Refused(Refusal.MEMORY_FULL, "no room for " + open.bytes() + " bytes");
        }
        Partition before = coming.target.receiver();
        Answer opened = coming.target.open(link, open, 0);
        if (coming.target.receiver() != before) {
            free.accept(before);
        }
        return opened;
    }

    @Override
    public Answer onActivate(Activate activate) {
        Coming coming = targets.get(activate.stream());
        if (coming == null || !coming.target.isShipping()) {
            return coming != null && !coming.target.isServing()
                    ? Migrations.unknown(activate.stream())
                    : new Done(map.version());
        }
        serve(coming, activate, coming.order.target());
        return new Done(map.version());
    }

    /** At the end of a turn: changes and acknowledgements leave. */
    void onDrained() {
        for (GroupSplitSource source : sources.values()) {
            source.onDrained();
        }
        for (Coming coming : targets.values()) {
            Link link = coming.target.acknowledge(map.version());
            if (link != null) {
                stage.touched(link);
            }
        }
        merges.onDrained();
    }

    /** Now and then: requests that wait too long are answered. */
    void tick() {
        sources.values().forEach(GroupSplitSource::tick);
        targets.values().forEach(coming -> coming.target.parked().expire(listener::overdue));
        merges.tick();
        for (MigrationOrder order : map.splits()) {
            if (isOfGroups(order)) {
                begin(order); // what stood in its way may have ended without another word from the coordinator
            }
            if (order.isMerge() && isOfGroups(order)) {
                merges.take(order);
            }
        }
    }

    void onLinkDown(Link link) {
        List.copyOf(sources.values()).forEach(source -> source.onLinkDown(link));
    }

    /** The node ends. */
    void release() {
        sources.values().forEach(GroupSplitSource::drop);
        targets.values().forEach(coming -> coming.target.parked().release());
        merges.release();
    }
}
