package io.sdds.brick.migration;

import io.sdds.brick.group.Group;
import io.sdds.brick.group.WriteId;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.control.ControlMessage.SnapshotAck;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.stage.Stage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The source of a migration: the primary of a partition copies the partition's records, or some of them, to other
 * bricks. There is one {@link SnapshotStream} for each brick. The subclasses say when the copies are complete and what
 * follows then.
 */
abstract class Migration implements Partition.Mover, Stage.Background {
    /**
     * A migration that has sent no record for so long, though nothing is ordered before it, is given up. Other orders
     * wait behind it. The coordinators order it again later.
     */
    static final long STALLED_NANOS = 30_000_000_000L;

    private static final Logger log = LoggerFactory.getLogger(Migration.class);

    private final Migrations migrations;
    private final Env env;
    private final Partition partition;
    private final MigrationOrder order;
    private final Group leader;
    private final SliceQueue queue;
    private final MigrationStats stats = new MigrationStats();
    private final List<SnapshotStream> copies = new ArrayList<>();
    private Set<WriteId> undecided = new HashSet<>();
    private int nextCopy;
    private long slicesSeen;
    private long progressNanos;

    /** @param pace at which slices leave; null: as fast as the targets take them */
    Migration(
            StageContext context,
            Partition partition,
            MigrationOrder order,
            @Nullable MigrationPace pace,
            Migrations migrations) {
        this.migrations = migrations;
        this.env = context.env();
        this.partition = partition;
        this.order = order;
        this.leader = partition.group();
        this.queue = new SliceQueue(context, pace, this);
        this.progressNanos = env.nowNanos();
    }

    /** Adds a stream to each brick of the target. */
    final void addCopies(StageContext context, SplitPolicy policy) {
        for (Member member : order.target().members()) {
            SnapshotStream.Target target =
                    new SnapshotStream.Target(order.id(), member.brick(), order.table(), order.receiver());
            copies.add(new SnapshotStream(
                    context,
                    partition,
                    target,
                    policy,
                    () -> RecordCursor.of(partition, order, context.store()),
                    this));
        }
    }

    final Migrations migrations() {
        return migrations;
    }

    final Env env() {
        return env;
    }

    final MigrationOrder order() {
        return order;
    }

    /** The partition whose records are copied. */
    final Partition partition() {
        return partition;
    }

    /** The partition's group, which this brick leads. */
    final Group leader() {
        return leader;
    }

    final List<SnapshotStream> copies() {
        return copies;
    }

    // ---- the order

    /** Opens the copies. They are opened again until the targets answer. */
    abstract void start();

    /** What the coordinator is told. */
    abstract MigrationState state();

    /** The bytes of all copies together. */
    abstract long bytes();

    /** Whether the records may still be copied, and the migration may still be abandoned by this brick. */
    abstract boolean isCopying();

    /** Whether this brick does not lead the partition any more, so that the migration is another brick's concern. */
    abstract boolean isVoid();

    /** Abandons the migration if that is still possible. */
    abstract void abandon(String why);

    /** The map has changed. */
    abstract void mapChanged(Predicate<Member> isReplaced);

    /** The order is gone from the map, or {@link #isVoid}. */
    abstract void release();

    /** The partition's log has committed the entry that ends the migration. */
    void committed() {}

    /** Runs every 100 ms. */
    void tick() {}

    /** The node ends. */
    void drop() {
        copies.forEach(SnapshotStream::release);
    }

    final boolean isAbandoned() {
        return state() == MigrationState.ABANDONED;
    }

    /** The report for the heartbeat. */
    final MigrationReport report() {
        return new MigrationReport(order.id(), state(), sentBytes(), bytes());
    }

    private long sentBytes() {
        return copies.stream().mapToLong(SnapshotStream::sentBytes).sum();
    }

    /** Whether the migration should send records, or be over soon. */
    abstract boolean mayProgress();

    /** Each 100 ms: abandons the migration if it makes no progress. */
    final void giveUpIfStalled() {
        long sent = copies.stream().mapToLong(SnapshotStream::slicesSent).sum();
        long now = env.nowNanos();
        if (sent != slicesSeen || !mayProgress()) {
            slicesSeen = sent;
            progressNanos = now;
        } else if (now - progressNanos >= STALLED_NANOS) {
            progressNanos = now;
            abandon("it has made no progress for " + STALLED_NANOS / 1_000_000_000L + " s");
        }
    }

    /** The partition is not told to copy its changes any more. */
    final void leave() {
        if (partition.mover() == this) {
            partition.mover(null);
        }
    }

    final void logAbandoned(String why) {
        log.info(
                "table {}: the {} of partition {} to {} is abandoned: {}",
                order.table(),
                order.kind(),
                order.sender(),
                order.receiver(),
                why);
    }

    final void logState(Enum<?> next) {
        log.debug("{} {} of table {} is {}", order.kind(), order.id(), order.table(), next);
    }

    /** Logs and counts what the migration has cost. */
    final void countEnd(Enum<?> last) {
        migrations.ended(stats.counters(!isAbandoned(), sentBytes()));
        log.debug(
                "{} {} of table {} partition {} to {} is {}: {} bytes, {}",
                order.kind(),
                order.id(),
                order.table(),
                order.sender(),
                order.receiver(),
                last,
                sentBytes(),
                stats);
    }

    // ---- links and turns

    /** A target has applied slices. */
    final void onAcked(Link link, SnapshotAck acked) {
        for (SnapshotStream copy : copies) {
            if (copy.onAcked(link, acked)) {
                return;
            }
        }
    }

    /** A link went down. A copy over it goes on over the next link. */
    final void onLinkDown(Link link) {
        if (isCopying()) {
            copies.forEach(copy -> copy.onLinkDown(link));
        }
    }

    /** At the end of a turn: sends the changes that have gathered. */
    final void onDrained() {
        if (isCopying()) {
            copies.forEach(SnapshotStream::sendChanges);
            advance();
        }
    }

    // ---- slices

    /** Queues this migration for the background, if a slice could leave. */
    final void queueSlice() {
        if (copies.stream().anyMatch(SnapshotStream::canShip)) {
            queue.queue();
        }
    }

    /** Sends one slice of one copy (a background event of the stage). */
    @Override
    public final boolean slice() {
        queue.runs();
        for (int k = 0; k < copies.size() && isCopying(); k++) {
            SnapshotStream copy = copies.get(nextCopy);
            nextCopy = (nextCopy + 1) % copies.size();
            if (copy.canShip()) {
                queue.sent(copy.ship());
                break;
            }
        }
        advance();
        return false; // advance has queued the next slice, or an acknowledgement will
    }

    // ---- what its streams ask and tell

    /** Whether the target may be asked now to take the copy. */
    boolean mayOpen() {
        return true;
    }

    /** The level that the target's partition begins with. */
    abstract int level();

    /**
     * The target takes the copy.
     *
     * @param timeNanos of a merge, from the parent's primary: the parent's logical time
     */
    void opened(SnapshotStream copy, long timeNanos) {
        undecided = leader.uncommittedWrites();
    }

    /** Slices may leave. */
    abstract void began();

    /** The duration that is added to expiries. */
    abstract long shiftNanos();

    /** Whether the write is committed: the result of any other write follows when it is, or never. */
    final boolean isDecided(long session, long seq) {
        return undecided.isEmpty() || !undecided.contains(new WriteId(session, seq));
    }

    /** The partition's version that the target begins with at least. */
    abstract long version();

    /** The logical time that the target begins with. */
    abstract long timeNanos();

    /** The target has applied slices, or the copy goes on over another link: does what is possible now. */
    abstract void advance();

    /** The records that the target has are void, and the copy begins again. */
    abstract void beganAgain();

    /** Whether a copy without a link waits for one; otherwise the copy begins again. */
    boolean waitsForLink() {
        return true;
    }

    /** Counts the costs of the migration. */
    final MigrationStats stats() {
        return stats;
    }

    /** The target has no room, or cannot be reached. */
    final void failed(String why) {
        abandon(why);
    }
}
