package io.sdds.sim.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * A VOTE frame: a backup tells the primary of its group how far it has come. The class {@code GroupFrame} of the brick
 * has the layout.
 *
 * @param verified the log equals the primary's up to this seq
 * @param committed entries up to this seq are committed, as far as the backup knows
 * @param credit bytes that may be on their way to the backup at a time
 */
public record DecodedVote(GroupHeader header, long verified, long committed, int brick, int credit, long incarnation) {
    /** Flag: the backup has no memory for the entry behind those that it votes for. */
    static final int FLAG_STUCK = 4;

    private static final int VERIFIED = 24;
    private static final int COMMITTED = 32;
    private static final int BRICK = 40;
    private static final int CREDIT = 44;
    private static final int INCARNATION = 48;
    private static final int BYTES = 56;

    /** Whether a frame has the length of a VOTE. */
    public static boolean fits(int length) {
        return length == BYTES;
    }

    /**
     * Decodes a frame.
     *
     * @throws IllegalArgumentException when the frame has another length than a VOTE
     */
    public static DecodedVote read(ByteBuf frame, int index, int length) {
        if (!fits(length)) {
            throw new IllegalArgumentException("a VOTE of " + length + " bytes");
        }
        return new DecodedVote(
                GroupHeader.read(frame, index),
                frame.getLongLE(index + VERIFIED),
                frame.getLongLE(index + COMMITTED),
                frame.getIntLE(index + BRICK),
                frame.getIntLE(index + CREDIT),
                frame.getLongLE(index + INCARNATION));
    }

    /** The frame with these fields. */
    public ByteBuf frame() {
        ByteBuf out = Unpooled.buffer(BYTES);
        header.write(out, BYTES);
        out.writeLongLE(verified).writeLongLE(committed);
        return out.writeIntLE(brick).writeIntLE(credit).writeLongLE(incarnation);
    }

    public boolean isStuck() {
        return (header.flags() & FLAG_STUCK) != 0;
    }

    public DecodedVote withVerified(long other) {
        return new DecodedVote(header, other, committed, brick, credit, incarnation);
    }

    public DecodedVote withoutFlags() {
        GroupHeader plain = header.withoutFlags();
        return new DecodedVote(plain, verified, committed, brick, credit, incarnation);
    }

    @Override
    public String toString() {
        return "VOTE " + header + " verified " + verified + " committed " + committed + " of brick " + brick
                + " credit " + credit;
    }
}
