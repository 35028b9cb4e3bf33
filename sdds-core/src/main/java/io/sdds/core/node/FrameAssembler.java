package io.sdds.core.node;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.BatchFrame;
import io.sdds.core.protocol.Checksum;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream of bytes into frames. Frames that lie whole in a received buffer are passed on in place, as one run;
 * only the frame, or batch of frames, that a buffer's end cuts in two is copied together. A batch is passed on when its
 * checksum was verified, never a part of it.
 */
final class FrameAssembler {
    private static final int LENGTH_BYTES = 4;
    private static final int FRAME_BYTES_MIN = 8;

    /** Most bytes of a hello: a peer that has not said hello gets no memory for more. */
    private static final int HELLO_BYTES_MAX = 4 << 10;

    private static final int PARTIAL_BYTES_MIN = 1 << 10;

    private final Env env;
    private final Sink sink;
    private @Nullable ByteBuf partial;
    private @Nullable Checksum checksum;
    private boolean released;
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

    /**
     * From now on frames may be as long as frames are.
     *
     * @param checked whether they come in batches with a checksum from now on
     */
    void helloHasCome(boolean checked) {
        frameBytesMax = Limits.FRAME_BYTES_MAX;
        checksum = checked ? new Checksum() : null;
    }

    void bytes(ByteBuf in) {
        if (partial != null) {
            completePartial(partial, in);
        }
        if (partial == null && in.isReadable() && !released) {
            passOn(in);
            if (in.isReadable() && !released) {
                partial = env.allocate(Math.max(PARTIAL_BYTES_MIN, 2 * in.readableBytes()));
                completePartial(partial, in);
            }
        }
    }

    /** Bytes of memory that a frame or batch takes while not all of its bytes have come. */
    int heldBytes() {
        return partial == null ? 0 : partial.capacity();
    }

    /** The link is down: bytes that still come are dropped. */
    void release() {
        released = true;
        if (partial != null) {
            partial.release();
            partial = null;
        }
    }

    /** Takes the missing bytes of a frame or batch that have come. Memory grows only with bytes that have come. */
    private void completePartial(ByteBuf piece, ByteBuf in) {
        if (!fill(piece, in, headerBytes())) {
            return;
        }
        if (fill(piece, in, length(piece, 0))) {
            partial = null;
            try {
                passOn(piece);
            } finally {
                piece.release();
            }
        }
    }

    /** Moves bytes until the piece has {@code want} of them. */
    private static boolean fill(ByteBuf piece, ByteBuf in, int want) {
        int missing = want - piece.readableBytes();
        if (missing > 0) {
            piece.writeBytes(in, Math.min(missing, in.readableBytes()));
        }
        return piece.readableBytes() >= want;
    }

    /** Bytes that tell the length of what begins with them. */
    private int headerBytes() {
        return checksum == null ? LENGTH_BYTES : BatchFrame.HEADER;
    }

    private int length(ByteBuf in, int index) {
        return checksum == null ? frameLength(in, index) : BatchFrame.length(in, index);
    }

    /** Passes on all whole frames and leaves the reader index behind them. */
    private void passOn(ByteBuf in) {
        if (checksum == null) {
            in.readerIndex(passFrames(in, in.readerIndex(), in.writerIndex()));
        }
        if (checksum != null) { // perhaps by a hello among those frames
            passBatches(in, checksum);
        }
    }

    /** Passes on the frames of all whole batches: of each after its checksum was verified. */
    private void passBatches(ByteBuf in, Checksum sum) {
        int end = in.writerIndex();
        int at = in.readerIndex();
        while (end - at >= BatchFrame.HEADER && !released) {
            int length = BatchFrame.length(in, at);
            if (length > end - at) {
                break;
            }
            BatchFrame.verify(in, at, length, sum);
            int framesEnd = at + length - BatchFrame.TRAILER;
            if (passFrames(in, at + BatchFrame.HEADER, framesEnd) != framesEnd) {
                throw new ProtocolViolation("a batch that ends within a frame");
            }
            at += length;
        }
        in.setIndex(at, end);
    }

    /**
     * Passes on the whole frames between two indexes, up to one after which frames are checked; answers where it
     * stopped.
     */
    private int passFrames(ByteBuf in, int from, int end) {
        Checksum before = checksum;
        int at = from;
        int run = at;
        while (end - at >= LENGTH_BYTES + 1) {
            int length = frameLength(in, at);
            if (length > end - at) {
                break;
            }
            byte opcode = in.getByte(at + LENGTH_BYTES);
            if (Opcode.isOfLink(opcode)) {
                passRun(in, run, at);
                sink.linkFrame(in, at, length);
                run = at + length;
                if (released) {
                    return end;
                }
                if (checksum != before) {
                    return run;
                }
            } else if (!Opcode.isKnown(opcode)) {
                throw new ProtocolViolation("unknown opcode " + opcode);
            }
            at += length;
        }
        passRun(in, run, at);
        return at;
    }

    private void passRun(ByteBuf in, int from, int to) {
        if (from < to) {
            int reader = in.readerIndex();
            int writer = in.writerIndex();
            in.setIndex(from, to);
            sink.frames(in);
            in.setIndex(reader, writer);
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
