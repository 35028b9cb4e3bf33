package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.addressing.PseudoKey;
import io.sdds.core.addressing.ScanOrder;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.RequestFrame;
import org.jspecify.annotations.Nullable;

/**
 * A sweep of a hash table: of all of it, of a sample, or of the point of one key. Its parts are intervals of scan
 * order. The points of a child partition are the upper half of its parent's points.
 */
public final class HashSweep extends Sweep {
    /** Parts of all points of which a sample has the first points each, so that no partition gives it all. */
    private static final long STRIPE = 1L << 60;

    /** The number of points of each stripe that a sample sweeps; 0: the sweep is about all points. */
    private final long swept;

    /** Where the sweep ends, unless it is one of a sample; 0: at the end of all points. */
    private final long sweepEnd;

    private long stripe;
    private long nextFrom;
    private boolean allBegun;

    /** The rest of an interval under way. */
    public static final class Interval extends Part {
        private long stepFrom;
        private long from;
        private final long end;

        private Interval(long from, long end) {
            this.from = from;
            this.end = end;
        }

        /** The point where the last step began. */
        public long stepFrom() {
            return stepFrom;
        }

        /** The point that was reached, where the next step begins. */
        public long from() {
            return from;
        }

        long end() {
            return end;
        }

        /** Stores the point that an answer reached. The point must lie behind the last point and not behind the end. */
        private void reach(long point) {
            boolean isEnd = point == end;
            if (!isEnd && (point == 0 || !ScanOrder.before(point, end) || Long.compareUnsigned(point, from) <= 0)) {
                throw new ProtocolViolation("interval " + this + " was answered up to " + Long.toHexString(point));
            }
            stepFrom = from;
            from = point;
            if (isEnd) {
                cover();
            }
        }

        @Override
        public String toString() {
            return "%016x-%s".formatted(from, end == 0 ? "end" : "%016x".formatted(end));
        }
    }

    public HashSweep(RoutedTable table, Asked asked, long timeoutNanos, Sink sink) {
        this(table, asked, timeoutNanos, sink, null);
    }

    /**
     * @param key the sweep begins at this key's point, because an earlier scan ended behind the key
     *     ({@link ScanBlock#inOrder}); null: at the beginning
     */
    public HashSweep(RoutedTable table, Asked asked, long timeoutNanos, Sink sink, byte @Nullable [] key) {
        super(table, asked, timeoutNanos, sink);
        this.swept = 0;
        this.sweepEnd = 0;
        this.nextFrom = key == null ? 0 : ScanOrder.point(PseudoKey.of(key));
    }

    private HashSweep(RoutedTable table, Asked asked, long timeoutNanos, Sink sink, long from, long end) {
        super(table, asked, timeoutNanos, sink);
        this.swept = 0;
        this.sweepEnd = end;
        this.nextFrom = from;
    }

    /** A sweep of the one point of a key, which its partition answers in one step. */
    public static HashSweep ofKey(RoutedTable table, Asked asked, long timeoutNanos, Sink sink, byte[] key) {
        long point = ScanOrder.point(PseudoKey.of(key));
        return new HashSweep(table, asked, timeoutNanos, sink, point, point + 1);
    }

    /** A sweep of no points. */
    public static HashSweep ofNothing(RoutedTable table, Asked asked, long timeoutNanos, Sink sink) {
        HashSweep sweep = new HashSweep(table, asked, timeoutNanos, sink, 0, 0);
        sweep.allBegun = true;
        return sweep;
    }

    /**
     * A sweep of a sample: intervals with a part of all points, spread over the table. Points are hashes of keys, so
     * that the records of the intervals are a uniform sample.
     *
     * @param fraction of all points, above 0 and below 1
     */
    public HashSweep(RoutedTable table, Asked asked, long timeoutNanos, Sink sink, double fraction) {
        super(table, asked, timeoutNanos, sink);
        this.swept = Math.max(1, Math.min(STRIPE - 1, (long) (fraction * STRIPE)));
        this.sweepEnd = 0;
    }

    /** The rest of the partition that owns the next point, according to the image. */
    @Override
    @Nullable
    Part nextPart() {
        if (allBegun) {
            return null;
        }
        int partitions = table().imagePartitions();
        int a = LinearHashing.address(ScanOrder.point(nextFrom), partitions);
        long upTo = sweptUpTo();
        long end = ScanOrder.minEnd(ScanOrder.end(a, LinearHashing.levelOf(a, partitions)), upTo);
        Interval part = new Interval(nextFrom, end);
        if (end == upTo && swept != 0) {
            stripe += STRIPE;
            nextFrom = stripe;
        } else {
            nextFrom = end;
        }
        allBegun = nextFrom == sweepEnd;
        return part;
    }

    /** The end of the points that are swept now. */
    private long sweptUpTo() {
        return swept == 0 ? sweepEnd : stripe + swept;
    }

    @Override
    Request<?> request(Part part, long deadlineNanos) {
        return new IntervalRequest(this, (Interval) part, deadlineNanos);
    }

    @Override
    @Nullable
    String rest() {
        return allBegun ? null : new Interval(nextFrom, sweptUpTo()).toString();
    }

    void onAnswer(Interval part, ByteBuf frame, int body, int end) {
        if (isStopped()) {
            return;
        }
        boolean counts = asked().opcode() != Opcode.CLEAR;
        int records = body + (counts ? 2 * Long.BYTES : Long.BYTES);
        if (records > end) {
            throw new ProtocolViolation("answer about an interval without its end");
        }
        part.reach(frame.getLongLE(body));
        boolean hasRecords = asked().opcode() == Opcode.SCAN && asked().what() != RequestFrame.SCAN_COUNT;
        byte[] block = bytes(frame, records, hasRecords ? end : records);
        covered(part, counts ? frame.getLongLE(body + Long.BYTES) : 0, block);
    }
}
