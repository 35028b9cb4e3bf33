package io.sdds.brick.ship;

import io.sdds.brick.group.Group;
import io.sdds.brick.group.WriteId;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.partition.Applied;
import io.sdds.brick.partition.Moved;
import io.sdds.brick.partition.Parked;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage.ShipAcked;
import io.sdds.core.control.ControlMessage.SplitReport;
import io.sdds.core.control.ControlMessage.SplitState;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.Timer;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.stage.Stage;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The primary's side of a replica group's split: ships the moving half to every member of the child's group, and
 * switches by an entry of the group's log. Of a merge: ships all of the child to every member of its parent's group.
 */
public final class GroupSplitSource implements Partition.Mover, Stage.Background, SnapshotSource {

    /*
     * docs/design/migration.md, rule 13, for groups. The half goes to each member of the child's group as that of a
     * table of one copy goes to the child (SplitSource), and what the group commits follows it. To switch, writes to
     * the half wait until those before them are decided, the group's logical time stands still, and every member of the
     * child's group acknowledges the SEAL behind the last changes. Only then HANDOVER is proposed: so whoever has it
     * prepared knows that the child is whole, and when it is committed the half changes hands at each member of the
     * parent's group, though its primary may be gone by then. A member's level tells whether that has happened: no
     * other record of it is kept.
     *
     * An order is of one epoch of the parent's group. In any other it is given up, unless HANDOVER was proposed: then
     * this primary, or the next one, brings that to its end, as it does with all it holds.
     *
     * A merge is the same with the child's group as the source: all its keys have the bit that tells the halves apart.
     * Its end is HANDOVER_ALL in the child's log, and from there on each member of the child sees to it that the
     * parent's group takes what it has (node.MergedChild). Expiries are told by the parent's logical time
     * (SplitSource.reckonBy), which its primary says before the first record leaves.
     */

    /** Between two tries writes run. */
    private static final long REST_NANOS = 20_000_000L;

    private static final Logger log = LoggerFactory.getLogger(GroupSplitSource.class);

    private enum State {
        SHIPPING,
        /** Writes to the half wait until those before them are decided. */
        DRAINING,
        /** The last changes and a SEAL are on their way to each member of the child's group. */
        SEALING,
        HANDING_OVER,
        /** HANDOVER is committed. */
        TELLING,
        DONE,
        ABANDONED
    }

    private final Env env;
    private final Partition shipped;
    private final MigrationOrder order;
    private final Group leader;
    private final BrickMap map;
    private final SplitSource.Listener listener;
    private final Parked parked;
    private final List<SnapshotStream> copies = new ArrayList<>();
    private final MovingPart moving;
    private final SliceQueue queue;
    private final MigrationStats stats = new MigrationStats();
    private final SwitchPatience patience = new SwitchPatience();
    private State state = State.SHIPPING;
    private @Nullable Timer switching;
    private boolean resting;
    private int nextCopy;
    private long drainedAt;
    private long version;
    private long timeNanos;
    private long shiftNanos;
    private boolean reckoned;
    private Set<WriteId> undecided = new HashSet<>();

    /** @param leader the partition's group, which this brick leads */
    public GroupSplitSource(
            StageContext context,
            Partition shipped,
            MigrationOrder order,
            Group leader,
            SplitSource.Listener listener) {
        this.env = context.env();
        this.shipped = shipped;
        this.order = order;
        this.leader = leader;
        this.map = context.map();
        this.listener = listener;
        this.parked = new Parked(context.env(), Parked.SWITCH_EVENTS_MAX);
        this.moving = MovingPart.of(shipped, order);
        this.queue = new SliceQueue(context, null, this);
        for (Member member : order.target().members()) {
            SnapshotStream.Target target =
                    new SnapshotStream.Target(order.id(), member.brick(), order.table(), order.receiver());
            copies.add(new SnapshotStream(
                    context, shipped, target, SplitPolicy.DEFAULT, () -> MovingPart.of(shipped, order), this));
        }
    }

    public MigrationOrder order() {
        return order;
    }

    /** For the heartbeat. */
    public SplitReport report() {
        SplitState reported = switch (state) {
            case TELLING, DONE ->
                order.isMerge() ? SplitState.SHIPPING : SplitState.HANDED_OVER; // a merge isn't over yet
            case ABANDONED -> SplitState.ABANDONED;
            default -> SplitState.SHIPPING;
        };
        return new SplitReport(order.id(), reported, sentBytes(), copies.size() * moving.bytes());
    }

    private long sentBytes() {
        return copies.stream().mapToLong(SnapshotStream::sentBytes).sum();
    }

    public boolean isAbandoned() {
        return state == State.ABANDONED;
    }

    public void start() {
        shipped.mover(this);
        if (order.isMerge()) {
            copies.getFirst().start(); // the primary, whose time counts
        } else {
            copies.forEach(SnapshotStream::start);
        }
    }

    /** The order is gone from the map, or this brick leads no more, or the node goes. */
    public void release() {
        if (isOpen()) {
            leader.releaseTime();
            become(State.ABANDONED);
        }
        leave();
        parked.rerun(listener::rerun);
        copies.forEach(SnapshotStream::release);
    }

    /** The node ends. */
    public void drop() {
        parked.release();
        copies.forEach(SnapshotStream::release);
    }

    /**
     * The group, the child's group or the order is not what it was: the split is given up, unless HANDOVER was
     * proposed.
     */
    public void abandon(String why) {
        if (isOpen()) {
            log.info(
                    "table {} partition {} gives up being shipped to {}: {}",
                    order.table(),
                    order.sender(),
                    order.receiver(),
                    why);
            leader.releaseTime();
            become(State.ABANDONED);
            leave();
            parked.rerun(listener::rerun);
            listener.ended(order);
        }
    }

    /** The map has changed: the group may be another, or it may be this split's turn. */
    public void mapChanged(Predicate<Member> isReplaced) {
        if (!leader.leadsIn(order.source().epoch())) {
            abandon("its group has changed");
        }
        for (Member member : order.target().members()) {
            if (isReplaced.test(member)) {
                abandon("brick " + member.brick() + " has another process now");
            }
        }
        advance();
    }

    /** Whether it may still be given up. */
    private boolean isOpen() {
        return state == State.SHIPPING || state == State.DRAINING || state == State.SEALING;
    }

    /** A member of the child's group has applied slices. */
    public void onAcked(Link link, ShipAcked acked) {
        for (SnapshotStream copy : copies) {
            if (copy.onAcked(link, acked)) {
                return;
            }
        }
    }

    public void onLinkDown(Link link) {
        if (isOpen()) {
            copies.forEach(copy -> copy.onLinkDown(link));
        }
    }

    /** At the end of a turn: changes leave. */
    public void onDrained() {
        if (isOpen()) {
            copies.forEach(SnapshotStream::sendChanges);
            advance();
        }
    }

    /** Now and then: requests that wait too long are answered. */
    public void tick() {
        parked.expire(listener::overdue);
    }

    // ---- what the partition tells

    @Override
    public boolean admits(Request request) {
        if (moving.contains(request)) {
            for (SnapshotStream copy : copies) {
                if (!copy.keepsUp()) {
                    return false;
                }
            }
        }
        return true;
    }

    /** A clear may reach into the half from before it. */
    @Override
    public boolean holds(Request request) {
        return state != State.SHIPPING && (moving.contains(request) || !Opcode.isOfKey(request.opcode));
    }

    @Override
    public boolean park(Request request) {
        stats.requestParked();
        return parked.add(request);
    }

    @Override
    public boolean takesLog() {
        return true;
    }

    @Override
    public void applied(Applied entry) {
        if (isOpen() && moving.contains(entry)) {
            copies.forEach(copy -> copy.applied(entry));
        }
    }

    @Override
    public void removed(long hash, MemorySegment key) {
        if (isOpen() && moving.contains(hash, key, 0, (int) key.byteSize())) {
            copies.forEach(copy -> copy.removed(hash, key));
        }
    }

    // ---- the copies

    /** One slice of one copy (a background event of the stage). */
    @Override
    public boolean slice() {
        queue.runs();
        for (int k = 0; k < copies.size() && isOpen(); k++) {
            SnapshotStream copy = copies.get(nextCopy);
            nextCopy = (nextCopy + 1) % copies.size();
            if (copy.canShip()) {
                copy.ship();
                break;
            }
        }
        advance();
        return false; // advance has queued the next one
    }

    /**
     * Its primary comes first: what is added to expiries is known before a record leaves, and stays
     * (SplitSource.reckonBy).
     */
    @Override
    public void opened(SnapshotStream opened, long theirTimeNanos) {
        if (order.isMerge() && !reckoned && isOpen()) {
            reckoned = true;
            long openingNanos = opened.openingNanos();
            shiftNanos = theirTimeNanos - (leader.setTimeBack(openingNanos) - openingNanos);
            rest(openingNanos); // until then this time is ahead of theirs
            copies.forEach(SnapshotStream::start);
        }
        undecided = leader.undecidedWrites();
    }

    @Override
    public void began() {
        advance();
    }

    @Override
    public MigrationStats stats() {
        return stats;
    }

    @Override
    public int level() {
        return order.receiverLevel();
    }

    @Override
    public long version() {
        return version;
    }

    @Override
    public long timeNanos() {
        return timeNanos;
    }

    @Override
    public long shiftNanos() {
        return shiftNanos;
    }

    @Override
    public boolean isDecided(long session, long seq) {
        return !undecided.contains(new WriteId(session, seq));
    }

    @Override
    public void failed(String why) {
        abandon(why);
    }

    @Override
    public void beganAgain() {
        switchLater();
    }

    /** Whatever can go on now does. */
    @Override
    public void advance() {
        if (state == State.SHIPPING) {
            if (copies.stream().anyMatch(SnapshotStream::canShip)) {
                queue.queue();
            }
            if (!resting
                    && copies.stream().allMatch(copy -> copy.isNearlyThere() && copy.knowsEndedSessions(map))
                    && map.isNext(order)
                    && leader.leadsIn(order.source().epoch())) {
                drain();
            }
        }
        if (state == State.DRAINING && leader.committed() >= drainedAt) {
            seal();
        }
        if (state == State.SEALING && copies.stream().allMatch(SnapshotStream::isSealed)) {
            handOver();
        }
    }

    private void drain() {
        become(State.DRAINING);
        drainedAt = leader.last();
        switching = env.schedule(patience.nanos(), this::switchLater);
    }

    /**
     * All that was written to the half is decided, and in the changes: the members of the child's group get the last of
     * them.
     */
    private void seal() {
        state = State.SEALING;
        timeNanos = order.isMerge()
                ? 0
                : leader.holdTime(); // what expires by the parent's time would lose what this one stood still
        version = shipped.version();
        long epoch = order.target().epoch();
        copies.forEach(copy -> copy.seal(epoch, 0));
    }

    private void handOver() {
        if (leader.leadsIn(order.source().epoch())) {
            become(State.HANDING_OVER);
            if (order.isMerge()) {
                leader.handOverAll(Moved.by(order), shiftNanos);
            } else {
                leader.handOver(Moved.by(order));
            }
            leader.releaseTime();
        }
    }

    /** Somebody is too slow for a short switch: writes go on, and it is tried again. */
    private void switchLater() {
        if (state == State.DRAINING || state == State.SEALING) {
            become(State.SHIPPING);
            leader.releaseTime();
            stats.switchTimedOut();
            patience.timedOut();
            rest(REST_NANOS);
            parked.rerun(listener::rerun);
        }
    }

    private void rest(long nanos) {
        resting = true;
        env.schedule(nanos, () -> {
            resting = false;
            advance();
        });
    }

    /**
     * HANDOVER is committed, and the parent has dropped the half: whoever waited goes to the child. Or the child serves
     * nothing any more.
     */
    public void committed() {
        if (state != State.HANDING_OVER) {
            return; // the entry of an earlier split
        }
        become(order.isMerge() ? State.DONE : State.TELLING);
        leave();
        if (order.isMerge()) {
            parked.rerun(listener::rerun);
            return;
        }
        for (int k = copies.size() - 1; k >= 0; k--) { // the child's primary last: it needs the others
            copies.get(k).activate(this::told);
        }
        parked.rerun(listener::rerun); // behind the Activate, on the same link
        listener.ended(order);
    }

    private void told() {
        if (state == State.TELLING && copies.stream().allMatch(SnapshotStream::isActivated)) {
            become(State.DONE);
        }
    }

    private void leave() {
        if (shipped.mover() == this) {
            shipped.mover(null);
        }
    }

    private void become(State next) {
        if (switching != null) {
            switching.cancel();
            switching = null;
        }
        state = next;
        log.debug("table {} shipping {} -> {} is {}", order.table(), order.sender(), order.receiver(), next);
        if (next == State.DRAINING || next == State.HANDING_OVER) {
            stats.writesWait(env.nowNanos());
        } else {
            stats.writesGoOn(env.nowNanos());
        }
        if (next == State.ABANDONED || next == (order.isMerge() ? State.DONE : State.TELLING)) {
            log.debug(
                    "{} {} of table {} partition {} to {} is {}: {} bytes, {}",
                    order.kind(),
                    order.id(),
                    order.table(),
                    order.sender(),
                    order.receiver(),
                    next,
                    sentBytes(),
                    stats);
        }
    }
}
