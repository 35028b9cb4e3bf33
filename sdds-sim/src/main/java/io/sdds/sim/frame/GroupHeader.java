package io.sdds.sim.frame;

import io.netty.buffer.ByteBuf;

/**
 * The fields that PREPARE, VOTE, CONFIRM and CONFIRMED frames begin with. The class {@code GroupFrame} of the brick has
 * the layout.
 *
 * @param flags 1 in a PREPARE: vote in any case. 2 in a VOTE: memory is short. 4 in a VOTE: there is no memory for the
 *     next entry
 * @param columns of a frame to a parity member m, the columns of its group; else 0
 */
public record GroupHeader(byte opcode, int flags, int columns, int table, int partition, long epoch) {
    public static final int BYTES = 24;

    private static final int OPCODE = 4;
    private static final int FLAGS = 5;
    private static final int COLUMNS = 6;
    private static final int TABLE = 8;
    private static final int PARTITION = 12;
    private static final int EPOCH = 16;

    /** Decodes the header of the frame at an index. The rest of the frame may come in later fragments. */
    public static GroupHeader read(ByteBuf frame, int index) {
        return new GroupHeader(
                frame.getByte(index + OPCODE),
                frame.getUnsignedByte(index + FLAGS),
                frame.getUnsignedShortLE(index + COLUMNS),
                frame.getIntLE(index + TABLE),
                frame.getIntLE(index + PARTITION),
                frame.getLongLE(index + EPOCH));
    }

    /** Appends the header of a frame of {@code length} bytes. */
    public void write(ByteBuf out, int length) {
        out.writeIntLE(length).writeIntLE(opcode | flags << Byte.SIZE | columns << Short.SIZE);
        out.writeIntLE(table).writeIntLE(partition).writeLongLE(epoch);
    }

    GroupHeader withoutFlags() {
        return new GroupHeader(opcode, 0, columns, table, partition, epoch);
    }

    @Override
    public String toString() {
        return "t" + table + " p" + partition + " epoch " + epoch + (flags == 0 ? "" : " flags " + flags)
                + (columns == 0 ? "" : " to a parity of " + columns);
    }
}
