package io.sdds.brick.partition;

import io.netty.buffer.ByteBuf;
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
 * Writes replies straight into the buffer that gathers what goes out on the requester's link. A reply to a request that
 * was forwarded carries the image adjustment that {@link #adjust} was told last.
 */
public final class Replies {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

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
     * What the reply to a request teaches, if it {@link Request#teaches}: the right partition, its level and its brick;
     * its span if it has one.
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

    /** Image adjustments sent. */
    public long adjustments() {
        return adjustments;
    }

    /** A reply without a body. */
    public void status(Request request, byte status) {
        begin(request, status, 0);
        finish(request);
    }

    /** A reply whose body is one number. */
    public void number(Request request, byte status, long value) {
        long body = begin(request, status, Long.BYTES);
        view.set(LONG, body, value);
        finish(request);
    }

    /** BUSY with its hint. */
    public void busy(Request request, int hintMillis) {
        long body = begin(request, Status.BUSY, Integer.BYTES);
        view.set(INT, body, hintMillis);
        finish(request);
    }

    /** The record found: its version and value. */
    public void record(Request request, long version, MemorySegment from, long valueOffset, int valueLength) {
        long body = begin(request, Status.OK, Long.BYTES + valueLength);
        view.set(LONG, body, version);
        MemorySegment.copy(from, valueOffset, view, body + Long.BYTES, valueLength);
        finish(request);
    }

    /** The record found: its version, the milliseconds it has left to live, and its value. */
    public void record(
            Request request, long version, long ttlMillis, MemorySegment from, long valueOffset, int valueLength) {
        long body = begin(request, Status.OK, 2 * Long.BYTES + valueLength);
        view.set(LONG, body, version);
        view.set(LONG, body + Long.BYTES, ttlMillis);
        MemorySegment.copy(from, valueOffset, view, body + 2 * Long.BYTES, valueLength);
        finish(request);
    }

    /** Two numbers and whatever bytes follow. */
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

    /** BAD_REQUEST and why. */
    public void badRequest(Request request, String why) {
        byte[] text = why.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        long body = begin(request, Status.BAD_REQUEST, text.length);
        MemorySegment.copy(text, 0, view, ValueLayout.JAVA_BYTE, body, text.length);
        finish(request);
    }

    private void finish(Request request) {
        request.link.commit();
    }

    /**
     * Claims the frame, writes all but the body; answers where the body begins in {@link #view}. {@link #finish}
     * follows the body.
     */
    private long begin(Request request, byte status, int bodyBytes) {
        boolean adjustment = adjusting && request.teaches();
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

    /** What a RANGE answers: how many matched, how far it came, and records. */
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

    /** Forgets the memory it looks at; at the end of a turn. */
    public void forget() {
        viewedLink = null;
        view = MemorySegment.NULL;
    }
}
