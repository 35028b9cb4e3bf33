package io.sdds.brick.partition;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.memory.RecordStore;
import io.sdds.core.model.KeySpan;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.Status;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Writes replies straight into the outgoing buffer of the requester's link. The reply to a forwarded request carries
 * the image adjustment that {@link #adjust} was given last.
 */
public final class Replies {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final long NANOS_PER_MILLI = 1_000_000L;

    private @Nullable Link viewedLink;
    private long viewedBuffers;
    private MemorySegment view = MemorySegment.NULL;

    private boolean adjusting;
    private int level;
    private int partition;
    private long mapVersion;
    private int brick;
    private @Nullable KeySpan span;
    private long adjustments;

    /**
     * Sets the image adjustment of the reply to a request that {@link Request#wantsAdjustment}: the right partition,
     * its level and its brick, and the span of a range partition.
     */
    public void adjust(Request request, Partition right, long version, int rightBrick) {
        adjust(right.level(), right.number(), version, rightBrick);
        span = right instanceof RangePartition range ? range.told(request) : null;
    }

    private void adjust(int rightLevel, int rightPartition, long version, int rightBrick) {
        adjusting = true;
        level = rightLevel;
        partition = rightPartition;
        mapVersion = version;
        brick = rightBrick;
    }

    public void adjustNothing() {
        adjusting = false;
    }

    /** Number of image adjustments sent. */
    public long adjustments() {
        return adjustments;
    }

    /** Writes a reply without a body. */
    public void status(Request request, byte status) {
        begin(request, status, 0);
        finish(request);
    }

    /** Writes a reply whose body is one number. */
    public void number(Request request, byte status, long value) {
        long body = begin(request, status, Long.BYTES);
        view.set(LONG, body, value);
        finish(request);
    }

    /** Writes BUSY with its hint. */
    public void busy(Request request, int hintMillis) {
        long body = begin(request, Status.BUSY, Integer.BYTES);
        view.set(INT, body, hintMillis);
        finish(request);
    }

    /** Writes REDIRECT, by which the client learns that it must look at the map again. */
    public void redirect(Request request, long mapVersion) {
        number(request, Status.REDIRECT, mapVersion);
    }

    /** Writes the version and value of the record found. */
    public void record(Request request, long version, MemorySegment from, long valueOffset, int valueLength) {
        long body = begin(request, Status.OK, Long.BYTES + valueLength);
        view.set(LONG, body, version);
        MemorySegment.copy(from, valueOffset, view, body + Long.BYTES, valueLength);
        finish(request);
    }

    /** Writes the version of the record found, the milliseconds until it expires, and its value. */
    public void record(
            Request request, long version, long ttlMillis, MemorySegment from, long valueOffset, int valueLength) {
        long body = begin(request, Status.OK, 2 * Long.BYTES + valueLength);
        view.set(LONG, body, version);
        view.set(LONG, body + Long.BYTES, ttlMillis);
        MemorySegment.copy(from, valueOffset, view, body + 2 * Long.BYTES, valueLength);
        finish(request);
    }

    /** Milliseconds left until an expiry, rounded up so that a record that has not expired has some time left. */
    public static long millisLeft(long expiry, long timeNanos) {
        return expiry == RecordStore.NO_EXPIRY
                ? ReplyFrame.FOR_EVER
                : Math.ceilDiv(expiry - timeNanos, NANOS_PER_MILLI);
    }

    /** Writes a reply of two numbers and a block of bytes. */
    public void block(Request request, long reached, long count, ByteBuf records) {
        long body = begin(request, Status.OK, 2 * Long.BYTES + records.readableBytes());
        view.set(LONG, body, reached);
        view.set(LONG, body + Long.BYTES, count);
        if (records.isReadable()) {
            MemorySegment.copy(
                    Request.memoryOf(records),
                    records.readerIndex(),
                    view,
                    body + 2 * Long.BYTES,
                    records.readableBytes());
        }
        finish(request);
    }

    /** Writes BAD_REQUEST with the reason. */
    public void badRequest(Request request, String why) {
        refusal(request, Status.BAD_REQUEST, why);
    }

    /** Writes a reply whose body is a text that tells the reason. */
    public void refusal(Request request, byte status, String why) {
        byte[] text = why.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        long body = begin(request, status, text.length);
        MemorySegment.copy(text, 0, view, ValueLayout.JAVA_BYTE, body, text.length);
        finish(request);
    }

    private void finish(Request request) {
        request.link.commit();
    }

    /**
     * Claims the frame and writes everything before the body. The caller writes the body and then calls
     * {@link #finish}.
     *
     * @return index in {@link #view} at which the body begins
     */
    private long begin(Request request, byte status, int bodyBytes) {
        boolean adjustment = adjusting && request.wantsAdjustment();
        int length = ReplyFrame.HEADER + (adjustment ? ReplyFrame.ADJUSTMENT + spanBytes() : 0) + bodyBytes;
        ByteBuf out = request.link.claim(length);
        if (request.link != viewedLink || request.link.buffers() != viewedBuffers) {
            view = Request.memoryOf(out);
            viewedLink = request.link;
            viewedBuffers = request.link.buffers();
        }
        int start = out.writerIndex();
        out.writerIndex(start + length);
        view.set(INT, start, length);
        int flags = !adjustment
                ? 0
                : span == null ? ReplyFrame.FLAG_ADJUSTMENT : ReplyFrame.FLAG_ADJUSTMENT | ReplyFrame.FLAG_SPAN;
        int hops = ReplyFrame.hops(request.addressingHops, request.hops);
        view.set(INT, start + ReplyFrame.OPCODE, Opcode.REPLY | flags << 8 | status << 16 | hops << 24);
        view.set(INT, start + ReplyFrame.CORRELATION, request.correlation);
        if (adjustment) {
            adjustments++;
            view.set(INT, start + ReplyFrame.ADJUSTMENT_LEVEL, level);
            view.set(INT, start + ReplyFrame.ADJUSTMENT_PARTITION, partition);
            view.set(LONG, start + ReplyFrame.ADJUSTMENT_VERSION, mapVersion);
            view.set(INT, start + ReplyFrame.ADJUSTMENT_BRICK, brick);
            writeSpan(start + ReplyFrame.HEADER + ReplyFrame.ADJUSTMENT);
        }
        return (long) start + length - bodyBytes;
    }

    private int spanBytes() {
        return span == null ? 0 : ReplyFrame.SPAN_LENGTHS + span.low().length + span.high().length;
    }

    private void writeSpan(long at) {
        if (span != null) {
            int low = span.low().length;
            int high = span.high().length;
            view.set(INT, at, low | high << 16);
            long keys = at + ReplyFrame.SPAN_LENGTHS;
            MemorySegment.copy(span.low(), 0, view, ValueLayout.JAVA_BYTE, keys, low);
            MemorySegment.copy(span.high(), 0, view, ValueLayout.JAVA_BYTE, keys + low, high);
        }
    }

    /** Writes the reply to a RANGE: the number of matches, the key that the step reached, and records. */
    public void range(Request request, long count, byte state, byte[] reached, ByteBuf records) {
        long body = begin(request, Status.OK, ReplyFrame.RANGE_HEADER + reached.length + records.readableBytes());
        view.set(LONG, body, count);
        view.set(ValueLayout.JAVA_BYTE, body + Long.BYTES, state);
        view.set(SHORT, body + Long.BYTES + 1, (short) reached.length);
        long at = body + ReplyFrame.RANGE_HEADER;
        MemorySegment.copy(reached, 0, view, ValueLayout.JAVA_BYTE, at, reached.length);
        if (records.isReadable()) {
            MemorySegment.copy(
                    Request.memoryOf(records),
                    records.readerIndex(),
                    view,
                    at + reached.length,
                    records.readableBytes());
        }
        finish(request);
    }

    /** Forgets the memory of the outgoing buffer, at the end of a turn. */
    public void forget() {
        viewedLink = null;
        view = MemorySegment.NULL;
    }
}
