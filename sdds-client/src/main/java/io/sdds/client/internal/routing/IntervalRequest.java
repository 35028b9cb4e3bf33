package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.sdds.core.addressing.ScanOrder;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;

/** A step of a sweep: a request about an interval of scan order. The interval's first point addresses the request. */
final class IntervalRequest extends Request<Void> {
    private final HashSweep sweep;
    private final HashSweep.Interval part;
    private final long from;
    private final long end;

    IntervalRequest(HashSweep sweep, HashSweep.Interval part, long deadlineNanos) {
        super(sweep.table(), sweep.asked().opcode(), deadlineNanos);
        this.sweep = sweep;
        this.part = part;
        this.from = part.from();
        this.end = part.end();
    }

    @Override
    public int windowBytes() {
        return opcode == Opcode.SCAN ? sweep.asked().blockBytes() : 0;
    }

    @Override
    long feature() {
        return sweep.asked().feature();
    }

    @Override
    boolean isAbandoned() {
        return sweep.isStopped();
    }

    @Override
    long pseudoKey() {
        return ScanOrder.point(from);
    }

    @Override
    int keyLength() {
        return 0;
    }

    @Override
    int bodyLength() {
        return opcode == Opcode.SCAN
                ? RequestFrame.SCAN_BODY + sweep.asked().filter().length
                : RequestFrame.INTERVAL_BODY;
    }

    @Override
    void writeBody(ByteBuf out) {
        out.writeLongLE(from);
        out.writeLongLE(end);
        if (opcode == Opcode.SCAN) {
            out.writeIntLE(sweep.asked().blockBytes());
            out.writeByte(sweep.asked().what());
            out.writeBytes(sweep.asked().filter());
        }
    }

    @Override
    protected void answered(byte status, ByteBuf frame, int body, int end) {
        expectOk(status);
        sweep.onAnswer(part, frame, body, end);
    }

    @Override
    protected void failed(Failure failure) {
        sweep.onFailure(failure);
    }
}
