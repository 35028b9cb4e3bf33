package io.sdds.brick.migration;

import io.sdds.brick.bucket.Bucket;
import io.sdds.brick.experiment.IndividualStream;
import io.sdds.brick.experiment.SplitVariants;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.partition.Applied;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.stage.Peers;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.Activate;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.SnapshotAck;
import io.sdds.core.control.ControlMessage.SnapshotOpen;
import io.sdds.core.control.ControlMessage.SnapshotOpened;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Copies the moving records of a partition to one target, while the partition goes on: the copy's cursor, its credit,
 * and the changes since. The migration that owns the stream decides when the copy is complete and what becomes of it.
 */
final class SnapshotStream {

    /*
     * A target opens with a credit of bytes. The cursor walks over the moving records and sends them in slices. A
     * record that changes before the cursor is sent again, in a slice of changes; behind the cursor it is sent when the
     * cursor comes to it. Results of writes go along.
     *
     * When the link breaks, the source asks the target over the next link how far it has applied the slices, and sends
     * again what is behind that: the slices that are not acknowledged are kept. Meanwhile the cursor stands still, and
     * changes wait. The copy begins again when the target has not kept what it was sent, or when too much waits: then
     * what the target has is void.
     */

    private static final int STEPS_PER_SLICE_MAX = 512;
    private static final int CHANGE_BYTES_MAX = 1 << 20;

    /** Changes that wait beyond the credit while there is no link: half of what writes would be refused for. */
    static final int CUT_OFF_BYTES_MAX = 512 << 10;

    private static final long RETRY_NANOS = 20_000_000L;

    /** A target that can't be reached for so long is given up; the coordinator orders another. */
    private static final long OPENING_NANOS_MAX = 3_000_000_000L;

    private final Env env;
    private final Peers peers;
    private final Partition partition;
    private final Target target;
    private final Supplier<RecordCursor> part;
    private final SplitPolicy policy;
    private final Migration owner;
    private final SliceBuffer slice;
    private final SliceBuffer changes;
    private final StageContext context;
    private RecordCursor moving;
    private int attempt;
    private int resumption;
    private long openingSinceNanos;
    private long askedNanos;
    private @Nullable Link bulk;
    private @Nullable SliceStream stream;
    private boolean sealed;
    private boolean activated;
    private boolean ended;
    private long slicesSent;

    /**
     * The brick and the partition that a copy goes to.
     *
     * @param id of the migration
     */
    record Target(long id, int brick, int table, int partition) {}

    /** @param part the moving records, with a cursor of its own */
    SnapshotStream(
            StageContext context,
            Partition partition,
            Target target,
            SplitPolicy policy,
            Supplier<RecordCursor> part,
            Migration owner) {
        this.context = context;
        this.env = context.env();
        this.peers = context.peers();
        this.partition = partition;
        this.target = target;
        this.policy = policy;
        this.part = part;
        this.owner = owner;
        this.slice = new SliceBuffer(context.env(), context.store());
        this.changes = new SliceBuffer(context.env(), context.store());
        this.moving = part.get();
    }

    /** Bytes sent in this attempt. */
    long sentBytes() {
        return stream == null ? 0 : stream.sentBytes();
    }

    /** Bytes of the moving records. */
    long bytes() {
        return moving.bytes();
    }

    // ---- open

    /** Opens the copy, once; tries again until the target answers. */
    void start() {
        if (attempt == 0 && !ended) {
            openingSinceNanos = env.nowNanos();
            open();
        }
    }

    private void open() {
        if (ended || stream != null) {
            return;
        }
        if (!owner.mayOpen()) {
            openingSinceNanos = env.nowNanos();
            retry();
            return;
        }
        Link link = peers.bulk(target.brick());
        if (link == null) {
            retry();
            return;
        }
        bulk = link;
        int asked = ++attempt;
        askedNanos = env.nowNanos();
        peers.ask(link, request(0), answer -> onOpenAnswer(asked, link, answer));
    }

    private SnapshotOpen request(int ofResumption) {
        return new SnapshotOpen(
                target.id(), attempt, ofResumption, target.table(), target.partition(), owner.level(), moving.bytes());
    }

    private void onOpenAnswer(int asked, Link link, @Nullable ControlMessage answer) {
        if (ended || stream != null || asked != attempt) {
            return;
        }
        if (answer instanceof SnapshotOpened opened) {
            owner.opened(this, opened.timeNanos());
            begin(streamTo(link, opened.creditBytes()));
        } else if (answer instanceof Refused refused && refused.reason() == Refusal.MEMORY_FULL) {
            owner.failed(refused.text());
        } else {
            retry();
        }
    }

    /** How long the target took to answer. */
    long openingNanos() {
        return env.nowNanos() - askedNanos;
    }

    private void retry() {
        if (isUnreachable()) {
            owner.failed("brick " + target.brick() + " can't be reached");
        } else {
            env.schedule(RETRY_NANOS, this::open);
        }
    }

    private boolean isUnreachable() {
        return env.nowNanos() - openingSinceNanos > OPENING_NANOS_MAX;
    }

    private SliceStream streamTo(Link link, int creditBytes) {
        return SplitVariants.isIndividual(policy)
                ? new IndividualStream(
                        peers, link, target.id(), attempt, target.partition(), new SliceBuffer(env, context.store()))
                : new SliceStream(peers, link, target.id(), attempt, target.partition(), creditBytes);
    }

    private void begin(SliceStream opened) {
        stream = opened;
        owner.stats().roundBegan();
        moving = part.get(); // a merge that the group's last primary began may have made it larger since
        moving.rewind();
        slice.clear();
        changes.clear();
        moving.results(partition.results(), (session, seq, low, hash, status, value) -> {
            if (owner.isDecided(session, seq)) {
                changes.result(session, seq, low, hash, status, value);
            }
        });
        owner.began();
    }

    // ---- end

    /** Nothing is sent any more. */
    void end() {
        if (stream != null && !ended) {
            stream.release();
        }
        ended = true;
    }

    /** Nothing is sent any more, and the memory is freed. */
    void release() {
        end();
        stream = null;
        bulk = null;
        slice.release();
        changes.release();
    }

    // ---- links

    /**
     * A link went down: a copy over it goes on over the next link. One that the target has not taken is opened again.
     */
    void onLinkDown(Link link) {
        if (link != bulk || ended) {
            return;
        }
        if (stream != null) {
            bulk = null;
            openingSinceNanos = env.nowNanos();
            resume();
        } else {
            startOver();
        }
    }

    private void startOver() {
        if (stream != null) {
            stream.release();
        }
        stream = null;
        bulk = null;
        sealed = false;
        attempt++; // an answer that can't come any more begins nothing
        slice.clear();
        changes.clear();
        openingSinceNanos = env.nowNanos();
        owner.beganAgain();
        env.schedule(RETRY_NANOS, this::open);
    }

    private void resume() {
        SliceStream open = stream;
        if (open == null || bulk != null || ended) {
            return;
        }
        Link link = peers.bulk(target.brick());
        if (link == null) {
            resumeLater();
            return;
        }
        int asked = ++resumption;
        peers.ask(link, request(asked), answer -> onResumeAnswer(asked, open, link, answer));
    }

    private void resumeLater() {
        if (isUnreachable()) {
            owner.failed("brick " + target.brick() + " can't be reached");
        } else if (!owner.waitsForLink()) {
            startOver();
        } else {
            env.schedule(RETRY_NANOS, this::resume);
        }
    }

    private void onResumeAnswer(int asked, SliceStream open, Link link, @Nullable ControlMessage answer) {
        if (ended || bulk != null || open != stream || asked != resumption) {
            return;
        }
        if (answer == null || !link.isUp()) {
            resumeLater();
        } else if (answer instanceof SnapshotOpened resumed
                && resumed.attempt() == attempt
                && open.resumesFrom(resumed.applied())) {
            bulk = link;
            open.resume(link, resumed.applied());
            open.send(changes);
            owner.advance();
        } else {
            startOver();
        }
    }

    private void beginAgainIfTooMuchWaits() {
        SliceStream open = stream;
        if (open != null && bulk == null && !open.keepsUpWith(changes.entryBytes(), CUT_OFF_BYTES_MAX)) {
            startOver();
        }
    }

    // ---- the copy

    /**
     * The target has applied slices; a negative number: it gives up. Only acknowledgements over the link of the slices
     * count. False: the acknowledgement is about another copy.
     */
    boolean onAcked(Link link, SnapshotAck acked) {
        SliceStream open = stream;
        if (link != bulk || acked.attempt() != attempt || open == null || ended) {
            return false;
        }
        if (acked.slice() < 0) {
            owner.failed("brick " + target.brick() + " has no memory left");
        } else {
            open.acked(acked.slice());
            open.targetKnows(acked.mapVersion());
            owner.advance();
        }
        return true;
    }

    /** Whether there is an open copy, and a link to send it over. */
    boolean isLinked() {
        return stream != null && bulk != null && !ended;
    }

    /** Whether a slice could leave now. */
    boolean canShip() {
        SliceStream open = stream;
        return open != null && isLinked() && !moving.isAtEnd() && open.hasCredit();
    }

    /** Sends one slice of the copy; answers the bytes of its entries. */
    int ship() {
        SliceStream open = stream;
        if (open == null) {
            return 0;
        }
        int steps = 0;
        int bytesMax = SplitVariants.sliceBytes(policy);
        while (!moving.isAtEnd() && slice.entryBytes() < bytesMax && steps++ < STEPS_PER_SLICE_MAX) {
            moving.pass(this::read);
        }
        int bytes = slice.entryBytes();
        slicesSent++;
        open.send(changes); // what changed before this slice was read leaves before it
        open.send(slice);
        slice.moveTo(changes); // what the link did not take any more: changes of its keys follow it
        return bytes;
    }

    private void read(long ref) {
        write(slice, ref);
        owner.stats().recordSent();
    }

    private void write(SliceBuffer to, long ref) {
        if (moving.keepsRanks()) {
            to.rankedRecord(ref);
        } else {
            to.record(ref, owner.shiftNanos());
        }
    }

    /**
     * Whether there is a link, all records have left, and half of what is on its way is applied: a switch would be
     * short.
     */
    boolean isNearlyThere() {
        SliceStream open = stream;
        return open != null && isLinked() && moving.isAtEnd() && open.isHalfAcked();
    }

    /** Whether the target has heard of every session whose results this brick has forgotten. */
    boolean knowsEndedSessions(BrickMap map) {
        SliceStream open = stream;
        return open != null && open.knowsEndedSessions(map);
    }

    /** Whether there is a link to the target, which has applied all that was read and all changes. */
    boolean isAllApplied() {
        SliceStream open = stream;
        return open != null && isLinked() && open.isAllAcked() && changes.entryBytes() == 0 && slice.entryBytes() == 0;
    }

    /** Whether the target keeps up with the changes, so that a write may add one. Otherwise the write is refused. */
    boolean keepsUp(Request write) {
        SliceStream open = stream;
        if (open == null
                || open.keepsUpWith(changes.entryBytes(), CHANGE_BYTES_MAX)
                        && open.hasExcess(write.length > SliceStream.SLICE_BYTES_MAX)) {
            return true;
        }
        owner.stats().requestRefused();
        return false;
    }

    /** Number of slices of the copy that have left so far, in all attempts. */
    long slicesSent() {
        return slicesSent;
    }

    /**
     * At the end of a turn: sends the changes. Without a link they wait; the copy begins again when too many do. That
     * is not done while an entry is applied, since requests that waited for the switch run then, and may propose
     * entries.
     */
    void sendChanges() {
        SliceStream open = stream;
        if (open != null) {
            open.send(changes);
            beginAgainIfTooMuchWaits();
        }
    }

    /** A write or an entry of the log has changed the partition. */
    void applied(Applied entry) {
        if (stream == null) {
            return;
        }
        if (entry.isOfKey()) {
            changed(entry.hash, entry.key, entry.keyOffset, entry.keyLength);
        }
        if (entry.isWrite()) {
            sealed = false;
            changes.result(entry.session, entry.seq, entry.low, entry.hash, entry.status, entry.value);
        }
    }

    /** A clear has removed a record. */
    void changed(long hash, MemorySegment key) {
        if (stream != null) {
            changed(hash, key, 0, (int) key.byteSize());
        }
    }

    private void changed(long hash, MemorySegment key, long keyOffset, int keyLength) {
        if (!moving.isPassed(hash, key, keyOffset, keyLength)) {
            return;
        }
        sealed = false;
        Bucket bucket = partition.bucket();
        long now = moving.keepsRanks()
                ? bucket.findAny(hash, key, keyOffset, keyLength)
                : bucket.find(hash, key, keyOffset, keyLength);
        if (now != 0) {
            write(changes, now);
        } else {
            changes.remove(key, keyOffset, keyLength);
        }
    }

    // ---- the switch

    /**
     * Whether the target has acknowledged the SEAL, and nothing has been sent or waits behind it. A change unseals the
     * copy, so that an acknowledgement of an earlier SEAL counts for nothing.
     */
    boolean isSealed() {
        return sealed && isAllApplied();
    }

    /**
     * Sends the last changes, and behind them the SEAL. Without a link the SEAL waits with the changes for the next
     * one.
     *
     * @param index of the last entry of the group's log that is in the slices
     */
    void seal(long epoch, long index) {
        SliceStream open = stream;
        if (open != null) {
            changes.seal(new SliceFrame.Seal(epoch, index, owner.version(), owner.timeNanos()));
            sealed = true;
            open.send(changes);
        }
    }

    /** Tells the target that it serves, again and again until it answers. */
    void activate(Runnable answered) {
        if (ended || activated) {
            return;
        }
        Link link = peers.protocol(target.brick());
        if (link == null) {
            env.schedule(RETRY_NANOS, () -> activate(answered));
            return;
        }
        Activate handOver = new Activate(
                target.id(),
                attempt,
                target.table(),
                target.partition(),
                owner.level(),
                owner.version(),
                owner.timeNanos());
        peers.ask(link, handOver, answer -> {
            if (ended) {
                return; // the coordinator knew before this answer came
            }
            if (answer instanceof Done) {
                activated = true;
                answered.run();
            } else {
                env.schedule(RETRY_NANOS, () -> activate(answered));
            }
        });
    }

    /** Whether the target has said that it serves. */
    boolean isActivated() {
        return activated;
    }
}
