package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.query.ProgramHash;

/** A part of a program, for one brick. Its deadline, and where it looks for the map, are those of another request. */
final class ProgramRequest extends Request<Void> {
    private final Request<?> cause;
    private final Peer brick;
    private final byte[] program;
    private final ProgramHash hash;
    private final int offset;
    private final int length;
    private final Progress progress;

    /** Hears how a part ends. */
    interface Progress {
        /** The brick has so many bytes of the program; if all, it keeps the program. */
        void received(int bytes);

        void failed(Failure.Kind kind);

        /** Nobody wants the program any more. */
        void ended();
    }

    ProgramRequest(Request<?> cause, Peer brick, byte[] program, ProgramHash hash, int offset, Progress progress) {
        super(cause.table, Opcode.PROGRAM, cause.deadlineNanos);
        this.cause = cause;
        this.brick = brick;
        this.program = program;
        this.hash = hash;
        this.offset = offset;
        this.length = Math.min(Limits.PROGRAM_PART_BYTES_MAX, program.length - offset);
        this.progress = progress;
        this.isUnicast = true;
    }

    @Override
    boolean isAbandoned() {
        return cause.isAbandoned();
    }

    @Override
    void abandoned() {
        progress.ended();
    }

    @Override
    Peer onlyBrick() {
        return brick;
    }

    @Override
    public int windowBytes() {
        return 0;
    }

    @Override
    long pseudoKey() {
        return cause.pseudoKey();
    }

    @Override
    byte[] rangeKey() {
        return cause.rangeKey();
    }

    @Override
    boolean isAboveKey() {
        return cause.isAboveKey();
    }

    @Override
    boolean isFromLast() {
        return cause.isFromLast();
    }

    @Override
    int keyLength() {
        return 0;
    }

    @Override
    int bodyLength() {
        return RequestFrame.PROGRAM_BODY + length;
    }

    @Override
    void writeBody(ByteBuf out) {
        out.writeBytes(hash.bytes());
        out.writeIntLE(program.length);
        out.writeIntLE(offset);
        out.writeBytes(program, offset, length);
    }

    @Override
    protected void answered(byte status, ByteBuf frame, int body, int end) {
        expectOk(status);
        long received = end - body < Long.BYTES ? -1 : frame.getLongLE(body);
        if (received < 0 || received > program.length) {
            throw new ProtocolViolation("a brick has " + received + " bytes of a program of " + program.length);
        }
        progress.received((int) received);
    }

    @Override
    protected void failed(Failure failure) {
        progress.failed(failure.kind());
    }
}
