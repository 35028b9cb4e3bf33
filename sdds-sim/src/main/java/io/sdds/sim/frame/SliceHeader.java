package io.sdds.sim.frame;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.Opcode;

/**
 * The fields that a SLICE frame begins with. The class {@code SliceFrame} of the brick has the layout.
 *
 * @param receiver the partition that takes the slice
 * @param number 1, 2, … in each attempt
 */
public record SliceHeader(long migration, int attempt, int receiver, long number) {
    static final int BYTES = 32;

    private static final int STREAM = 8;
    private static final int ATTEMPT = 16;
    private static final int RECEIVER = 20;
    private static final int NUMBER = 24;

    /** Decodes the header of the frame at an index. The rest of the frame may come in later fragments. */
    public static SliceHeader read(ByteBuf frame, int index) {
        return new SliceHeader(
                frame.getLongLE(index + STREAM),
                frame.getIntLE(index + ATTEMPT),
                frame.getIntLE(index + RECEIVER),
                frame.getLongLE(index + NUMBER));
    }

    /** Appends the header of a frame of {@code length} bytes. */
    void write(ByteBuf out, int length) {
        out.writeIntLE(length).writeIntLE(Opcode.SLICE).writeLongLE(migration);
        out.writeIntLE(attempt).writeIntLE(receiver).writeLongLE(number);
    }

    SliceHeader withNumber(long other) {
        return new SliceHeader(migration, attempt, receiver, other);
    }

    @Override
    public String toString() {
        return "migration " + migration + "/" + attempt + " to p" + receiver + " number " + number;
    }
}
