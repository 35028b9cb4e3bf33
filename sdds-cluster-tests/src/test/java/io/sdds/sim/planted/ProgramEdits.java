package io.sdds.sim.planted;

import io.netty.buffer.Unpooled;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramCodec;
import io.sdds.sim.frame.DecodedRequest;
import io.sdds.sim.world.SimNetwork;
import io.sdds.sim.world.SimNetwork.FrameFilter;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/** Filters of planted bugs that edit the requests which ship programs. */
final class ProgramEdits {
    private ProgramEdits() {}

    /** Edits the requests of one opcode, SCAN or RANGE, that ship programs or name programs that bricks keep. */
    static FrameFilter requests(byte opcode, UnaryOperator<DecodedRequest> edit) {
        return FrameEdits.requests(opcode, request -> isProgram(request) ? edit.apply(request) : request);
    }

    /** Edits the programs inside requests, whatever stands before them. */
    static FrameFilter programs(UnaryOperator<Program> edit) {
        return (from, to, frame, index, length) -> {
            byte opcode = frame.getByte(index + RequestFrame.OPCODE);
            if (opcode != Opcode.SCAN && opcode != Opcode.RANGE) {
                return SimNetwork.Fate.SENT;
            }
            DecodedRequest request = DecodedRequest.read(frame, index, length);
            return FrameEdits.sent(request, edited(request, edit));
        };
    }

    private static DecodedRequest edited(DecodedRequest request, UnaryOperator<Program> edit) {
        int what = whatAt(request);
        byte[] body = request.body();
        if (!isProgram(request) || RequestFrame.isKeptProgram(body[what])) {
            return request;
        }
        boolean hasBound = (body[what] & RequestFrame.SCAN_BOUND) != 0;
        int at = what + 1 + (hasBound ? Short.BYTES + length(body, what + 1) : 0);
        Program program = ProgramCodec.decode(Unpooled.wrappedBuffer(body, at, body.length - at));
        Program other = edit.apply(program);
        if (other.equals(program)) {
            return request;
        }
        byte[] encoded = ProgramCodec.encode(other);
        byte[] changed = Arrays.copyOf(body, at + encoded.length);
        System.arraycopy(encoded, 0, changed, at, encoded.length);
        return request.withBody(changed);
    }

    /** Whether a SCAN or RANGE is answered with what a program computes, with a bound before the program or without. */
    static boolean isProgram(DecodedRequest request) {
        return RequestFrame.isProgram(request.body()[whatAt(request)]);
    }

    /** Index in the body of the byte that says what is answered. */
    private static int whatAt(DecodedRequest request) {
        return request.opcode() == Opcode.SCAN
                ? RequestFrame.SCAN_BODY - 1
                : Short.BYTES + length(request.body(), 0) + RequestFrame.RANGE_BODY - 1;
    }

    private static int length(byte[] bytes, int at) {
        return Unpooled.wrappedBuffer(bytes).getUnsignedShortLE(at);
    }
}
