package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.sdds.core.model.KeySpan;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A range query, count or clear of a range table (RP*, section 2.1, with deterministic termination). Its parts are
 * ranges of keys, in the order of the walk. A partition answers for the keys that it owns at that moment, and tells
 * where they end. Therefore a split adds a step and never leaves a gap.
 */
public class RangeSweep extends Sweep {
    private final int recordsMax;
    private @Nullable KeyBounds rest;

    /** The rest of a range under way. */
    public static final class Range extends Part {
        private KeyBounds before;
        private KeyBounds left;

        Range(KeyBounds left) {
            this.before = left;
            this.left = left;
        }

        KeyBounds left() {
            return left;
        }

        /** The keys that the last step covered; null when the step covered none. */
        public @Nullable KeyBounds step() {
            if (isCovered()) {
                return before;
            }
            return left.equals(before) ? null : before.to(left.from(), !left.fromInclusive());
        }

        /** Stores the key that an answer reached. The key must lie behind the last key and not behind the end. */
        private void reach(byte[] key, boolean inclusive) {
            int progress = Arrays.compareUnsigned(key, left.from());
            boolean began = left.from().length == 0 || progress == 0 && left.fromInclusive() && !inclusive;
            boolean forward = began || (left.descending() ? progress < 0 : progress > 0);
            if (key.length == 0 || !forward || !mayEndAt(key)) {
                throw new ProtocolViolation("range " + left + " was answered up to " + KeySpan.text(key));
            }
            left = left.from(key, inclusive);
            if (left.isEmpty()) {
                cover();
            }
        }

        private boolean mayEndAt(byte[] key) {
            int order = Arrays.compareUnsigned(key, left.to());
            return left.to().length == 0 || (left.descending() ? order >= 0 : order <= 0);
        }

        @Override
        public String toString() {
            return left.toString();
        }
    }

    /**
     * @param bounds the range to walk
     * @param recordsMax of a RANGE: the largest number of records that the caller needs
     */
    public RangeSweep(RoutedTable table, Asked asked, KeyBounds bounds, long recordsMax, long timeoutNanos, Sink sink) {
        super(table, asked, timeoutNanos, sink);
        this.rest = bounds.isEmpty() ? null : bounds;
        this.recordsMax = (int) Math.min(Integer.MAX_VALUE, recordsMax);
    }

    final int recordsMax() {
        return recordsMax;
    }

    /** The part of the rest that its first partition has, according to the image. */
    @Override
    @Nullable
    Part nextPart() {
        KeyBounds next = rest;
        if (next == null) {
            return null;
        }
        byte[] end = next.descending() ? lowEnd(next) : highEnd(next);
        if (end == null || asked().parallel() == 1 || !next.reachesBeyond(end)) {
            rest = null;
            return new Range(next);
        }
        rest = next.from(end, next.descending());
        return new Range(next.to(end, !next.descending()));
    }

    /** The high end of the partition that has the first keys; null when it has the highest keys, or is not known. */
    private byte @Nullable [] highEnd(KeyBounds next) {
        RangeImage image = table().ranges();
        KeySpan span = image.spanAt(next.from(), !next.fromInclusive());
        return span == null ? image.nextLow(next.from()) : span.isLast() ? null : span.high();
    }

    private byte @Nullable [] lowEnd(KeyBounds next) {
        KeySpan span = next.from().length == 0
                ? table().ranges().lastSpan()
                : table().ranges().spanAt(next.from(), false);
        return span == null || span.isFirst() ? null : span.low();
    }

    @Override
    final Request<?> request(Part part, long deadlineNanos) {
        Range range = (Range) part;
        KeyBounds left = range.left();
        if (asked().opcode() == Opcode.RANGE_CLEAR) {
            byte[] end = highEnd(left);
            left = end != null && left.reachesBeyond(end) ? left.to(end, true) : left;
        }
        return new RangeRequest(this, range, left, deadlineNanos);
    }

    @Override
    @Nullable
    String rest() {
        return rest == null ? null : rest.toString();
    }

    final void onAnswer(Range part, ByteBuf frame, int body, int end) {
        if (isStopped()) {
            return;
        }
        part.before = part.left;
        int reachedAt = body + ReplyFrame.RANGE_HEADER;
        int reachedEnd = reachedAt > end ? end + 1 : reachedAt + frame.getUnsignedShortLE(body + Long.BYTES + 1);
        if (reachedEnd > end) {
            throw new ProtocolViolation("answer about a range without its end");
        }
        byte state = frame.getByte(body + Long.BYTES);
        if (state == ReplyFrame.RANGE_END) {
            part.cover();
        } else {
            boolean atPartEnd = state == ReplyFrame.RANGE_PART_END;
            part.reach(
                    bytes(frame, reachedAt, reachedEnd),
                    atPartEnd && part.left().descending());
        }
        boolean hasRecords = asked().what() != RequestFrame.SCAN_COUNT;
        covered(part, frame.getLongLE(body), bytes(frame, reachedEnd, hasRecords ? end : reachedEnd));
    }

    /**
     * Takes the answer to a RANGE_CLEAR. A request beyond the span of its partition had no effect; by now the image
     * knows the end of this span.
     */
    final void onCleared(Range part, KeyBounds cleared, byte status, boolean more) {
        if (isStopped()) {
            return;
        }
        part.before = part.left;
        if (status == Status.OK && !more) {
            if (cleared.equals(part.left())) {
                part.cover();
            } else {
                part.reach(cleared.to(), false);
            }
        }
        covered(part, 0, new byte[0]);
    }
}
