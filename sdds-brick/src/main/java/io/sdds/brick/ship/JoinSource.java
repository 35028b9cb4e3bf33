package io.sdds.brick.ship;

import io.sdds.brick.group.Group;
import io.sdds.brick.group.WriteId;
import io.sdds.brick.partition.Applied;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.stage.Peers;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.JoinGroup;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.ShipOpen;
import io.sdds.core.control.ControlMessage.ShipOpened;
import io.sdds.core.control.ControlMessage.ShipResume;
import io.sdds.core.control.ControlMessage.ShipResumed;
import io.sdds.core.control.ControlMessage.SplitReport;
import io.sdds.core.control.ControlMessage.SplitState;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.stage.Stage;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The primary's side of a join: ships the whole partition to a brick that is to be a member of its replica group. */
public final class JoinSource implements Partition.Mover, Stage.Background {

    /*
     * As a split ships a half: LH-buckets in the order of scans, or records in the order of keys, and behind them what
     * was committed since to those that are over there already. Nothing waits: at its end the last changes leave and,
     * in the same turn, the word that all entries up to the last committed one are in what was shipped. From the next
     * entry on the joiner takes the group's log, as a member does; when it has caught up, nothing is acknowledged any
     * more without its vote, the coordinator is told, and only the coordinator can take that back
     * (docs/design/migration.md, rule 5).
     *
     * A link that breaks costs what was on its way: the joiner says over the next one how far it has come, slices
     * behind that are sent again, and the copy goes on. Meanwhile the cursor stands still, and what is committed to
     * keys before it waits, as far as there is room; beyond, and when the joiner has not kept what came, the copy
     * begins again. A new primary begins anew: it does not know which of the entries that it inherited the joiner's
     * records and results were made of, some of which it may be cutting off.
     */
    private static final int SLICE_BYTES = 48 << 10;
    private static final int STEPS_PER_SLICE_MAX = 512;
    private static final int CHANGE_BYTES_MAX = 1 << 20;

    /**
     * Changes, beyond the target's credit, or bytes of the log, that wait while there is no link: half of what writes
     * would be refused for.
     */
    private static final int CUT_OFF_BYTES_MAX = 512 << 10;

    private static final long RETRY_NANOS = 20_000_000L;

    /** A joiner that can't be reached for so long is given up; the coordinator finds another. */
    private static final long OPENING_NANOS_MAX = 3_000_000_000L;

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

    private final Env env;
    private final Stage stage;
    private final Peers peers;
    private final Partition partition;
    private final MigrationOrder order;
    private final Group leader;
    private final ShippingPace pace;
    private final Runnable ended;
    private final SliceBuffer slice;
    private final SliceBuffer changes;
    private MovingPart all;
    private State state = State.OPENING;
    private int attempt;
    private long openingSinceNanos;
    private @Nullable Link bulk;
    private @Nullable ResumableStream stream;
    private int resumption;
    private boolean queued;
    private long joinsAtSeq;

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
        this.env = context.env();
        this.stage = context.stage();
        this.peers = context.peers();
        this.partition = partition;
        this.order = order;
        this.leader = leader;
        this.pace = pace;
        this.ended = ended;
        this.slice = new SliceBuffer(context.env(), context.store());
        this.changes = new SliceBuffer(context.env(), context.store());
        this.all = MovingPart.all(partition);
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
        return new SplitReport(order.id(), reported, stream == null ? 0 : stream.sentBytes(), partition.bytes());
    }

    /** Opens the shipping; tries again until the joiner answers. */
    public void start() {
        openingSinceNanos = env.nowNanos();
        open();
    }

    /** The order is gone from the map, or this brick leads no more, or the node goes. */
    public void release() {
        if (state == State.JOINING || state == State.VOTING || state == State.CAUGHT_UP) {
            leader.forgetJoiner(order.learner());
        }
        state = State.ABANDONED;
        bulk = null;
        leave();
        endStream();
        slice.release();
        changes.release();
    }

    private void leave() {
        if (partition.mover() == this) {
            partition.mover(null);
        }
    }

    /**
     * The joiner has applied slices up to {@code acked}; negative: it gives up. What does not come over the link on
     * which the slices leave is not its word.
     */
    public void onAcked(Link link, int ackedAttempt, long acked) {
        ResumableStream open = stream;
        if (link != bulk
                || ackedAttempt != attempt
                || open == null
                || state != State.SHIPPING && state != State.JOINING) {
            return;
        }
        if (acked < 0) {
            abandon(NO_MEMORY);
            return;
        }
        open.acked(acked);
        advance(open);
    }

    /** A link went down: a shipping over it goes on over the next one. */
    public void onLinkDown(Link link) {
        if (link != bulk) {
            return;
        }
        if (state == State.OPENING) {
            startOver();
        } else if (isStreaming()) {
            bulk = null;
            openingSinceNanos = env.nowNanos();
            resume();
        }
    }

    private boolean isStreaming() {
        return state == State.SHIPPING || state == State.JOINING;
    }

    private void resume() {
        ResumableStream open = stream;
        if (!isStreaming() || bulk != null || open == null) {
            return;
        }
        Link link = peers.bulk(order.learner().brick());
        if (link == null) {
            resumeLater();
            return;
        }
        int asked = ++resumption;
        ShipResume resume = new ShipResume(order.id(), attempt, asked, order.table(), order.receiver());
        peers.ask(link, resume, answer -> onResumeAnswer(asked, open, link, answer));
    }

    private void resumeLater() {
        if (env.nowNanos() - openingSinceNanos > OPENING_NANOS_MAX) {
            abandon("its brick can't be reached");
        } else if (state == State.JOINING && leader.logBytes() > CUT_OFF_BYTES_MAX) {
            startOver();
        } else {
            env.schedule(RETRY_NANOS, this::resume);
        }
    }

    private void onResumeAnswer(int asked, ResumableStream open, Link link, @Nullable ControlMessage answer) {
        if (!isStreaming() || bulk != null || open != stream || asked != resumption) {
            return;
        }
        if (answer == null || !link.isUp()) {
            resumeLater();
        } else if (answer instanceof ShipResumed resumed
                && resumed.attempt() == attempt
                && open.goesOnFrom(resumed.slice())) {
            bulk = link;
            open.resume(link, resumed.slice());
            open.send(slice); // which may have been read when the link had just broken; changes of its keys follow it
            open.send(changes);
            if (state == State.JOINING) {
                tellJoiner(open);
            } else {
                advance(open);
            }
        } else {
            startOver();
        }
    }

    /** At the end of a turn: changes leave. */
    public void onDrained() {
        ResumableStream open = stream;
        if (open != null && bulk != null && state == State.SHIPPING) {
            open.send(changes);
            advance(open);
        }
    }

    // ---- what the partition tells

    @Override
    public boolean admits(Request request) {
        return stream == null || stream.keepsUpWith(changes.entryBytes(), CHANGE_BYTES_MAX);
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
    public void changed(Request request, byte status, long value) {
        throw new IllegalStateException("a write of a replica group that is not in its log");
    }

    @Override
    public void applied(Applied entry) {
        if (state != State.SHIPPING) {
            return;
        }
        if (entry.isOfKey() && all.isPassed(entry.hash, entry.key, entry.keyOffset, entry.keyLength)) {
            long now = partition.bucket().find(entry.hash, entry.key, entry.keyOffset, entry.keyLength);
            if (now != 0) {
                changes.record(now, 0);
            } else {
                changes.remove(entry.key, entry.keyOffset, entry.keyLength);
            }
        }
        if (entry.isWrite()) {
            changes.result(entry.session, entry.seq, entry.low, entry.hash, entry.status, entry.value);
        }
        beginAgainIfTooMuchWaits();
    }

    @Override
    public void removed(long hash, MemorySegment key) {
        int length = (int) key.byteSize();
        if (state == State.SHIPPING && all.isPassed(hash, key, 0, length)) {
            changes.remove(key, 0, length);
            beginAgainIfTooMuchWaits();
        }
    }

    private void beginAgainIfTooMuchWaits() {
        ResumableStream open = stream;
        if (bulk == null && open != null && !open.keepsUpWith(changes.entryBytes(), CUT_OFF_BYTES_MAX)) {
            startOver();
        }
    }

    // ---- the copy

    /** One slice of the copy (a background event of the stage). */
    @Override
    public boolean slice() {
        queued = false;
        ResumableStream open = stream;
        if (open == null || bulk == null || state != State.SHIPPING || all.isAtEnd() || !open.hasCredit()) {
            return false; // an acknowledgement goes on
        }
        int steps = 0;
        while (!all.isAtEnd() && slice.entryBytes() < SLICE_BYTES && steps++ < STEPS_PER_SLICE_MAX) {
            all.pass(ref -> slice.record(ref, 0));
        }
        pace.spend(env.nowNanos(), slice.entryBytes());
        open.send(changes); // what changed before this slice was read leaves before it
        open.send(slice);
        advance(open);
        return false; // advance has queued the next one
    }

    private void open() {
        if (state != State.OPENING) {
            return;
        }
        if (!leader.leadsAndKnows()) { // a TAKE that it inherited brings records that no change tells of
            openingSinceNanos = env.nowNanos();
            retry();
            return;
        }
        Link link = peers.bulk(order.learner().brick());
        if (link == null) {
            retry();
            return;
        }
        bulk = link;
        attempt++;
        ShipOpen open = new ShipOpen(
                order.id(), attempt, order.table(), order.receiver(), partition.level(), partition.bytes());
        int asked = attempt;
        peers.ask(link, open, answer -> onOpenAnswer(asked, link, answer));
    }

    private void onOpenAnswer(int asked, Link link, @Nullable ControlMessage answer) {
        if (state != State.OPENING || asked != attempt) {
            return;
        }
        if (answer instanceof ShipOpened opened) {
            begin(new ResumableStream(peers, link, order.id(), attempt, partition.number(), opened.creditBytes()));
        } else if (answer instanceof Refused refused && refused.reason() == Refusal.MEMORY_FULL) {
            abandon(refused.text());
        } else {
            retry();
        }
    }

    private void retry() {
        if (env.nowNanos() - openingSinceNanos > OPENING_NANOS_MAX) {
            abandon("its brick can't be reached");
        } else {
            env.schedule(RETRY_NANOS, this::open);
        }
    }

    private void begin(ResumableStream opened) {
        state = State.SHIPPING;
        partition.mover(this);
        endStream();
        stream = opened;
        all = MovingPart.all(partition); // which a TAKE that was inherited has made larger since this was ordered
        all.rewind();
        slice.clear();
        changes.clear();
        Set<WriteId> undecided = leader.undecidedWrites();
        partition.results().forEach((session, seq, low, hash, status, value) -> {
            if (!undecided.contains(new WriteId(session, seq))) {
                changes.result(session, seq, low, hash, status, value);
            }
        });
        queue();
    }

    private void startOver() {
        if (state == State.JOINING) {
            leader.forgetJoiner(order.learner());
        }
        state = State.OPENING;
        attempt++; // an answer that can't come any more begins nothing
        openingSinceNanos = env.nowNanos();
        bulk = null;
        leave();
        endStream();
        retry();
    }

    private void endStream() {
        ResumableStream open = stream;
        if (open != null) {
            open.release();
            stream = null;
        }
    }

    private void abandon(String why) {
        if (state == State.JOINING || state == State.VOTING) {
            leader.forgetJoiner(order.learner());
        }
        log.info("table {} partition {} gives up being copied: {}", order.table(), order.receiver(), why);
        state = State.ABANDONED;
        leave();
        if (stream != null) {
            stream.release();
        }
        ended.run();
    }

    private void queue() {
        if (queued) {
            return;
        }
        queued = true;
        long wait = pace.waitNanos(env.nowNanos());
        if (wait > 0) {
            env.schedule(wait, () -> stage.background(this));
        } else {
            stage.background(this);
        }
    }

    /** Whatever can go on now does. */
    private void advance(ResumableStream open) {
        if (state == State.SHIPPING && !all.isAtEnd() && open.hasCredit()) {
            queue();
        } else if (state == State.SHIPPING && all.isAtEnd() && open.isHalfAcked()) {
            open.send(changes);
            state = State.JOINING;
            leave();
            joinsAtSeq = leader.committed();
            leader.keepLogFor(order.learner(), joinsAtSeq);
            tellJoiner(open);
        }
    }

    private void tellJoiner(ResumableStream open) {
        Link link = bulk;
        if (state != State.JOINING || link == null || !link.isUp() || open != stream) {
            return; // it is told when the copy goes on
        }
        JoinGroup join = new JoinGroup(
                order.id(),
                attempt,
                open.lastNumber(),
                order.table(),
                order.receiver(),
                order.sourceEpoch(),
                joinsAtSeq,
                partition.version(),
                partition.bucket().timeNanos());
        peers.ask(link, join, answer -> onJoinAnswer(open, answer));
    }

    private void onJoinAnswer(ResumableStream open, @Nullable ControlMessage answer) {
        if (state != State.JOINING || open != stream) {
            return;
        }
        if (answer instanceof Done) {
            state = State.VOTING;
            open.release();
            leader.letVote(order.learner(), this::caughtUp, () -> abandon(NO_MEMORY));
        } else if (answer != null) {
            env.schedule(RETRY_NANOS, () -> tellJoiner(open));
        }
    }

    private void caughtUp() {
        if (state == State.VOTING) {
            state = State.CAUGHT_UP;
            ended.run();
        }
    }
}
