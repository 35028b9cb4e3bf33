package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.sdds.core.addressing.ScanOrder;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import org.jspecify.annotations.Nullable;

/** A step of a sweep: a request about an interval of scan order. The interval's first point addresses the request. */
final class IntervalRequest extends Request<Void> {
    private final HashSweep sweep;
    private final HashSweep.Interval part;
    private final long from;
    private final long end;
    private Sweep.Asked asked;

    IntervalRequest(HashSweep sweep, HashSweep.Interval part, long deadlineNanos) {
        super(sweep.table(), sweep.asked().opcode(), deadlineNanos);
        this.sweep = sweep;
        this.part = part;
        this.from = part.from();
        this.end = part.end();
        this.asked = sweep.asked();
        this.isUnicast = asked.isProgram();
    }

    @Override
    public int windowBytes() {
        return opcode == Opcode.SCAN ? sweep.asked().blockBytes() : 0;
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
        return ScanOrder.point(from);
    }

    @Override
    int keyLength() {
        return 0;
    }

    @Override
    int bodyLength() {
        return opcode == Opcode.SCAN ? RequestFrame.SCAN_BODY + asked.filter().length : RequestFrame.INTERVAL_BODY;
    }

    @Override
    void writeBody(ByteBuf out) {
        out.writeLongLE(from);
        out.writeLongLE(end);
        if (opcode == Opcode.SCAN) {
            out.writeIntLE(sweep.asked().blockBytes());
            out.writeByte(asked.what());
            out.writeBytes(asked.filter());
        }
    }

    @Override
    protected void answered(byte status, ByteBuf frame, int body, int end) {
        expectOk(status);
        if (sweep.accepts(this)) {
            sweep.onAnswered(part, asked);
            sweep.onAnswer(part, frame, body, end);
        }
    }

    @Override
    protected void failed(Failure failure) {
        sweep.onFailure(failure);
    }
}
