package io.sdds.brick.node;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.group.Group;
import io.sdds.brick.group.Group.HandedBack;
import io.sdds.brick.group.Groups;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.Moved;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.ship.SplitSource;
import io.sdds.brick.ship.SplitTarget;
import io.sdds.brick.stage.Peers;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage.Activate;
import io.sdds.core.control.ControlMessage.Answer;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.ShipOpen;
import io.sdds.core.control.ControlMessage.SplitReport;
import io.sdds.core.control.ControlMessage.SplitState;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.stage.Stage;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The merges of replica groups at those who take: this stage's partitions that are a member of the parent, by stream;
 * and the copies of children that have handed over. How a child is shipped: {@link GroupSplits}.
 */
final class GroupMerges implements Migrations.Targets {
    /*
     * The parent's members get the child's records beside their own (SplitTarget). That they are theirs is an entry of
     * their group's log, TAKE, which the primary proposes when a member of the child says that HANDOVER_ALL is
     * committed there; then every member has all. A member whose order is gone keeps what came if it has TAKE, decided
     * or not; else it was given up: TAKE is committed, and so prepared at all members, before the coordinator hears of
     * it, and never proposed of a merge that may still be given up.
     */
    private final Env env;
    private final Stage stage;
    private final BrickMap map;
    private final Tables tables;
    private final RecordStore store;
    private final MemoryBudget budget;
    private final Peers peers;
    private final Groups groups;
    private final IntPredicate owned;
    private final SplitSource.Listener listener;
    private final Consumer<Partition> maintain;
    private final Map<Long, Taking> targets = new TreeMap<>();
    private final Map<Long, MergedChild> merged = new TreeMap<>();

    /** A child's records on their way here. */
    private static final class Taking {
        private final MigrationOrder order;
        private final SplitTarget target;
        private final Group group;
        private boolean lost;

        Taking(MigrationOrder order, SplitTarget target, Group group) {
            this.order = order;
            this.target = target;
            this.group = group;
        }

        Partition parent() {
            return target.receiver();
        }

        boolean isTaken() {
            return parent().hasTaken(Moved.by(order));
        }
    }

    /** @param maintain lets a bucket compact in the background */
    GroupMerges(StageContext context, Groups groups, SplitSource.Listener listener, Consumer<Partition> maintain) {
        this.env = context.env();
        this.stage = context.stage();
        this.map = context.map();
        this.tables = context.tables();
        this.store = context.store();
        this.budget = context.budget();
        this.peers = context.peers();
        this.groups = groups;
        this.owned = context.owned();
        this.listener = listener;
        this.maintain = maintain;
    }

    // ---- the map

    /** The map has changed: ends what it orders no more. */
    void endUnordered() {
        for (MergedChild copy : List.copyOf(merged.values())) {
            if (!isHere(copy.child())) {
                merged.values().remove(copy);
                copy.end();
            }
        }
        for (Taking taking : List.copyOf(targets.values())) {
            if (map.split(taking.order.id()) == null || !isHere(taking.parent())) {
                targets.remove(taking.order.id());
                taking.target.parked().rerun(listener::rerun);
                giveUp(taking);
            }
        }
    }

    private boolean isHere(Partition partition) {
        return tables.find(partition.table(), partition.number()) == partition;
    }

    /** What came for nothing goes. */
    private void giveUp(Taking taking) {
        if (isHere(taking.parent()) && !taking.isTaken() && !taking.group.isTaking()) {
            taking.parent().dropShipped();
            maintain.accept(taking.parent());
        }
    }

    /** A merge is ordered: what the child has may come. */
    void take(MigrationOrder order) {
        Partition parent = tables.find(order.table(), order.parent());
        Group group = parent == null ? null : parent.group();
        if (parent == null || group == null) {
            return;
        }
        TableView table = map.table(order.table());
        if (parent.hasTaken(Moved.by(order))) {
            learn(order);
        } else if (table != null
                && parent.mayTake(Moved.by(order))
                && order.target().members().contains(groups.self())
                && owned.test(order.parent())
                && !group.isJoining()
                && !group.hasGivenUp()
                && !group.isTaking()
                && !targets.containsKey(order.id())) {
            SplitTarget target =
                    new SplitTarget(env, store, order, table.definition().kind(), parent);
            targets.put(order.id(), new Taking(order, target, group));
        }
    }

    /** The map may be older than what is known here. */
    void learn() {
        merged.values().forEach(MergedChild::learn);
    }

    private void learn(MigrationOrder order) {
        TableView table = map.table(order.table());
        if (table != null) {
            table.mergeCommitted(order);
        }
    }

    /** A child that is lost can't say that it had handed over: so it had not, from here on. */
    private void giveUpLost(Taking taking) {
        TableView table = map.table(taking.order.table());
        Place child = table == null ? null : table.place(taking.order.child());
        if (child != null
                && child.lost()
                && taking.group.leadsAndKnows()
                && !taking.group.isTaking()
                && !taking.isTaken()) {
            taking.lost = true;
            taking.target.giveUp();
        }
    }

    // ---- entries of the log

    /** TAKE is committed at this member of the parent's group, or HANDOVER_ALL at this one of the child's. */
    void changedHands(Partition partition) {
        Group group = partition.group();
        HandedBack word = group == null ? null : group.handedBack();
        if (word != null && !merged.containsKey(word.keys().stream())) {
            MergedChild copy = new MergedChild(env, map, peers, partition, word, listener);
            merged.put(word.keys().stream(), copy);
            copy.ask();
        }
        for (Taking taking : List.copyOf(targets.values())) {
            if (taking.parent() == partition && taking.isTaken()) {
                taken(taking);
            }
        }
    }

    private void taken(Taking taking) {
        learn(taking.order);
        taking.parent().results().dropEnded(map::sessionEnded);
        if (!taking.target.isServing()) {
            taking.target.taken();
            taking.target.parked().rerun(listener::rerun);
            listener.ended(taking.order);
        }
    }

    // ---- what others say

    @Override
    public @Nullable SplitTarget target(long id) {
        Taking taking = targets.get(id);
        return taking == null ? null : taking.target;
    }

    @Override
    public Answer onOpen(Link link, ShipOpen open) {
        Taking taking = targets.get(open.stream());
        if (taking == null || !taking.target.isShipping() || !taking.target.isNewer(open)) {
            return Migrations.unknown(open.stream());
        }
        if (!budget.admitsOrdinary(open.bytes())) {
            return noRoom(open);
        }
        boolean primary = taking.order.target().primary().equals(groups.self());
        if (primary && !taking.group.leads()) {
            return new Refused(Refusal.NOT_READY, "the group has not begun its epoch here");
        }
        SplitTarget.Readiness readiness = taking.target.prepare();
        maintain.accept(taking.parent());
        if (readiness != SplitTarget.Readiness.READY) {
            return readiness == SplitTarget.Readiness.REFUSED
                    ? noRoom(open)
                    : new Refused(Refusal.NOT_READY, "the partition is made ready for a merge");
        }
        return taking.target.open(link, open, primary ? taking.group.advance() : 0);
    }

    private static Refused noRoom(ShipOpen open) {
        return new Refused(Refusal.MEMORY_FULL, "no room for " + open.bytes() + " bytes");
    }

    @Override
    public void onSlice(Link link, ByteBuf frames, int index, int length) {
        Taking taking = targets.get(Migrations.idOf(frames, index));
        if (taking != null && taking.target.isShipping()) {
            taking.target.onSlice(link, frames, index, length);
        }
    }

    /** The child's group has committed HANDOVER_ALL: answered with Done when this one has committed TAKE. */
    @Override
    public Answer onActivate(Activate activate) {
        Taking taking = targets.get(activate.stream());
        if (taking == null || taking.lost) {
            return Migrations.unknown(activate.stream());
        }
        if (!taking.isTaken()
                && taking.target.seal() != null
                && !taking.group.isTaking()
                && taking.group.leadsAndKnows()) {
            taking.group.take(new HandedBack(Moved.by(taking.order), activate.version(), activate.timeNanos()));
        }
        return taking.isTaken()
                ? new Done(map.version())
                : new Refused(Refusal.NOT_READY, "what was merged is not taken yet");
    }

    /** What the parent's primary says: that it has taken, or that there is nobody any more who could have it take. */
    @Nullable
    SplitReport report(MigrationOrder order) {
        Taking taking = targets.get(order.id());
        Partition parent = tables.find(order.table(), order.parent());
        Group group = parent == null ? null : parent.group();
        if (parent == null || group == null || !group.leads()) {
            return null;
        }
        if (parent.hasTaken(Moved.by(order))) {
            return new SplitReport(order.id(), SplitState.HANDED_OVER, 0, 0);
        }
        return taking != null && taking.lost ? new SplitReport(order.id(), SplitState.ABANDONED, 0, 0) : null;
    }

    // ---- requests

    /**
     * Keeps the request for a child that has handed over, or is being taken; false when there is none, or no room to
     * wait.
     */
    boolean park(Request request, int partition) {
        for (MergedChild copy : merged.values()) {
            if (copy.is(request.table, partition) && !copy.isTaken()) {
                return copy.park(request);
            }
        }
        for (Taking taking : targets.values()) {
            if (taking.order.child() == partition && taking.order.table() == request.table && taking.group.isTaking()) {
                return taking.target.parked().add(request);
            }
        }
        return false;
    }

    /** Whether this child has handed over here, and its parent serves. */
    boolean isMerged(int table, int partition) {
        return merged.values().stream().anyMatch(copy -> copy.is(table, partition) && copy.isTaken());
    }

    // ---- turns

    /** At the end of a turn: acknowledgements leave. */
    void onDrained() {
        for (Taking taking : targets.values()) {
            Link link = taking.target.acknowledge(map.version());
            if (link != null) {
                stage.touched(link);
            }
        }
    }

    /** Now and then: requests that wait too long are answered. */
    void tick() {
        merged.values().forEach(MergedChild::tick);
        for (Taking taking : targets.values()) {
            giveUpLost(taking);
            taking.target.parked().expire(listener::overdue);
            if (!taking.group.isTaking()) {
                taking.target.parked().rerun(listener::rerun); // TAKE was cut off with its primary
            }
        }
    }

    /** The node ends. */
    void release() {
        merged.values().forEach(MergedChild::release);
        targets.values().forEach(taking -> taking.target.parked().release());
    }
}
