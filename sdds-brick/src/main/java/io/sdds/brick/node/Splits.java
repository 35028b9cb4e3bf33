package io.sdds.brick.node;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.group.Groups;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.Moved;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.ship.ShippingPace;
import io.sdds.brick.ship.SplitSource;
import io.sdds.brick.ship.SplitTarget;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.control.ControlMessage.Activate;
import io.sdds.core.control.ControlMessage.Answer;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.ShipAcked;
import io.sdds.core.control.ControlMessage.ShipOpen;
import io.sdds.core.control.ControlMessage.SplitReport;
import io.sdds.core.control.ControlMessage.SplitState;
import io.sdds.core.control.ControlMessage.SplitWanted;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.TableKind;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Hello;
import io.sdds.core.stage.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The splits, merges and moves that this stage's partitions are shipped by, or come by, by stream, kept to what the map
 * orders.
 */
final class Splits implements Migrations.Targets, Migrations.Sources {
    private static final int MAINTAIN_BUCKETS = 256;
    private static final int MAINTAINED_A_TICK = 4;
    private static final long REST_NANOS = 500_000_000L;

    private final StageContext context;
    private final Env env;
    private final Stage stage;
    private final BrickMap map;
    private final Tables tables;
    private final RecordStore store;
    private final MemoryBudget budget;
    private final SplitSource.Listener listener;
    private final IntPredicate owned;
    private final ShippingPace pace;
    private final Groups groups;
    private final GroupSplits ofGroups;
    private final Map<Long, SplitSource> sources = new TreeMap<>();
    private final Map<Long, SplitTarget> targets = new TreeMap<>();

    /** By table: when a split may be asked for again after one was given up. */
    private final Map<Integer, Long> restUntilNanos = new TreeMap<>();

    private final FullRanges fullRanges;

    Splits(StageContext context, Groups groups, ShippingPace pace, SplitSource.Listener listener) {
        this.context = context;
        this.env = context.env();
        this.stage = context.stage();
        this.map = context.map();
        this.tables = context.tables();
        this.store = context.store();
        this.budget = context.budget();
        this.owned = context.owned();
        this.pace = pace;
        this.fullRanges = new FullRanges(map, tables, this::isRested);
        this.listener = listener;
        this.groups = groups;
        this.ofGroups = new GroupSplits(context, groups, listener, this::free, this::maintain);
    }

    /** Those of tables of replica groups. */
    GroupSplits ofGroups() {
        return ofGroups;
    }

    /** The map has changed: begins what it orders anew, ends what it orders no more. */
    void reconcile(BrickInfo self) {
        endUnordered();
        ofGroups.reconcile(self, this::rest);
        for (MigrationOrder order : map.splits()) {
            if (ofGroups.isOfGroups(order)) {
                continue;
            }
            if (isHere(order.source(), self) && !sources.containsKey(order.id())) {
                begin(order);
            }
            if (isHere(order.target(), self) && owned.test(order.receiver()) && !targets.containsKey(order.id())) {
                expect(order);
            }
        }
        for (SplitSource source : List.copyOf(sources.values())) {
            if (map.isReplaced(source.order().target())) {
                source.targetLost();
            }
            source.mapChanged();
        }
        for (SplitTarget target : targets.values()) {
            if (target.isShipping() && map.isReplaced(target.order().source())) {
                target.giveUp();
                target.parked().rerun(listener::rerun);
            }
        }
        sources.values().stream().filter(SplitSource::isHandedOver).forEach(source -> committed(source.order()));
        targets.values().stream().filter(SplitTarget::isServing).forEach(target -> committed(target.order()));
    }

    private void expect(MigrationOrder order) {
        TableView table = map.table(order.table());
        if (table == null) {
            return;
        }
        TableKind kind = table.definition().kind();
        Partition receiver = tables.find(order.table(), order.receiver());
        if (!order.isMerge() && receiver == null) {
            targets.put(order.id(), new SplitTarget(env, store, order, kind));
        } else if (order.isMerge() && receiver != null && receiver.mayTake(Moved.by(order))) {
            targets.put(order.id(), new SplitTarget(env, store, order, kind, receiver));
        }
    }

    /** Whether a partition is as it was when it was ordered to ship. */
    static boolean mayShip(Partition sender, MigrationOrder order) {
        Moved keys = Moved.by(order);
        return order.isMove() || (order.isMerge() ? sender.isAll(keys) : sender.mayGiveUp(keys));
    }

    /** What was handed over here is so before the coordinator's map says it. */
    private void committed(MigrationOrder order) {
        TableView table = map.table(order.table());
        if (table != null && order.isMove()) {
            table.moved(order);
        } else if (table != null && order.isMerge()) {
            table.mergeCommitted(order);
        } else if (table != null) {
            table.splitCommitted(order);
        }
    }

    /** HANDOVER is committed at this stage's partition. */
    void handedOver(MigrationOrder order, Partition shipped) {
        committed(order);
        if (order.isMerge() || order.isMove()) {
            tables.remove(shipped);
            free(shipped);
        } else {
            tables.changed(shipped);
            maintain(shipped);
        }
    }

    /** Whether this partition was here and has been merged into its parent, which serves for it. */
    boolean isMerged(int table, int partition) {
        return sources.values().stream()
                        .anyMatch(source -> source.isHandedOver() && isMergeOf(source.order(), table, partition))
                || ofGroups.isMerged(table, partition);
    }

    /**
     * Whether this partition was here and has been handed over to another brick; by what this one knows, the map may be
     * behind.
     */
    boolean isMoved(int table, int partition) {
        return sources.values().stream()
                .anyMatch(source -> source.isHandedOver()
                        && source.order().isMove()
                        && source.order().parent() == partition
                        && source.order().table() == table);
    }

    private static boolean isMergeOf(MigrationOrder order, int table, int partition) {
        return order.isMerge() && order.child() == partition && order.table() == table;
    }

    /**
     * Tables whose partition with the split token is here and has reached its load. The token goes on when a split is
     * ordered.
     */
    List<SplitWanted> wanted() {
        List<SplitWanted> wanted = new ArrayList<>();
        for (TableView table : map.tables()) {
            if (table.definition().kind() == TableKind.RANGE) {
                continue;
            }
            int partitions = map.partitionsOrdered(table);
            int i = LinearHashing.level(partitions);
            int n = LinearHashing.splitPointer(partitions);
            Partition holder = tables.find(table.definition().id(), n);
            if (holder != null
                    && holder.mover() == null
                    && holder.group().leads()
                    && holder.level() == i
                    && isFull(table, holder, i, n)
                    && isRested(holder.table())) {
                wanted.add(new SplitWanted(holder.table(), n));
            }
        }
        fullRanges.addWanted(wanted);
        return wanted;
    }

    /** A split of a table was given up: another is asked for later. */
    private void rest(int table) {
        restUntilNanos.put(table, env.nowNanos() + REST_NANOS);
    }

    private boolean isRested(int table) {
        Long until = restUntilNanos.get(table);
        if (until != null && env.nowNanos() - until >= 0) {
            restUntilNanos.remove(table);
            return true;
        }
        return until == null;
    }

    private static boolean isFull(TableView table, Partition holder, int i, int n) {
        return table.definition().loadPercent(holder.records(), holder.bytes(), i, n) >= 100;
    }

    List<SplitReport> reports() {
        Stream<SplitReport> ofTargets =
                targets.values().stream().filter(target -> !target.isShipping()).map(SplitTarget::report);
        Stream<SplitReport> ofSources = sources.values().stream().map(SplitSource::report);
        return Stream.concat(Stream.concat(ofSources, ofTargets), ofGroups.reports().stream())
                .toList();
    }

    /**
     * Keeps the request for a child that is being shipped here, or that was merged and whose parent is not known yet to
     * serve for it; false when there is none, or no room to wait.
     */
    boolean park(Request request, int partition) {
        for (SplitTarget target : targets.values()) {
            MigrationOrder order = target.order();
            if (target.isShipping()
                    && !order.isMerge()
                    && order.child() == partition
                    && order.table() == request.table
                    && (!order.isMove() || isFrom(order.source(), request))) {
                return target.parked().add(request);
            }
        }
        for (SplitSource source : sources.values()) {
            if (source.isHolding() && isMergeOf(source.order(), request.table, partition)) {
                return source.park(request);
            }
        }
        return ofGroups.park(request, partition);
    }

    /**
     * A partition that moves is served where it was until that brick sends requests after it; one that comes from
     * elsewhere by an old map is sent there.
     */
    private boolean isFrom(Place place, Request request) {
        Hello peer = request.link.peer();
        BrickInfo brick = map.brick(place.brick());
        return peer.role() == Hello.Role.BRICK && brick != null && brick.id().equals(peer.name());
    }

    @Override
    public @Nullable SplitTarget target(long id) {
        return targets.get(id);
    }

    @Override
    public boolean ships(long id) {
        return sources.containsKey(id);
    }

    @Override
    public void onSlice(Link link, ByteBuf frames, int index, int length) {
        SplitTarget target = targets.get(Migrations.idOf(frames, index));
        if (target != null && target.isShipping()) {
            target.onSlice(link, frames, index, length);
        }
    }

    @Override
    public void onAcked(Link link, ShipAcked acked) {
        SplitSource source = sources.get(acked.stream());
        if (source != null) {
            source.onAcked(link, acked);
        }
    }

    /** A member of a group has dropped what a split has made another's, or has taken what a merge has made its own. */
    void changedHands(Partition partition) {
        tables.changed(partition);
        maintain(partition);
        ofGroups.changedHands(partition);
    }

    @Override
    public Answer onOpen(Link link, ShipOpen open) {
        SplitTarget target = targets.get(open.stream());
        if (target == null || !target.isShipping() || !target.isNewer(open)) {
            return Migrations.unknown(open.stream());
        }
        if (!budget.admitsOrdinary(open.bytes())) {
            return noRoom(open);
        }
        if (target.order().isMerge()) {
            SplitTarget.Readiness readiness = target.prepare();
            maintain(target.receiver());
            if (readiness != SplitTarget.Readiness.READY) {
                return readiness == SplitTarget.Readiness.REFUSED
                        ? noRoom(open)
                        : new Refused(Refusal.NOT_READY, "the partition is made ready for a merge");
            }
        }
        Partition before = target.receiver();
        long time = target.order().isMerge() ? before.time().advance(env.nowNanos()) : 0;
        Answer opened = target.open(link, open, time);
        if (target.receiver() != before) {
            free(before);
        }
        return opened;
    }

    private static Refused noRoom(ShipOpen open) {
        return new Refused(Refusal.MEMORY_FULL, "no room for " + open.bytes() + " bytes");
    }

    /** An Activate whose order is gone from the map: the receiver may serve already. */
    Answer onLateActivate(Activate activate) {
        Partition serving = tables.find(activate.table(), activate.receiver());
        return serving != null && serving.stream() == activate.stream()
                ? new Done(map.version())
                : Migrations.unknown(activate.stream());
    }

    @Override
    public Answer onActivate(Activate activate) {
        SplitTarget target = targets.get(activate.stream());
        if (target == null || !target.isShipping()) {
            return target != null && target.isServing() ? new Done(map.version()) : onLateActivate(activate);
        }
        Partition receiver = target.serve(activate);
        receiver.time().atLeast(activate.timeNanos(), env.nowNanos());
        if (target.order().isMerge()) {
            tables.changed(receiver);
        } else {
            groups.begin(receiver, target.order().target());
            tables.add(receiver);
        }
        TableView table = map.table(activate.table());
        if (table != null) {
            receiver.ttlMillis(table.definition().ttlMillis());
        }
        committed(target.order());
        target.parked().rerun(listener::rerun);
        return new Done(map.version());
    }

    /** At the end of a turn: changes and acknowledgements leave. */
    void onDrained() {
        for (SplitSource source : sources.values()) {
            source.onDrained();
        }
        for (SplitTarget target : targets.values()) {
            Link link = target.acknowledge(map.version());
            if (link != null) {
                stage.touched(link);
            }
        }
        ofGroups.onDrained();
    }

    /** Now and then: requests that wait too long are answered. */
    void tick() {
        sources.values().forEach(SplitSource::tick);
        targets.values().forEach(target -> target.parked().expire(listener::overdue));
        ofGroups.tick();
    }

    void onLinkDown(Link link) {
        sources.values().forEach(source -> source.onLinkDown(link));
        ofGroups.onLinkDown(link);
    }

    /** Frees a partition's memory in background slices. */
    void free(Partition partition) {
        partition.bucket().release();
        maintain(partition);
    }

    /** Lets the bucket compact or free what a split left behind. */
    void maintain(Partition partition) {
        if (!partition.isMaintained()) {
            partition.maintained(true);
            stage.background(() -> {
                boolean more = partition.bucket().maintain(MAINTAIN_BUCKETS);
                partition.maintained(more);
                return more;
            });
        }
    }

    /** Lets a few buckets, each in its turn, move records out of memory that is nearly empty. */
    void maintainSome() {
        for (int k = Math.min(MAINTAINED_A_TICK, tables.count()); k > 0; k--) {
            Partition partition = tables.nextInRound();
            if (partition != null) {
                maintain(partition);
            }
        }
    }

    /** The node ends. */
    void release() {
        sources.values().forEach(SplitSource::release);
        targets.values().forEach(target -> target.parked().release());
        ofGroups.release();
    }

    private static boolean isHere(Place place, BrickInfo self) {
        return place.brick() == self.number() && place.incarnation() == self.incarnation();
    }

    private void begin(MigrationOrder order) {
        Partition shipped = tables.find(order.table(), order.sender());
        TableView table = map.table(order.table());
        if (table != null && shipped != null && shipped.mover() == null && mayShip(shipped, order)) {
            SplitPolicy policy =
                    order.isMove() ? SplitPolicy.DEFAULT : table.definition().split();
            ShippingPace itsPace = order.isMove() ? pace : null;
            SplitSource source = new SplitSource(context, shipped, order, policy, itsPace, listener);
            shipped.mover(source);
            sources.put(order.id(), source);
            source.start();
        }
    }

    private void endUnordered() {
        for (SplitSource source : List.copyOf(sources.values())) {
            if (map.split(source.order().id()) == null) {
                source.orderGone();
                if (source.report().state() == SplitState.ABANDONED) {
                    rest(source.order().table());
                }
                source.release();
                sources.remove(source.order().id());
            }
        }
        for (SplitTarget target : List.copyOf(targets.values())) {
            if (map.split(target.order().id()) == null) {
                targets.remove(target.order().id());
                if (!target.isServing()) {
                    target.parked().rerun(listener::rerun);
                    discard(target);
                }
            }
        }
    }

    /** What was shipped for nothing goes. */
    private void discard(SplitTarget target) {
        Partition receiver = target.receiver();
        if (!target.order().isMerge()) {
            free(receiver);
        } else if (tables.find(receiver.table(), receiver.number()) == receiver) {
            receiver.dropShipped();
            maintain(receiver);
        }
    }
}
