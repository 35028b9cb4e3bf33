package io.sdds.brick.parity.decoding;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.group.GroupFrame;
import io.sdds.brick.group.MemberLog;
import io.sdds.core.model.Place.Member;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import java.util.List;

/**
 * Layout of the frames with which lost records are decoded. Little endian. The header is that of {@link GroupFrame},
 * for the column that is asked or answers. The frames of one decoding share the fields from 24 on:
 *
 * <pre>
 * 24 i64 number of the decoding, given by the parity member that leads it
 * 32 i32 brick of that member   36 u16 parities that take part, bit p   38 u16 columns that are asked, bit c
 * 40 i64 incarnation of that member
 * 48 u16 columns that are closed, because their primaries are gone, bit c   50 u16 m   52 i32 number of ranks
 * 56 i64 for each of the m columns: seq up to which a closed column is folded, else 0
 * </pre>
 *
 * <pre>
 * RANKS_WANTED  parity member to a column's primary; if no column has a primary, to the other parity members that take
 *               part. Behind these fields: i32 for each rank
 * RANKS         the column's primary to each parity member that takes part; behind these fields:
 *               i64 C, the seq up to which the records have the effects of the column's log
 *               for each rank: i32 rank, i32 length, the coded record. Length 0: no record. Length -1: the record
 *               exists and is missing here
 * RESIDUES      a parity member to the member that leads the decoding; behind these fields:
 *               i32 index of the parity, i32 columns with missing records, bit c
 *               for each rank: i32 rank, i32 length, the residue
 * </pre>
 */
public final class DecodingFrame {
    static final int ID = 24;
    static final int BRICK = 32;
    static final int PARITIES = 36;
    static final int ASKED = 38;
    static final int INCARNATION = 40;
    static final int CLOSED = 48;
    static final int COLUMNS = 50;
    public static final int COUNT = 52;
    static final int CLOSED_SEQS = 56;

    /** The length that stands for a record that is missing at the column's primary. */
    public static final int MISSING = -1;

    private static final int RANK_HEADER = 2 * Integer.BYTES;

    private DecodingFrame() {}

    /** The fields that all frames of a decoding share, behind the header. */
    public record Head(long id, Member lead, int parities, int asked, int closed, long[] closedSeqs, int count) {
        public static Head read(ByteBuf frame, int index, int length) {
            int columns = length < CLOSED_SEQS ? 0 : frame.getUnsignedShortLE(index + COLUMNS);
            int count = length < CLOSED_SEQS ? 0 : frame.getIntLE(index + COUNT);
            if (length < CLOSED_SEQS + columns * Long.BYTES || count < 1 || count > RecordDecoder.RANKS_MAX) {
                throw new ProtocolViolation("frame of a decoding with " + length + " bytes and " + count + " ranks");
            }
            long[] seqs = new long[columns];
            for (int c = 0; c < columns; c++) {
                seqs[c] = frame.getLongLE(index + CLOSED_SEQS + c * Long.BYTES);
            }
            return new Head(
                    frame.getLongLE(index + ID),
                    new Member(frame.getIntLE(index + BRICK), frame.getLongLE(index + INCARNATION)),
                    frame.getUnsignedShortLE(index + PARITIES),
                    frame.getUnsignedShortLE(index + ASKED),
                    frame.getUnsignedShortLE(index + CLOSED),
                    seqs,
                    count);
        }

        /** Offset of what stands behind these fields. */
        public int end() {
            return CLOSED_SEQS + closedSeqs.length * Long.BYTES;
        }

        private void write(ByteBuf out) {
            out.writeLongLE(id).writeIntLE(lead.brick()).writeShortLE(parities).writeShortLE(asked);
            out.writeLongLE(lead.incarnation()).writeShortLE(closed).writeShortLE(closedSeqs.length);
            out.writeIntLE(count);
            for (long seq : closedSeqs) {
                out.writeLongLE(seq);
            }
        }

        public boolean isClosed(int column) {
            return (closed & 1 << column) != 0;
        }
    }

    /** Checks that so many bytes are left in a frame. */
    public static void need(int bytes, int at, int end) {
        if (bytes < 0 || at + bytes > end) {
            throw new ProtocolViolation("frame of a decoding ends early");
        }
    }

    /** @param columns m, if the receiver is a parity member, else 0 */
    public static void ranksWanted(Link link, int table, int column, int columns, long epoch, Head head, int[] ranks) {
        int length = head.end() + head.count() * Integer.BYTES;
        ByteBuf out = link.claim(length);
        GroupFrame.begin(out, length, Opcode.RANKS_WANTED | columns << 16, table, column, epoch);
        head.write(out);
        for (int k = 0; k < head.count(); k++) {
            out.writeIntLE(ranks[k]);
        }
        link.commit();
    }

    /** A frame with the coded records or the residues of some ranks, which the caller appends. */
    public interface Body {
        /** The ranks are written to this frame next. It has room for all of them. */
        default void begin(ByteBuf out) {}

        /** Bytes of the k-th rank, or {@link #MISSING}. */
        int length(int k);

        int rank(int k);

        /** Writes the bytes of the k-th rank. */
        void write(int k, ByteBuf out);
    }

    /** Bytes of the ranks of a body. */
    static int bytes(Body body, int count) {
        int bytes = 0;
        for (int k = 0; k < count; k++) {
            bytes += RANK_HEADER + Math.max(0, body.length(k));
        }
        return bytes;
    }

    /**
     * Sends the records of some ranks to all parity members that take part.
     *
     * @param links at least one, each to another brick
     */
    public static void ranks(List<Link> links, MemberLog of, Head head, long committed, Body body) {
        int length = head.end() + Long.BYTES + bytes(body, head.count());
        ByteBuf out = links.get(0).claim(length);
        int at = out.writerIndex();
        int opcode = Opcode.RANKS | head.closedSeqs().length << 16;
        GroupFrame.begin(out, length, opcode, of.table(), of.number(), of.epoch());
        head.write(out);
        out.writeLongLE(committed);
        write(out, head.count(), body);
        for (int k = 1; k < links.size(); k++) {
            links.get(k).claim(length).writeBytes(out, at, length);
            links.get(k).commit();
        }
        links.get(0).commit();
    }

    public static void residues(Link link, int table, int column, Head head, int parity, int missing, Body body) {
        int length = head.end() + 2 * Integer.BYTES + bytes(body, head.count());
        ByteBuf out = link.claim(length);
        int opcode = Opcode.RESIDUES | head.closedSeqs().length << 16;
        GroupFrame.begin(out, length, opcode, table, column, 0);
        head.write(out);
        out.writeIntLE(parity).writeIntLE(missing);
        write(out, head.count(), body);
        link.commit();
    }

    private static void write(ByteBuf out, int count, Body body) {
        body.begin(out);
        for (int k = 0; k < count; k++) {
            int length = body.length(k);
            out.writeIntLE(body.rank(k)).writeIntLE(length);
            if (length > 0) {
                body.write(k, out);
            }
        }
    }
}
