package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.RequestFrame;
import org.jspecify.annotations.Nullable;

/** A step of a range query: a request about a range of keys. The first key of the range addresses the request. */
class RangeRequest extends Request<Void> {
    private final RangeSweep sweep;
    private final RangeSweep.@Nullable Range part;
    private final KeyBounds bounds;
    private final int blockBytes;
    private Sweep.Asked asked;

    RangeRequest(RangeSweep sweep, RangeSweep.Range part, KeyBounds bounds, long deadlineNanos) {
        this(sweep, part, bounds, sweep.asked().blockBytes(), deadlineNanos);
    }

    /** A request without a part, for all partitions of a range. */
    RangeRequest(RangeSweep sweep, KeyBounds bounds, int blockBytes, long deadlineNanos) {
        this(sweep, null, bounds, blockBytes, deadlineNanos);
    }

    private RangeRequest(
            RangeSweep sweep, RangeSweep.@Nullable Range part, KeyBounds bounds, int blockBytes, long deadlineNanos) {
        super(sweep.table(), sweep.asked().opcode(), deadlineNanos);
        this.sweep = sweep;
        this.part = part;
        this.bounds = bounds;
        this.blockBytes = blockBytes;
        this.asked = sweep.asked();
        this.isUnicast = asked.isProgram();
    }

    @Override
    public int windowBytes() {
        return opcode == Opcode.RANGE ? blockBytes : 0;
    }

    @Override
    boolean isAbandoned() {
        return sweep.isStopped();
    }

    @Override
    boolean isForAnyTable() {
        return sweep.isForAnyTable();
    }

    @Override
    boolean isStale() {
        return sweep.isStale();
    }

    @Override
    void writtenTo(Link link) {
        asked = sweep.next();
    }

    @Override
    byte @Nullable [] program() {
        return RequestFrame.isKeptProgram(asked.what()) ? sweep.asked().filter() : null;
    }

    @Override
    boolean giveUpProgram() {
        return sweep.giveUp(asked);
    }

    @Override
    long pseudoKey() {
        throw new IllegalStateException(this + " is of range tables");
    }

    @Override
    byte[] rangeKey() {
        return bounds.from();
    }

    @Override
    boolean isAboveKey() {
        return !bounds.descending() && !(bounds.fromInclusive() && bounds.from().length > 0);
    }

    @Override
    boolean isFromLast() {
        return bounds.descending() && bounds.from().length == 0;
    }

    @Override
    int flags() {
        return (opcode == Opcode.RANGE_CLEAR ? RequestFrame.FLAG_TEACH : 0)
                | (bounds.descending() ? RequestFrame.FLAG_DESCENDING : 0)
                | (bounds.fromInclusive() ? RequestFrame.FLAG_INCLUSIVE : 0)
                | (bounds.toInclusive() ? RequestFrame.FLAG_END_INCLUSIVE : 0);
    }

    @Override
    int keyLength() {
        return bounds.from().length;
    }

    @Override
    int bodyLength() {
        int keys = bounds.from().length + Short.BYTES + bounds.to().length;
        return opcode == Opcode.RANGE ? keys + RequestFrame.RANGE_BODY + asked.filter().length : keys;
    }

    @Override
    void writeBody(ByteBuf out) {
        out.writeBytes(bounds.from());
        out.writeShortLE(bounds.to().length);
        out.writeBytes(bounds.to());
        if (opcode == Opcode.RANGE) {
            out.writeIntLE(blockBytes);
            out.writeIntLE(sweep.recordsMax());
            out.writeByte(asked.what());
            out.writeBytes(asked.filter());
        }
    }

    @Override
    protected void answered(byte status, ByteBuf frame, int body, int end) {
        if (part == null) {
            throw new IllegalStateException(this + " is of no part");
        }
        if (!sweep.accepts(this)) {
            return;
        }
        if (opcode == Opcode.RANGE) {
            expectOk(status);
            sweep.onAnswered(part, asked);
            sweep.onAnswer(part, frame, body, end);
        } else if (end - body < Long.BYTES) {
            throw new ProtocolViolation("answer to a clear without its number");
        } else {
            sweep.onCleared(part, bounds, status, frame.getLongLE(body) != 0);
        }
    }

    @Override
    protected void failed(Failure failure) {
        sweep.onFailure(failure);
    }
}
