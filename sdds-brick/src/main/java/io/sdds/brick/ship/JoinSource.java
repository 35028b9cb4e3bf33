package io.sdds.brick.ship;

import io.sdds.brick.group.Group;
import io.sdds.brick.group.WriteId;
import io.sdds.brick.partition.Applied;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage.ShipAcked;
import io.sdds.core.control.ControlMessage.SplitReport;
import io.sdds.core.control.ControlMessage.SplitState;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.node.Link;
import io.sdds.core.stage.Stage;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The primary's side of a join: ships the whole partition to a brick that is to be a member of its replica group. */
public final class JoinSource implements Partition.Mover, Stage.Background, SnapshotSource {

    /*
     * As a split ships a half: LH-buckets in the order of scans, or records in the order of keys, and behind them what
     * was committed since to those that are over there already. Nothing waits: at its end the last changes leave and,
     * in the same turn, a SEAL that names the last committed entry, which is in the copy. From the next entry on the
     * joiner takes the group's log, as a member does; when it has caught up, nothing is acknowledged any more without
     * its vote, the coordinator is told, and only the coordinator can take that back (docs/design/migration.md,
     * rule 5).
     *
     * The copy begins again with a new primary: it does not know which of the entries that it inherited the joiner's
     * records and results were made of, some of which it may be cutting off.
     */
    private static final String NO_MEMORY = "its brick has no memory left";
    private static final Logger log = LoggerFactory.getLogger(JoinSource.class);

    private enum State {
        OPENING,
        SHIPPING,
        JOINING,
        VOTING,
        CAUGHT_UP,
        ABANDONED
    }

    private final Partition partition;
    private final MigrationOrder order;
    private final Group leader;
    private final Runnable ended;
    private final SnapshotStream copy;
    private final SliceQueue queue;
    private final MigrationStats stats = new MigrationStats();
    private State state = State.OPENING;
    private Set<WriteId> undecided = new HashSet<>();

    /**
     * @param leader the partition's group, which this brick leads
     * @param pace of all joins of the stage
     * @param ended the coordinator should hear of it at once
     */
    public JoinSource(
            StageContext context,
            Partition partition,
            MigrationOrder order,
            Group leader,
            ShippingPace pace,
            Runnable ended) {
        this.partition = partition;
        this.order = order;
        this.leader = leader;
        this.ended = ended;
        SnapshotStream.Target target =
                new SnapshotStream.Target(order.id(), order.learner().brick(), order.table(), order.receiver());
        this.copy = new SnapshotStream(
                context, partition, target, SplitPolicy.DEFAULT, () -> MovingPart.all(partition), this);
        this.queue = new SliceQueue(context, pace, this);
    }

    public MigrationOrder order() {
        return order;
    }

    /** For the heartbeat. */
    public SplitReport report() {
        SplitState reported = switch (state) {
            case CAUGHT_UP -> SplitState.HANDED_OVER;
            case ABANDONED -> SplitState.ABANDONED;
            default -> SplitState.SHIPPING;
        };
        return new SplitReport(order.id(), reported, copy.sentBytes(), partition.bytes());
    }

    /** Opens the shipping; tries again until the joiner answers. */
    public void start() {
        copy.start();
    }

    /** The order is gone from the map, or this brick leads no more, or the node goes. */
    public void release() {
        if (state == State.JOINING || state == State.VOTING || state == State.CAUGHT_UP) {
            leader.forgetJoiner(order.learner());
        }
        state = State.ABANDONED;
        leave();
        copy.release();
    }

    private void leave() {
        if (partition.mover() == this) {
            partition.mover(null);
        }
    }

    /** The joiner has applied slices. */
    public void onAcked(Link link, ShipAcked acked) {
        if (isStreaming()) {
            copy.onAcked(link, acked);
        }
    }

    /** A link went down: a copy over it goes on over the next one. */
    public void onLinkDown(Link link) {
        if (isStreaming() || state == State.OPENING) {
            copy.onLinkDown(link);
        }
    }

    private boolean isStreaming() {
        return state == State.SHIPPING || state == State.JOINING;
    }

    /** At the end of a turn: changes leave. */
    public void onDrained() {
        if (state == State.SHIPPING && copy.isLinked()) {
            copy.sendChanges();
            advance();
        }
    }

    // ---- what the partition tells

    @Override
    public boolean admits(Request request) {
        return copy.keepsUp();
    }

    @Override
    public boolean holds(Request request) {
        return false;
    }

    @Override
    public boolean park(Request request) {
        return false;
    }

    @Override
    public boolean takesLog() {
        return true;
    }

    @Override
    public void applied(Applied entry) {
        if (state == State.SHIPPING) {
            copy.applied(entry);
        }
    }

    @Override
    public void removed(long hash, MemorySegment key) {
        if (state == State.SHIPPING) {
            copy.removed(hash, key);
        }
    }

    // ---- the copy

    /** One slice of the copy (a background event of the stage). */
    @Override
    public boolean slice() {
        queue.runs();
        if (state == State.SHIPPING && copy.canShip()) {
            queue.sent(copy.ship());
            advance();
        }
        return false; // advance has queued the next one, or an acknowledgement will
    }

    /** A TAKE that the leader inherited brings records that no change tells of. */
    @Override
    public boolean mayOpen() {
        return leader.leadsAndKnows();
    }

    @Override
    public MigrationStats stats() {
        return stats;
    }

    @Override
    public int level() {
        return partition.level();
    }

    @Override
    public void opened(SnapshotStream opened, long timeNanos) {
        undecided = leader.undecidedWrites();
    }

    @Override
    public void began() {
        state = State.SHIPPING;
        partition.mover(this);
        queue.queue();
    }

    @Override
    public long shiftNanos() {
        return 0;
    }

    @Override
    public boolean isDecided(long session, long seq) {
        return !undecided.contains(new WriteId(session, seq));
    }

    @Override
    public long version() {
        return partition.version();
    }

    @Override
    public long timeNanos() {
        return partition.bucket().timeNanos();
    }

    /** Whatever can go on now does. */
    @Override
    public void advance() {
        if (state == State.SHIPPING && copy.canShip()) {
            queue.queue();
        } else if (state == State.SHIPPING && copy.isNearlyThere()) {
            state = State.JOINING;
            leave();
            long sealedAt = leader.committed();
            leader.keepLogFor(order.learner(), sealedAt);
            copy.seal(order.sourceEpoch(), sealedAt);
        }
        if (state == State.JOINING && copy.isSealed()) {
            state = State.VOTING;
            copy.end();
            leader.letVote(order.learner(), this::caughtUp, () -> abandon(NO_MEMORY));
        }
    }

    /** The log is kept for the joiner meanwhile, and has its bound. */
    @Override
    public boolean waitsForLink() {
        return state != State.JOINING || leader.logBytes() <= SnapshotStream.CUT_OFF_BYTES_MAX;
    }

    @Override
    public void failed(String why) {
        abandon(why);
    }

    @Override
    public void beganAgain() {
        if (state == State.JOINING) {
            leader.forgetJoiner(order.learner());
        }
        state = State.OPENING;
        leave();
    }

    private void abandon(String why) {
        if (state == State.JOINING || state == State.VOTING) {
            leader.forgetJoiner(order.learner());
        }
        log.info("table {} partition {} gives up being copied: {}", order.table(), order.receiver(), why);
        become(State.ABANDONED);
        leave();
        copy.end();
        ended.run();
    }

    private void become(State last) {
        state = last;
        log.debug(
                "{} {} of table {} partition {} to brick {} is {}: {} bytes, {}",
                order.kind(),
                order.id(),
                order.table(),
                order.receiver(),
                order.learner().brick(),
                last,
                copy.sentBytes(),
                stats);
    }

    private void caughtUp() {
        if (state == State.VOTING) {
            become(State.CAUGHT_UP);
            ended.run();
        }
    }
}
