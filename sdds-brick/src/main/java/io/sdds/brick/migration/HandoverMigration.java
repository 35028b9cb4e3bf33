package io.sdds.brick.migration;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.experiment.SplitVariants;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.partition.Applied;
import io.sdds.brick.partition.MovedKeys;
import io.sdds.brick.partition.Parked;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.node.Link;
import io.sdds.core.node.Timer;
import io.sdds.core.protocol.Opcode;
import java.lang.foreign.MemorySegment;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The source of a migration that hands keys over: of a split, whose child gets the moving half; of a merge, whose
 * parent gets all records of the child; of a move, which brings a partition of one copy to another brick.
 */
class HandoverMigration extends Migration {

    /*
     * LH*LH's concurrent splitting with bulk shipping (section 4.5.3 f.), made safe by one switch
     * (docs/design/migration.md, rule 13).
     *
     * A cursor walks over the moving keys, whole LH-buckets or some records of a leaf at a time. A record before the
     * cursor has been sent, so a write to it is followed by a change in a later slice. A record behind the cursor will
     * be sent as it is by then. The results of all writes to the moving keys are sent too. The partition owns, runs and
     * acknowledges everything meanwhile.
     *
     * The switch begins when all records have been sent and the splits ordered before this one have committed (rule
     * 14). Writes to the moving keys are parked until the writes before them are decided, the logical time stands
     * still, and every target has acknowledged the SEAL behind the last change. Only then HANDOVER is proposed. So
     * every member that has HANDOVER prepared knows that the targets are complete. When HANDOVER is committed, each
     * member of the group gives the keys up. A member's level, or the span of its keys, tells whether that has
     * happened; there is no other record of it. The targets are told until they answer, and what was parked is
     * forwarded to them.
     *
     * An order is of one epoch of the group. In any other epoch the migration is abandoned, unless HANDOVER was
     * proposed: then this primary, or the next one, decides HANDOVER with the rest of its log.
     *
     * The entry of a merge is SUBSUME in the child's log. From there on each member of the child asks the parent's
     * group to take the records (SubsumedPartition). Expiries are sent in the logical time of the parent's primary. The
     * primary tells that time before the first record leaves. An idle column of a parity group does the same.
     *
     * The old brick of a move forwards later requests until the map says where the partition is. Moves leave at the
     * pace of all copies of the stage, since nobody waits for the room.
     *
     * Two variants are there to be measured, on partitions of one copy. Atomic splitting closes the partition from the
     * first slice to the switch. Individual shipping sends one record a slice (experiment.IndividualStream).
     *
     * Cost: every moved record is copied twice and sent once to each target; writes to the moving keys pause for one
     * round trip.
     */

    /** Between two tries to switch, writes run for so long. */
    private static final long REST_NANOS = 20_000_000L;

    private enum State {
        COPYING,
        /** Writes to the moving keys wait until the writes before them are decided. */
        DRAINING,
        /** The last changes and a SEAL are on their way to each target. */
        SEALING,
        /** HANDOVER is proposed. */
        PROPOSED,
        /** HANDOVER is committed, and the targets are told. */
        COMMITTED,
        /** The targets have answered, or will ask themselves. */
        DONE,
        ABANDONED
    }

    private final BrickMap map;
    private final Parked parked;
    private final RecordCursor moving;
    private final boolean atomic;
    private final SwitchPatience patience = new SwitchPatience();
    private State state = State.COPYING;
    private @Nullable Timer switching;
    private boolean resting;
    private long drainedAt;
    private long version;
    private long timeNanos;

    /** Whether the target has a logical time of its own: a parent, or an idle column of a parity group. */
    private final boolean targetHasTime;

    /** What is added to expiries: 0 unless the target has a logical time of its own. */
    private long shiftNanos;

    private boolean reckoned;

    /** When the source's time was last held, on this brick's clock. */
    private long heldNanos;

    /** @param policy how the records are sent */
    HandoverMigration(
            StageContext context,
            Partition partition,
            MigrationOrder order,
            SplitPolicy policy,
            @Nullable MigrationPace pace,
            Migrations migrations) {
        super(context, partition, order, pace, migrations);
        this.map = context.map();
        this.parked = new Parked(context.env(), Parked.SWITCH_EVENTS_MAX);
        this.moving = RecordCursor.of(partition, order, context.store());
        this.atomic = SplitVariants.isAtomic(policy);
        this.targetHasTime = order.isMerge() || isToColumn(partition, order);
        addCopies(context, policy);
    }

    /** In a table with parity groups the receiver of a split is an idle column, which has a place already. */
    private static boolean isToColumn(Partition partition, MigrationOrder order) {
        return order.kind() == MigrationKind.SPLIT && partition.bucket().ranks().areGiven();
    }

    @Override
    void start() {
        partition().mover(this);
        if (targetHasTime) {
            copies().getFirst().start(); // to the target's primary, whose time counts
        } else {
            copies().forEach(SnapshotStream::start);
        }
    }

    // ---- the order

    @Override
    MigrationState state() {
        return switch (state) {
            case COMMITTED, DONE ->
                order().isMerge() ? MigrationState.SHIPPING : MigrationState.HANDED_OVER; // the parent reports a merge
            case ABANDONED -> MigrationState.ABANDONED;
            default -> MigrationState.SHIPPING;
        };
    }

    @Override
    long bytes() {
        return copies().size() * moving.bytes();
    }

    @Override
    boolean isCopying() {
        return state == State.COPYING || state == State.DRAINING || state == State.SEALING;
    }

    /** Whether the keys are being handed over, and the outcome is not known here yet. */
    final boolean isProposed() {
        return state == State.PROPOSED;
    }

    /** Whether the keys are the target's, as this brick knows. */
    boolean isCommitted() {
        return state == State.COMMITTED || state == State.DONE;
    }

    /** A partition that was moved is not here any more. */
    @Override
    boolean isVoid() {
        return !leader().leads() && !(order().isMove() && isCommitted());
    }

    @Override
    void release() {
        if (isCopying()) {
            giveUp();
        }
        leave();
        parked.rerun(migrations().listener()::rerun);
        super.drop();
    }

    @Override
    void drop() {
        parked.release();
        super.drop();
    }

    /** Does nothing once HANDOVER is proposed. */
    @Override
    void abandon(String why) {
        if (isCopying()) {
            logAbandoned(why);
            giveUp();
            leave();
            copies().forEach(SnapshotStream::end);
            parked.rerun(migrations().listener()::rerun);
            migrations().listener().reportSoon();
        }
    }

    private void giveUp() {
        leader().releaseTime();
        open();
        become(State.ABANDONED);
    }

    @Override
    void mapChanged(Predicate<Member> isReplaced) {
        if (!leader().leadsIn(order().sourceEpoch())) {
            abandon("its group has changed");
        }
        if (order().isMerge() && !isParentAsOrdered()) {
            abandon("the group of partition " + order().parent() + " has changed");
        }
        if (isToColumn(partition(), order()) && !isAtTarget(placeOf(order().receiver()))) {
            abandon("column " + order().receiver() + " has another primary now");
        }
        for (Member member : order().target().members()) {
            if (isReplaced.test(member)) {
                abandon("brick " + member.brick() + " has another process now");
            }
        }
        advance();
    }

    private boolean isAtTarget(@Nullable Place place) {
        return place != null && place.primary().equals(order().target().primary());
    }

    private @Nullable Place placeOf(int number) {
        TableView table = map.table(order().table());
        return table == null ? null : table.place(number);
    }

    private boolean isParentAsOrdered() {
        Place parent = placeOf(order().parent());
        return parent != null
                && !parent.lost()
                && parent.epoch() == order().target().epoch();
    }

    @Override
    void tick() {
        parked.expire(this::overdue);
        giveUpIfStalled();
    }

    private void overdue(Link link, ByteBuf request) {
        stats().requestRefused();
        migrations().listener().overdue(link, request);
    }

    /** A split whose turn has not come waits for the splits before it. */
    @Override
    boolean mayProgress() {
        return isCopying() && map.isNext(order());
    }

    // ---- what the partition tells

    @Override
    public boolean admits(Request request) {
        if (moving.contains(request)) {
            for (SnapshotStream copy : copies()) {
                if (!copy.keepsUp(request)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** A clear may reach into the moving keys from before them. */
    @Override
    public boolean holds(Request request) {
        return state != State.COPYING && (moving.contains(request) || !Opcode.isOfKey(request.opcode));
    }

    @Override
    public boolean park(Request request) {
        boolean kept = parked.add(request);
        if (kept) {
            stats().requestParked();
        } else {
            stats().requestRefused();
        }
        return kept;
    }

    @Override
    public void applied(Applied entry) {
        if (isCopying() && moving.contains(entry)) {
            copies().forEach(copy -> copy.applied(entry));
        }
    }

    @Override
    public void changed(long hash, MemorySegment key) {
        if (isCopying() && moving.contains(hash, key, 0, (int) key.byteSize())) {
            copies().forEach(copy -> copy.changed(hash, key));
        }
    }

    // ---- the copies

    @Override
    void opened(SnapshotStream opened, long targetTimeNanos) {
        if (targetHasTime && !reckoned && isCopying()) {
            reckoned = true;
            reckonBy(targetTimeNanos, opened.openingNanos());
        }
        super.opened(opened, targetTimeNanos);
    }

    /**
     * Two partitions' logical times differ, since no two clocks are compared: expiries are sent in the target's time.
     * They are late by at most the time that opening took. The source's own time stands still for so long, so that no
     * record is there again that had expired here. Nothing is handed over before its time goes on: until then its time
     * is ahead of the target's, which would have to leap.
     */
    private void reckonBy(long targetTimeNanos, long openingNanos) {
        shiftNanos = targetTimeNanos - (leader().holdTime(openingNanos) - openingNanos);
        rest(openingNanos);
        copies().forEach(SnapshotStream::start);
    }

    @Override
    void began() {
        if (atomic && isCopying()) {
            partition().closed(true);
        }
        advance();
    }

    @Override
    void beganAgain() {
        switchLater();
        if (atomic) {
            open();
            parked.rerun(migrations().listener()::rerun);
        }
    }

    private void open() {
        if (atomic) {
            partition().closed(false);
        }
    }

    @Override
    int level() {
        return order().receiverLevel();
    }

    @Override
    long version() {
        return version;
    }

    @Override
    long timeNanos() {
        return timeNanos;
    }

    @Override
    long shiftNanos() {
        return shiftNanos;
    }

    // ---- the switch

    @Override
    void advance() {
        if (state == State.COPYING) {
            queueSlice();
            if (mayDrain()) {
                drain();
            }
        }
        if (state == State.DRAINING && leader().committed() >= drainedAt && isDrained()) {
            seal();
        }
        if (state == State.SEALING && copies().stream().allMatch(SnapshotStream::isSealed)) {
            handOver();
        }
    }

    /** Whether the log is as it must be for the switch, once all writes to the moving keys are decided. */
    boolean isDrained() {
        return true;
    }

    /** The seq of the last entry of the log that the SEAL names; 0 if the target does not need it. */
    long sealedSeq() {
        return 0;
    }

    private boolean mayDrain() {
        return !resting
                && copies().stream().allMatch(copy -> copy.isNearlyThere() && copy.knowsEndedSessions(map))
                && map.isNext(order())
                && leader().leadsIn(order().sourceEpoch());
    }

    /** Nobody is served while a partition splits atomically, so that there is no hurry. */
    private void drain() {
        become(State.DRAINING);
        drainedAt = leader().last();
        if (!atomic) {
            switching = env().schedule(patience.nanos(), this::switchLater);
        }
    }

    /**
     * All writes to the moving keys are decided and in the changes: the targets get the last of the changes. What
     * expires by the target's time would lose as much time as the source's stood still, so it stands still from here.
     */
    private void seal() {
        state = State.SEALING;
        timeNanos = order().isMerge() ? 0 : hold();
        version = partition().version();
        long epoch = order().target().epoch();
        long seq = sealedSeq();
        copies().forEach(copy -> copy.seal(epoch, seq));
    }

    /** Lets the source's time stand still, and returns that time as the target's time. */
    private long hold() {
        if (targetHasTime) {
            leader().advance();
            heldNanos = env().nowNanos();
        }
        return leader().holdTime() + shiftNanos;
    }

    /** The source's time goes on. The time of a target that has its own has run on meanwhile. */
    private void goOnWithTime(boolean wasHeld) {
        leader().releaseTime();
        if (targetHasTime && wasHeld && !order().isMerge()) {
            shiftNanos += env().nowNanos() - heldNanos;
        }
    }

    private void handOver() {
        if (!leader().leadsIn(order().sourceEpoch())) {
            return;
        }
        if (!isLogAsSealed()) {
            switchLater();
            return;
        }
        open();
        become(State.PROPOSED);
        propose();
    }

    /** Hands the keys over: all targets are complete. */
    void propose() {
        switch (order().kind()) {
            case MERGE -> leader().subsume(MovedKeys.by(order()), shiftNanos);
            case MOVE -> moveAway();
            default -> leader().handOver(MovedKeys.by(order()));
        }
        leader().releaseTime();
    }

    /** The partition has one copy and leaves with its log, so that there is no entry. */
    private void moveAway() {
        migrations().movedAway(order(), partition());
        committed();
    }

    /** Whether the log is still as the SEAL has told. */
    boolean isLogAsSealed() {
        return true;
    }

    /** Ends a switch whose outcome the map tells. */
    final void decided(boolean handedOver) {
        become(handedOver ? State.COMMITTED : State.ABANDONED);
    }

    /** A target is too slow for a short switch: writes go on, and the switch is tried again. */
    final void switchLater() {
        if (state == State.DRAINING || state == State.SEALING) {
            goOnWithTime(state == State.SEALING);
            become(State.COPYING);
            stats().switchTimedOut();
            patience.timedOut();
            rest(REST_NANOS);
            parked.rerun(migrations().listener()::rerun);
        }
    }

    private void rest(long nanos) {
        resting = true;
        env().schedule(nanos, () -> {
            resting = false;
            advance();
        });
    }

    /**
     * HANDOVER is committed, and the partition has given the keys up. Requests that were parked go to the target,
     * behind Activate on the same link. After SUBSUME the members of the child see to it that the parent takes the
     * records.
     */
    @Override
    void committed() {
        if (state != State.PROPOSED) {
            return; // the entry of an earlier migration
        }
        leave();
        if (order().isMerge()) {
            become(State.DONE);
        } else {
            become(State.COMMITTED);
            for (int k = copies().size() - 1; k >= 0; k--) { // the child's primary last: it needs the others
                copies().get(k).activate(this::activated);
            }
            migrations().listener().reportSoon();
        }
        parked.rerun(migrations().listener()::rerun);
    }

    private void activated() {
        if (state == State.COMMITTED && copies().stream().allMatch(SnapshotStream::isActivated)) {
            become(State.DONE);
        }
    }

    private void become(State next) {
        if (switching != null) {
            switching.cancel();
            switching = null;
        }
        state = next;
        logState(next);
        if (next == State.DRAINING || next == State.PROPOSED) {
            stats().writesWait(env().nowNanos());
        } else {
            stats().writesGoOn(env().nowNanos());
        }
        if (next == State.ABANDONED || next == (order().isMerge() ? State.DONE : State.COMMITTED)) {
            countEnd(next);
        }
    }
}
