package io.sdds.brick.parity.recovery;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.bucket.RankSpace;
import io.sdds.brick.parity.member.ResultSlice;
import io.sdds.brick.parity.recovery.ColumnFrame.Cursor;
import io.sdds.brick.parity.recovery.ColumnFrame.Subject;
import io.sdds.brick.partition.Partition;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.ProtocolViolation;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Gets the state of a lost column from the parity member that leads the column, piece by piece, into a partition
 * without records: which ranks have records, with their fingerprints; the results of recent writes; version and logical
 * time.
 *
 * <p>One request is under way at a time. Several frames with fingerprints answer it, each of them with the cursor that
 * the frame before has named. A request is sent again when its answers have not come within {@link #PATIENCE_NANOS},
 * and over a new link at once. An answer whose cursor is not the next one is ignored.
 */
final class ColumnPull {
    static final long PATIENCE_NANOS = 200_000_000L;

    private final Partition partition;
    private final RankSpace ranks;
    private final Subject of;
    private final int columns;
    private final MissingRanks missing = new MissingRanks();
    private Cursor cursor = Cursor.fingerprints(0, ColumnFrame.FRAMES_MAX);
    private @Nullable Link link;
    private long sentNanos;
    private boolean memoryRefused;
    private @Nullable Totals totals;

    /**
     * The state of a column beside its ranks and results, which comes last.
     *
     * @param seq the last entry of the column's log, which all parity members know to be committed
     * @param version of the column's last write
     * @param records number of ranks at which the column has a record
     * @param absorbed the merge by whose ABSORB the column has last got keys; 0 if there was none
     */
    record Totals(long seq, long version, long records, long absorbed) {}

    /**
     * @param partition without records, whose bucket is ranked
     * @param columns m, the columns of the parity group
     */
    ColumnPull(Partition partition, Subject of, int columns) {
        this.partition = partition;
        this.ranks = Objects.requireNonNull(partition.bucket().ranks().space(), "the bucket is not ranked");
        this.of = of;
        this.columns = columns;
    }

    /** The partition that takes the state. */
    Partition partition() {
        return partition;
    }

    /** The epoch of the lead that is asked. */
    long epoch() {
        return of.epoch();
    }

    /** The ranks of the column that have records. */
    MissingRanks missing() {
        return missing;
    }

    /** The last part of the column's state; null while the state is not complete here. */
    @Nullable
    Totals totals() {
        return totals;
    }

    /** Whether the memory for the ranks was refused. The pull does not go on then. */
    boolean isMemoryRefused() {
        return memoryRefused;
    }

    /**
     * Asks for the next piece, if no request is under way over this link, or the request has waited too long.
     *
     * @return whether a frame was written to the link
     */
    boolean askIfDue(Link to, long nowNanos) {
        boolean underWay = to == link && nowNanos - sentNanos < PATIENCE_NANOS;
        if (underWay || totals != null || memoryRefused) {
            return false;
        }
        link = to;
        sentNanos = nowNanos;
        ColumnFrame.stateWanted(to, of, columns, cursor);
        return true;
    }

    /** Takes an answer about the state of the column. The caller then calls {@link #askIfDue}. */
    void onState(Subject subject, ByteBuf frame, int index, int length, long nowNanos) {
        if (!subject.equals(of)
                || totals != null
                || memoryRefused
                || !Cursor.read(frame, index + ColumnFrame.PART).equals(cursor)) {
            return; // a late or repeated answer
        }
        Cursor next = Cursor.read(frame, index + ColumnFrame.CURSOR_END);
        int at = index + ColumnFrame.BODY;
        int end = index + length;
        switch (cursor.part()) {
            case ColumnFrame.FINGERPRINTS -> takeFingerprints(frame, at, end, next);
            case ColumnFrame.RESULTS -> takeResults(frame, at, end);
            default -> takeTotals(frame, at, end, nowNanos);
        }
        if (next.frames() == 0) {
            link = null; // the next piece is asked for at once
        }
        boolean asks = next.part() == ColumnFrame.FINGERPRINTS && next.frames() == 0;
        cursor = asks ? Cursor.fingerprints(next.rank(), ColumnFrame.FRAMES_MAX) : next;
    }

    private void takeFingerprints(ByteBuf frame, int at, int end, Cursor next) {
        ColumnFrame.need(Integer.BYTES, at, end);
        int first = frame.getIntLE(at);
        int count = (end - at) / Integer.BYTES - 1;
        boolean ends = next.part() != ColumnFrame.FINGERPRINTS;
        if (count > 0 && first < cursor.rank() || !ends && next.rank() < first + count) {
            throw new ProtocolViolation(
                    "fingerprints from rank " + first + ", and rank " + cursor.rank() + " was next");
        }
        if (count > 0) {
            int[] run = new int[count];
            frame.nioBuffer(at + Integer.BYTES, count * Integer.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .asIntBuffer()
                    .get(run);
            memoryRefused = !ranks.takeRun(first, run, count, false);
            missing.addRun(first, run, count);
        }
    }

    private void takeResults(ByteBuf frame, int at, int end) {
        for (int k = at; k + ResultSlice.RESULT_BYTES <= end; k += ResultSlice.RESULT_BYTES) {
            ResultSlice.take(partition.results(), frame, k, session -> false);
        }
    }

    private void takeTotals(ByteBuf frame, int at, int end, long nowNanos) {
        ColumnFrame.need(ColumnFrame.TOTALS_BYTES_MIN, at, end);
        long absorbed = end - at < ColumnFrame.TOTALS_BYTES ? 0 : frame.getLongLE(at + 32);
        Totals taken = new Totals(frame.getLongLE(at), frame.getLongLE(at + 8), frame.getLongLE(at + 24), absorbed);
        if (taken.records() != missing.count()) {
            throw new ProtocolViolation(missing.count() + " ranks came of a column with " + taken.records());
        }
        partition.versionAtLeast(taken.version());
        partition.timeFrom(frame.getLongLE(at + 16), nowNanos); // and goes on from now
        totals = taken;
    }
}
