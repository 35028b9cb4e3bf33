package io.sdds.brick.migration;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.group.Group;
import io.sdds.brick.group.Group.SubsumedState;
import io.sdds.brick.group.Groups;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.parity.RecoveryCounters;
import io.sdds.brick.parity.member.ParityPartitions;
import io.sdds.brick.partition.MovedKeys;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.stage.Maintenance;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage.Activate;
import io.sdds.core.control.ControlMessage.Answer;
import io.sdds.core.control.ControlMessage.BrickRequest;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.SnapshotAck;
import io.sdds.core.control.ControlMessage.SnapshotOpen;
import io.sdds.core.model.MigrationCounters;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.TableKind;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.ProtocolViolation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The migrations that this stage's partitions take part in, by id: begins what the map orders, ends what it orders no
 * more, hands each frame and request to the source or target of its id, and reports to the coordinator.
 */
public final class Migrations {
    private static final Logger log = LoggerFactory.getLogger(Migrations.class);

    private final StageContext context;
    private final BrickMap map;
    private final Tables tables;
    private final Groups groups;
    private final ParityPartitions parities;
    private final Maintenance maintenance;
    private final MigrationListener listener;
    private final MigrationPace pace;
    private final Map<Long, Migration> sources = new TreeMap<>();
    private final Map<Long, MigrationTarget> targets = new TreeMap<>();
    private final Map<Long, SubsumedPartition> subsumed = new TreeMap<>();
    private final UnbegunOrders unbegun = new UnbegunOrders();
    private final Cleaning cleaning;
    private final SubsumedColumns subsumedColumns;
    private MigrationCounters counters = MigrationCounters.NONE;

    public Migrations(
            StageContext context,
            Groups groups,
            ParityPartitions parities,
            Maintenance maintenance,
            MigrationListener listener) {
        this.context = context;
        this.map = context.map();
        this.tables = context.tables();
        this.groups = groups;
        this.parities = parities;
        this.maintenance = maintenance;
        this.listener = listener;
        this.pace = new MigrationPace(context.env().nowNanos());
        this.cleaning = new Cleaning(context, maintenance, this::isReceiving);
        this.subsumedColumns = new SubsumedColumns(context, parities);
    }

    Maintenance maintenance() {
        return maintenance;
    }

    MigrationListener listener() {
        return listener;
    }

    /** This brick's process. */
    Member self() {
        return groups.self();
    }

    // ---- the map

    /** The map has changed. */
    public void reconcile() {
        endVoid();
        for (MigrationOrder order : map.migrations()) {
            begin(order);
            expect(order);
            learn(order);
        }
        subsumed.values().forEach(SubsumedPartition::learn);
        for (Migration source : List.copyOf(sources.values())) {
            source.mapChanged(this::isReplaced);
        }
        List.copyOf(targets.values()).forEach(MigrationTarget::mapChanged);
    }

    private boolean isReplaced(Member member) {
        return map.isReplaced(new Place(member.brick(), member.incarnation(), 0));
    }

    private void endVoid() {
        for (SubsumedPartition child : List.copyOf(subsumed.values())) {
            if (!isHere(child.child()) || child.child().isIdle()) {
                subsumed.values().remove(child);
                child.end();
            }
        }
        for (Migration source : List.copyOf(sources.values())) {
            if (map.migration(source.order().id()) == null || source.isVoid()) {
                sources.remove(source.order().id());
                source.release();
                if (source.isAbandoned() && source.order().kind() == MigrationKind.SPLIT) {
                    listener.splitAbandoned(source.order().table());
                }
            }
        }
        for (MigrationTarget target : List.copyOf(targets.values())) {
            if (map.migration(target.order().id()) == null || target.isVoid()) {
                targets.remove(target.order().id());
                target.end();
            }
        }
    }

    /** Whether a partition is on this stage. */
    boolean isHere(Partition partition) {
        return tables.find(partition.table(), partition.number()) == partition;
    }

    private void begin(MigrationOrder order) {
        Partition partition = tables.find(order.table(), order.sender());
        if (partition != null
                && !sources.containsKey(order.id())
                && !unbegun.isGivenUp(order.id())
                && partition.mover() == null
                && (!partition.isClosed() || partition.isIdle())
                && partition.group().leadsIn(order.sourceEpoch())
                && isAsOrdered(partition, order)
                && mayLeave(partition)) {
            Migration source = source(partition, order);
            sources.put(order.id(), source);
            source.start();
        }
    }

    /** Whether a partition has the keys that it had when the migration was ordered. */
    private static boolean isAsOrdered(Partition partition, MigrationOrder order) {
        return switch (order.kind()) {
            case SPLIT -> partition.mayDetach(MovedKeys.by(order));
            case MERGE -> partition.isAll(MovedKeys.by(order));
            case MOVE, LEARNER -> true;
            case RECOVERY, PARITY, UNKNOWN -> false;
        };
    }

    /** Whether a column has all of its records here, and no others. Each partition without parity has. */
    private static boolean mayLeave(Partition partition) {
        return !partition.bucket().ranks().areGiven()
                || !partition.group().isFilling() && partition.isClean() && !partition.isChanging();
    }

    private Migration source(Partition partition, MigrationOrder order) {
        if (order.isLearner()) {
            return new LearnerMigration(context, partition, order, pace, this);
        }
        if (order.isMove() && hasParity(order)) {
            return new ColumnMigration(context, partition, order, pace, this);
        }
        return new HandoverMigration(context, partition, order, policy(order), order.isMove() ? pace : null, this);
    }

    /** The variants that exist to be measured are for partitions of one copy. */
    private SplitPolicy policy(MigrationOrder order) {
        TableView table = map.table(order.table());
        return table == null
                        || order.isMove()
                        || table.definition().isReplicated()
                        || table.definition().hasParity()
                ? SplitPolicy.DEFAULT
                : table.definition().split();
    }

    private void expect(MigrationOrder order) {
        TableView table = map.table(order.table());
        if (table != null
                && (order.target().members().contains(self()) || isAtHeir(order, table))
                && context.owned().test(order.receiver())
                && !targets.containsKey(order.id())) {
            MigrationTarget target = target(order, table);
            if (target != null) {
                targets.put(order.id(), target);
            }
        }
    }

    /** Whether this process has become primary of the receiver of a merge after the merge was ordered. */
    private boolean isAtHeir(MigrationOrder order, TableView table) {
        Partition receiver = tables.find(order.table(), order.receiver());
        return order.isMerge()
                && table.standsOnParity(order.receiver())
                && receiver != null
                && receiver.group().leads();
    }

    private @Nullable MigrationTarget target(MigrationOrder order, TableView table) {
        Partition here = tables.find(order.table(), order.receiver());
        TableKind kind = table.definition().kind();
        if (order.kind() == MigrationKind.SPLIT && table.standsOnParity(order.receiver())) {
            return here == null || !here.isIdle() ? null : new ColumnTarget(context, order, this, here);
        }
        return switch (order.kind()) {
            case SPLIT -> here == null ? new ChildTarget(context, order, this, kind) : null;
            case MOVE -> here == null ? targetOfMove(order, kind) : null;
            case LEARNER -> here == null ? new LearnerTarget(context, order, this, kind) : null;
            case MERGE -> here != null && mayAbsorb(here, order) ? new MergeTarget(context, order, this, here) : null;
            case RECOVERY, PARITY, UNKNOWN -> null;
        };
    }

    private MigrationTarget targetOfMove(MigrationOrder order, TableKind kind) {
        return hasParity(order)
                ? new MovedColumnTarget(context, order, this, kind)
                : new ChildTarget(context, order, this, kind);
    }

    private boolean hasParity(MigrationOrder order) {
        TableView table = map.table(order.table());
        return table != null && table.standsOnParity(order.receiver());
    }

    private static boolean mayAbsorb(Partition parent, MigrationOrder order) {
        Group group = parent.group();
        return parent.mayAbsorb(MovedKeys.by(order)) && !group.isJoining() && !group.hasLeft() && !group.isAbsorbing();
    }

    /** Takes a migration that is committed at this member before the coordinator's map tells of it. */
    void learn(MigrationOrder order) {
        TableView table = map.table(order.table());
        Partition sender = tables.find(order.table(), order.sender());
        Partition receiver = tables.find(order.table(), order.receiver());
        if (table == null) {
            return;
        }
        switch (order.kind()) {
            case SPLIT -> {
                if (hasChild(receiver, table, order.id())
                        || sender != null && sender.hasDetached(MovedKeys.by(order))) {
                    table.splitCommitted(order);
                }
            }
            case MOVE -> {
                if (receiver != null && receiver.migration() == order.id() || isMovedBy(order)) {
                    table.moved(order);
                }
            }
            case MERGE -> {
                if (receiver != null && receiver.hasAbsorbed(MovedKeys.by(order))) {
                    table.mergeCommitted(order);
                }
            }
            case LEARNER, RECOVERY, PARITY, UNKNOWN -> {}
        }
    }

    /** Whether the child of a split is here. The keys of an idle column come by the split that the map orders. */
    private static boolean hasChild(@Nullable Partition child, TableView table, long migration) {
        return child != null
                && (table.standsOnParity(child.number()) ? !child.isIdle() : child.migration() == migration);
    }

    /** Whether a partition must keep records that it does not own, because they may become its own. */
    boolean isReceiving(Partition partition) {
        for (MigrationOrder order : map.migrations()) {
            boolean receives = order.kind() == MigrationKind.SPLIT || order.isMerge();
            if (receives && order.table() == partition.table() && order.receiver() == partition.number()) {
                MigrationTarget target = targets.get(order.id());
                return target == null || target.isReceiving();
            }
        }
        return false;
    }

    // ---- what sources and targets do to partitions

    /** A partition of one copy is another brick's. */
    void movedAway(MigrationOrder order, Partition partition) {
        TableView table = map.table(order.table());
        if (table != null) {
            table.moved(order);
        }
        drop(partition);
    }

    /** A partition that was copied here serves from now on, as a member of its group. */
    void add(Partition partition, Place place, long timeNanos) {
        tables.add(partition);
        groups.beginShipped(partition, place, timeNanos);
    }

    /** A column of a table with parity that was copied here serves from now on, as the map says. */
    void addColumn(Partition column, Place place, SliceFrame.Seal seal) {
        tables.add(column);
        groups.beginMoved(column, place, seal.index(), seal.timeNanos());
    }

    /** A column that had been handed over stays here, because the map does not name the target. */
    void columnStayed() {
        groups.recoveryCounters().add(RecoveryCounters.Event.COLUMN_STAYED);
    }

    /** A partition that was copied here takes the log of its group from now on. */
    void join(Partition partition, SliceFrame.Seal seal) {
        tables.add(partition);
        groups.join(partition, seal.epoch(), seal.index(), seal.timeNanos());
    }

    /** A partition is not here any more. The caller frees its memory. */
    void remove(Partition partition) {
        tables.remove(partition);
        partition.group().dissolve();
    }

    /** A partition is not here any more. Its memory is freed in the background. */
    public void drop(Partition partition) {
        remove(partition);
        maintenance.free(partition);
    }

    /** A member of a group has committed an entry of its log that changes the partition's keys. */
    public void ownerChanged(Partition partition) {
        tables.changed(partition);
        maintenance.maintain(partition);
        for (MigrationOrder order : map.migrations()) {
            if (order.table() == partition.table() && order.parent() == partition.number()) {
                learn(order);
            }
        }
        SubsumedState handedBack = partition.group().subsumedState();
        if (handedBack != null && !subsumed.containsKey(handedBack.keys().migration())) {
            SubsumedPartition child = new SubsumedPartition(context, partition, handedBack, listener);
            subsumed.put(handedBack.keys().migration(), child);
            child.ask();
        }
        for (MigrationTarget target : List.copyOf(targets.values())) {
            target.ownerChanged(partition);
        }
        for (Migration source : List.copyOf(sources.values())) {
            if (source.partition() == partition) {
                source.committed();
            }
        }
    }

    // ---- reports

    /** What the migrations that have ended here have cost. */
    public MigrationCounters counters() {
        return counters;
    }

    /** A migration has ended. */
    void ended(MigrationCounters cost) {
        counters = counters.plus(cost);
    }

    /** What this stage reports of the migrations under way. */
    public List<MigrationReport> reports() {
        List<MigrationReport> reports = new ArrayList<>();
        for (MigrationOrder order : map.migrations()) {
            Migration source = sources.get(order.id());
            MigrationTarget target = targets.get(order.id());
            MigrationReport ofTarget = target == null ? null : target.report();
            if (source != null) {
                reports.add(source.report());
            } else if (unbegun.isGivenUp(order.id()) && leadsSource(order)) {
                reports.add(new MigrationReport(order.id(), MigrationState.ABANDONED, 0, 0));
            } else if (order.isTransfer()) {
                addOfSuccessor(reports, order);
            }
            if (ofTarget != null) {
                reports.add(ofTarget);
            } else if (order.isMerge() && isMergeOver(order)) {
                reports.add(new MigrationReport(order.id(), MigrationState.HANDED_OVER, 0, 0));
            }
        }
        return reports;
    }

    /**
     * A primary that did not begin the migration knows from its partition how the migration ended, once all that the
     * primary inherited is decided. A partition of one copy that moves has no such primary: the partition here, of the
     * same number, is the one that has arrived.
     */
    private void addOfSuccessor(List<MigrationReport> reports, MigrationOrder order) {
        Partition partition = tables.find(order.table(), order.sender());
        MigrationState ofLead = order.isMove() ? null : parities.outcome(order);
        if (ofLead != null) {
            reports.add(new MigrationReport(order.id(), ofLead, 0, 0));
            return;
        }
        if (order.isMove()
                || partition == null
                || !partition.group().isSettledLeader()
                || partition.group().subsumedState() != null) {
            return;
        }
        if (order.kind() == MigrationKind.SPLIT && partition.hasDetached(MovedKeys.by(order))) {
            reports.add(new MigrationReport(order.id(), MigrationState.HANDED_OVER, 0, 0));
        } else if (partition.group().epoch() > order.sourceEpoch()) {
            reports.add(new MigrationReport(order.id(), MigrationState.ABANDONED, 0, 0));
        }
    }

    /**
     * Whether a merge is over: the parent, which this brick leads, has taken the records; or the parent is lost, and
     * this brick leads the child that has handed over.
     */
    private boolean isMergeOver(MigrationOrder order) {
        Partition parent = tables.find(order.table(), order.parent());
        if (parent != null && parent.group().leads() && parent.hasAbsorbed(MovedKeys.by(order))) {
            return true;
        }
        TableView table = map.table(order.table());
        Place place = table == null ? null : table.place(order.parent());
        Partition child = tables.find(order.table(), order.child());
        return place != null
                && place.lost()
                && child != null
                && child.group().leads()
                && child.group().subsumedState() != null;
    }

    // ---- requests of clients

    /**
     * Keeps the request for a partition that is being copied here, or was merged and whose parent is not known yet to
     * serve; false when there is none, or no more requests can be kept.
     */
    public boolean park(Request request, int partition) {
        for (SubsumedPartition child : subsumed.values()) {
            if (child.is(request.table, partition) && !child.isTaken()) {
                return child.park(request);
            }
        }
        for (MigrationTarget target : targets.values()) {
            if (target.parks(request, partition)) {
                return target.park(request);
            }
        }
        return false;
    }

    /** Whether this partition was here and has been merged into its parent, which serves. */
    public boolean isMerged(int table, int partition) {
        return subsumed.values().stream().anyMatch(child -> child.is(table, partition) && child.isTaken());
    }

    /** Whether this partition was here and has moved to another brick; the map may not say so yet. */
    public boolean isMoved(int table, int partition) {
        return sources.values().stream()
                .map(Migration::order)
                .anyMatch(order -> order.table() == table && order.sender() == partition && isMovedBy(order));
    }

    private boolean isMovedBy(MigrationOrder order) {
        return order.isMove() && sources.get(order.id()) instanceof HandoverMigration move && move.isCommitted();
    }

    // ---- frames and requests of bricks

    /** Takes a slice. Slices of migrations that are not expected here are dropped. */
    public void onSlice(Link link, ByteBuf frames, int index, int length) {
        if (length < SliceFrame.ENTRIES) {
            throw new ProtocolViolation("slice of " + length + " bytes");
        }
        MigrationTarget target = targets.get(frames.getLongLE(index + SliceFrame.STREAM));
        if (target != null) {
            target.onSlice(link, frames, index, length);
        }
    }

    /** A target has applied slices. */
    public void onAcked(Link link, SnapshotAck acked) {
        Migration source = sources.get(acked.migration());
        if (source != null) {
            source.onAcked(link, acked);
        }
    }

    /** Answers the source of a migration. */
    public Answer answer(Link link, BrickRequest request) {
        MigrationTarget target = targets.get(request.migration());
        if (target == null) {
            return request instanceof Activate activate ? onLateActivate(activate) : unknown(request.migration());
        }
        return switch (request) {
            case SnapshotOpen open -> target.onOpen(link, open);
            case Activate activate -> target.onActivate(activate);
        };
    }

    /** The order of an Activate is gone from the map: the partition may serve already. */
    private Answer onLateActivate(Activate activate) {
        Partition serving = tables.find(activate.table(), activate.receiver());
        TableView table = map.table(activate.table());
        return serving != null && table != null && hasChild(serving, table, activate.migration())
                ? new Done(map.version())
                : unknown(activate.migration());
    }

    /** The answer about a migration that is not expected here. */
    static Refused unknown(long id) {
        return new Refused(Refusal.UNKNOWN_MIGRATION, "no migration " + id + " is expected here");
    }

    // ---- turns

    /** At the end of a turn: changes and acknowledgements leave. */
    public void onDrained() {
        for (Migration source : sources.values()) {
            source.onDrained();
        }
        for (MigrationTarget target : targets.values()) {
            Link link = target.acknowledge();
            if (link != null) {
                context.stage().touched(link);
            }
        }
    }

    /**
     * Every 100 ms: requests that have waited too long are answered, and orders begin that something stood in the way
     * of.
     */
    public void tick() {
        sources.values().forEach(Migration::tick);
        targets.values().forEach(MigrationTarget::tick);
        subsumed.values().forEach(SubsumedPartition::tick);
        for (MigrationOrder order : map.migrations()) {
            begin(order);
            expect(order);
        }
        giveUpUnbegun();
        cleaning.tick();
        subsumedColumns.tick();
    }

    private void giveUpUnbegun() {
        Set<Long> ordered = new TreeSet<>();
        Set<Long> waiting = new TreeSet<>();
        for (MigrationOrder order : map.migrations()) {
            ordered.add(order.id());
            if (!order.isRepair() && !sources.containsKey(order.id()) && leadsSource(order)) {
                waiting.add(order.id());
            }
        }
        for (long id : unbegun.tick(context.env().nowNanos(), waiting, ordered)) {
            log.info("migration {} is given up: it could not begin for 30 s", map.migration(id));
            listener.reportSoon();
        }
    }

    /** Whether this stage leads the partition that an order copies, in the epoch of the order, and has its keys yet. */
    private boolean leadsSource(MigrationOrder order) {
        Partition partition = tables.find(order.table(), order.sender());
        return partition != null
                && partition.group().leadsIn(order.sourceEpoch())
                && partition.group().subsumedState() == null
                && !(order.kind() == MigrationKind.SPLIT && partition.hasDetached(MovedKeys.by(order)));
    }

    /** A link went down. */
    public void onLinkDown(Link link) {
        List.copyOf(sources.values()).forEach(source -> source.onLinkDown(link));
    }

    /** The node ends. */
    public void release() {
        sources.values().forEach(Migration::drop);
        targets.values().forEach(MigrationTarget::release);
        subsumed.values().forEach(SubsumedPartition::release);
    }
}
