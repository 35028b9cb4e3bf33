package io.sdds.sim.fault;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.frame.DecodedPrepare;
import io.sdds.sim.frame.DecodedVote;
import io.sdds.sim.frame.GroupHeader;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Writes frames that only members of a replica group may send, for a sender that is not a member: with possible
 * partitions, bricks and epochs, and with the highest epochs.
 */
final class ForgedGroupFrames {
    private static final int PARTITIONS = 4;
    private static final int BRICKS = 5;
    private static final int EPOCHS = 4;
    private static final int SEQS = 1000;
    private static final int COLUMNS = 16;
    private static final int CREDIT = 1 << 20;

    private ForgedGroupFrames() {}

    /**
     * Writes a frame for the group of some partition of a table.
     *
     * @param withParity whether the table has parity groups; every other frame is then for a parity member
     */
    static void write(ByteBuf out, int table, boolean withParity, SplittableRandom random) {
        byte opcode = (byte) random.nextInt(Opcode.PREPARE, Opcode.CONFIRMED + 1);
        boolean isLate = random.nextInt(3) == 0;
        long epoch = isLate ? Long.MAX_VALUE - random.nextInt(2) : random.nextInt(1, EPOCHS);
        int flags = random.nextInt(8);
        int partition = random.nextInt(PARTITIONS);
        int seq = random.nextInt(SEQS);
        int columns = withParity && seq % 2 == 0 ? 1 + seq % COLUMNS : 0;
        GroupHeader header = new GroupHeader(opcode, flags, columns, table, partition, epoch);
        ByteBuf frame = frame(header, seq, random);
        out.writeBytes(frame);
    }

    private static ByteBuf frame(GroupHeader header, long seq, SplittableRandom random) {
        if (header.opcode() == Opcode.PREPARE) {
            return new DecodedPrepare(header, seq + 1, seq, random.nextInt(SEQS), seq, List.of()).frame();
        }
        if (header.opcode() == Opcode.CONFIRM) {
            ByteBuf confirm = Unpooled.buffer();
            header.write(confirm, GroupHeader.BYTES + 2 * Long.BYTES);
            return confirm.writeLongLE(seq).writeLongLE(0);
        }
        return new DecodedVote(header, seq, 0, random.nextInt(1, BRICKS + 1), CREDIT, 1).frame();
    }
}
