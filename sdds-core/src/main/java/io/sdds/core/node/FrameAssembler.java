package io.sdds.core.node;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream of bytes into frames. Frames that lie whole in a received buffer are passed on in place, as one run; only the frame that
 * a buffer's end cuts in two is copied together.
 */
final class FrameAssembler {
    private static final int LENGTH_BYTES = 4;
    private static final int FRAME_BYTES_MIN = 8;

    /** Of a hello: who has not said it gets no memory for more. */
    private static final int HELLO_BYTES_MAX = 4 << 10;

    private final Env env;
    private final Sink sink;
    private @Nullable ByteBuf partial;
    private int frameBytesMax = HELLO_BYTES_MAX;

    /** Where runs of frames go. */
    interface Sink {
        /** Whole frames from reader index to writer index; valid during the call unless retained. */
        void frames(ByteBuf run);

        /** A single frame for the link itself: hello, fragment, ping, pong or goodbye. */
        void linkFrame(ByteBuf buffer, int index, int length);
    }

    FrameAssembler(Env env, Sink sink) {
        this.env = env;
        this.sink = sink;
    }

    /** From now on frames may be as long as frames are. */
    void helloHasCome() {
        frameBytesMax = Limits.FRAME_BYTES_MAX;
    }

    void bytes(ByteBuf in) {
        if (partial != null) {
            completePartial(partial, in);
        }
        if (partial == null && in.isReadable()) {
            passOn(in);
            if (in.isReadable()) {
                partial = env.allocate(Math.max(
                        LENGTH_BYTES, in.readableBytes() >= LENGTH_BYTES ? frameLength(in, in.readerIndex()) : 0));
                partial.writeBytes(in);
            }
        }
    }

    void release() {
        if (partial != null) {
            partial.release();
            partial = null;
        }
    }

    private void completePartial(ByteBuf frame, ByteBuf in) {
        if (!fill(frame, in, LENGTH_BYTES)) {
            return;
        }
        int length = frameLength(frame, 0);
        frame.ensureWritable(length - frame.readableBytes());
        if (fill(frame, in, length)) {
            partial = null;
            passOn(frame);
            frame.release();
        }
    }

    /** Moves bytes until the frame has {@code want} of them. */
    private static boolean fill(ByteBuf frame, ByteBuf in, int want) {
        int missing = want - frame.readableBytes();
        if (missing > 0) {
            in.readBytes(frame, Math.min(missing, in.readableBytes()));
        }
        return frame.readableBytes() >= want;
    }

    /** Passes on all whole frames and leaves the reader index behind them. */
    private void passOn(ByteBuf in) {
        int end = in.writerIndex();
        int at = in.readerIndex();
        int run = at;
        while (end - at >= LENGTH_BYTES + 1) {
            int length = frameLength(in, at);
            if (length > end - at) {
                break;
            }
            byte opcode = in.getByte(at + LENGTH_BYTES);
            if (Opcode.isOfLink(opcode)) {
                passRun(in, run, at, end);
                sink.linkFrame(in, at, length);
                run = at + length;
            } else if (!Opcode.isKnown(opcode)) {
                throw new ProtocolViolation("unknown opcode " + opcode);
            }
            at += length;
        }
        passRun(in, run, at, end);
        in.readerIndex(at);
    }

    private void passRun(ByteBuf in, int from, int to, int end) {
        if (from < to) {
            in.setIndex(from, to);
            sink.frames(in);
            in.setIndex(from, end);
        }
    }

    private int frameLength(ByteBuf in, int index) {
        int length = in.getIntLE(index);
        if (length < FRAME_BYTES_MIN || length > frameBytesMax) {
            throw new ProtocolViolation(
                    "frame length " + length + " is not within " + FRAME_BYTES_MIN + " to " + frameBytesMax);
        }
        return length;
    }
}
