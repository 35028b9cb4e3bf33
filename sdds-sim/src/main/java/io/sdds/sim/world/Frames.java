package io.sdds.sim.world;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.BatchFrame;
import io.sdds.core.protocol.Opcode;
import org.jspecify.annotations.Nullable;

/** Walks the frames in the output of a link. The frames are in batches if the link has checksums. */
final class Frames {
    private static final int OPCODE = 4;

    private Frames() {}

    /** Visitor of frames. */
    interface Visitor {
        void frame(int index, int length);
    }

    /** Whether a batch begins at an index. */
    static boolean isBatch(ByteBuf bytes, int index) {
        return bytes.getByte(index + OPCODE) == Opcode.BATCH;
    }

    /** Visits every frame of whole frames and batches. */
    static void each(ByteBuf bytes, Visitor visitor) {
        for (int at = bytes.readerIndex(); at < bytes.writerIndex(); at += bytes.getIntLE(at)) {
            int length = bytes.getIntLE(at);
            if (isBatch(bytes, at)) {
                within(bytes, at + BatchFrame.HEADER, at + length - BatchFrame.TRAILER, visitor);
            } else {
                visitor.frame(at, length);
            }
        }
    }

    /** Visits every frame between two indexes. */
    static void within(ByteBuf bytes, int from, int to, Visitor visitor) {
        for (int at = from; at < to; at += bytes.getIntLE(at)) {
            visitor.frame(at, bytes.getIntLE(at));
        }
    }

    /** Describes a fault in the lengths of the sent frames; null if there is none. */
    static @Nullable String problem(SimEnv from, ByteBuf frames) {
        int at = frames.readerIndex();
        int end = frames.writerIndex();
        while (at < end) {
            int length = end - at < Long.BYTES ? 0 : frames.getIntLE(at);
            if (length > BatchFrame.HEADER && length <= end - at && isBatch(frames, at)) {
                String within = problem(
                        from, frames.slice(at + BatchFrame.HEADER, length - BatchFrame.HEADER - BatchFrame.TRAILER));
                if (within != null) {
                    return within;
                }
            }
            if (length < Long.BYTES || length > end - at) {
                return from + " sends a frame of length " + length + " with " + (end - at) + " bytes behind it";
            }
            at += length;
        }
        return null;
    }
}
