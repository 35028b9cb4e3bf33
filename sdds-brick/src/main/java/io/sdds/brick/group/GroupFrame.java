package io.sdds.brick.group;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.partition.Partition;
import io.sdds.core.model.Place.Member;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;

/**
 * Layout of the frames between the members of a replica group. Little endian. All frames begin with
 *
 * <pre>
 *  0 i32 length of the frame, this field included
 *  4 u8  opcode, u8 flags, u16 m: of a frame to a parity member the columns of a group, else 0
 *  8 i32 table   12 i32 partition
 * 16 i64 epoch
 * </pre>
 *
 * <pre>
 * PREPARE    primary to backup. Flag 1: vote in any case. Flag 8: the sender is a parity member, which leads a column
 *            24 i64 seq of the first entry   32 i64 seq of the primary's last entry when the epoch began
 *            40 i64 committed: seq of the last committed entry
 *            48 i64 stable: seq of the last entry that all members know to be committed
 *            56 entries ({@link Entry}), with consecutive seqs
 * VOTE       backup to primary. Flag 2: the backup's memory is short, and the primary should take no new writes.
 *            Flag 4: the backup has no memory for the entry behind the voted seq
 *            24 i64 the backup's log equals the primary's log up to this seq
 *            32 i64 seq of the last entry that the backup knows to be committed
 *            40 i32 brick   44 i32 credit: bytes that may be under way to the backup   48 i64 incarnation
 * CONFIRM    member to member: asks whether the epoch still holds
 *            24 i64 round   32 i64 0
 * CONFIRMED  answer to CONFIRM, with the epoch of the answering member
 *            24 i64 round   32 i64 0   40 i32 brick   44 i32 0   48 i64 incarnation
 * </pre>
 */
public final class GroupFrame {
    public static final int FLAGS = 5;
    public static final int COLUMNS = 6;
    public static final int TABLE = 8;
    public static final int PARTITION = 12;
    public static final int EPOCH = 16;
    static final int FIRST = 24;
    static final int START = 32;
    static final int COMMITTED = 40;
    static final int STABLE = 48;
    static final int ENTRIES = 56;
    static final int MATCH = 24;
    static final int VOTE_COMMITTED = 32;
    public static final int ROUND = 24;
    static final int BRICK = 40;
    static final int CREDIT = 44;
    static final int INCARNATION = 48;
    static final int CONFIRM_BYTES = 40;

    /** Of a PREPARE: the backup is to vote even if the frame has no entries. */
    static final int FLAG_VOTE = 1;

    /** Of a VOTE: the backup's memory is short. */
    static final int FLAG_SHORT = 2;

    /** Of a VOTE: the backup has no memory to prepare the next entry. */
    static final int FLAG_STUCK = 4;

    /** The sender of this PREPARE is a parity member, so the vote goes to a parity member, too. */
    static final int FLAG_OF_PARITY = 8;

    private GroupFrame() {}

    /** The m that the answer to a PREPARE has in its header. */
    public static int columnsOfSender(ByteBuf frames, int index) {
        return (frames.getByte(index + FLAGS) & FLAG_OF_PARITY) == 0 ? 0 : columns(frames, index);
    }

    /** Whether a frame is for a parity member. */
    static boolean isToParity(ByteBuf frames, int index) {
        return columns(frames, index) != 0;
    }

    /** The number m in the header of a frame to a parity member: the columns of its group. Other frames have 0. */
    static int columns(ByteBuf frames, int index) {
        return frames.getUnsignedShortLE(index + COLUMNS);
    }

    /** Checks that a frame of this opcode has all its fields. */
    static void check(byte opcode, int length) {
        int least = opcode == Opcode.CONFIRM ? CONFIRM_BYTES : ENTRIES;
        if (length < least) {
            throw new ProtocolViolation("frame of opcode " + opcode + " with " + length + " bytes");
        }
    }

    /**
     * Writes a PREPARE with the entries from {@code first} to {@code end}; without entries if end is before first.
     *
     * @param entries the log in the rendering for the receiver
     * @param columns m, if the receiver is a parity member, else 0
     */
    static void prepare(
            Link link,
            int flags,
            MemberLog of,
            GroupLog entries,
            int columns,
            long start,
            long stable,
            long first,
            long end) {
        int length = ENTRIES + (end < first ? 0 : entries.bytes(first, end));
        ByteBuf out = link.claim(length);
        begin(out, length, Opcode.PREPARE | flags << 8 | columns << 16, of.table(), of.number(), of.epoch());
        out.writeLongLE(first).writeLongLE(start).writeLongLE(of.committed()).writeLongLE(stable);
        if (end >= first) {
            entries.write(out, first, end);
        }
        link.commit();
    }

    /** @param columns m, if the receiver is a parity member, else 0 */
    static void vote(Link link, int flags, int columns, MemberLog of, long match, Member self, int credit) {
        ByteBuf out = link.claim(ENTRIES);
        begin(out, ENTRIES, Opcode.VOTE | flags << 8 | columns << 16, of.table(), of.number(), of.epoch());
        out.writeLongLE(match).writeLongLE(of.committed());
        out.writeIntLE(self.brick()).writeIntLE(credit).writeLongLE(self.incarnation());
        link.commit();
    }

    /** @param columns m, if the receiver is a parity member, else 0 */
    static void confirm(Link link, Partition partition, int columns, long epoch, long round) {
        ByteBuf out = link.claim(CONFIRM_BYTES);
        begin(out, CONFIRM_BYTES, Opcode.CONFIRM | columns << 16, partition.table(), partition.number(), epoch);
        out.writeLongLE(round).writeLongLE(0);
        link.commit();
    }

    public static void confirmed(Link link, int table, int partition, long epoch, long round, Member self) {
        ByteBuf out = link.claim(ENTRIES);
        begin(out, ENTRIES, Opcode.CONFIRMED, table, partition, epoch);
        out.writeLongLE(round).writeLongLE(0);
        out.writeIntLE(self.brick()).writeIntLE(0).writeLongLE(self.incarnation());
        link.commit();
    }

    public static void begin(ByteBuf out, int length, int opcode, int table, int partition, long epoch) {
        out.writeIntLE(length)
                .writeIntLE(opcode)
                .writeIntLE(table)
                .writeIntLE(partition)
                .writeLongLE(epoch);
    }

    /** The member that a VOTE or CONFIRMED comes from, as the frame says. */
    static Member member(ByteBuf frames, int index) {
        return new Member(frames.getIntLE(index + BRICK), frames.getLongLE(index + INCARNATION));
    }
}
