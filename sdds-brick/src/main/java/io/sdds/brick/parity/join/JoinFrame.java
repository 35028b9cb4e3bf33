package io.sdds.brick.parity.join;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.group.GroupFrame;
import io.sdds.brick.group.MemberLog;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;

/**
 * Layout of the frames by which a parity member that joins copies a column from the column's primary. Little endian.
 * The header is that of {@link GroupFrame}; the epoch is the epoch of the column. All frames have these fields:
 *
 * <pre>
 * 24 u8  kind   25 3 bytes 0
 * 28 i32 attempt of the joining member, from 1 on
 * 32 i64 id of the order
 * 40 i64 cursor: where a slice begins. An answer repeats the cursor of its request
 * 48 i64 seq
 * </pre>
 *
 * <pre>
 * JOIN_WANTED  joining member to primary; seq is 0 but for RESULTS
 *                1 BEGIN    wants the log from now on
 *                2 RECORDS  wants the records from rank {@code cursor} on
 *                3 RESULTS  wants the results from the write {@code seq} of session {@code cursor} on
 *                4 KEEP     wants nothing now, and needs the log
 *                5 VOTE     has copied all columns, and wants its votes to count
 * JOIN         primary to joining member
 *                1 BEGIN    the log begins behind {@code seq}
 *                2 RECORDS  records as all entries up to {@code seq} have left them
 *                            56 i32 rank where the next slice begins, -1 after the last slice   60 i32 count
 *                            64 for each record: i32 rank, i32 fingerprint, i32 length, the coded record
 *                3 RESULTS  results; seq as requested
 *                            56 i64 session and 64 i64 seq where the next slice begins; -1, 0 after the last slice
 *                            72 i64 version of the column   80 i64 its logical time   88 i32 count   92 i32 0
 *                            96 the results ({@link io.sdds.brick.parity.member.ResultSlice})
 *                5 VOTE     the member's votes count from now on
 *                6 AGAIN    the primary does not keep the log for this attempt
 * </pre>
 */
final class JoinFrame {
    static final int KIND = 24;
    static final int ATTEMPT = 28;
    static final int ORDER = 32;
    static final int CURSOR = 40;
    static final int SEQ = 48;
    static final int BODY = 56;

    static final byte BEGIN = 1;
    static final byte RECORDS = 2;
    static final byte RESULTS = 3;
    static final byte KEEP = 4;
    static final byte VOTE = 5;
    static final byte AGAIN = 6;

    /** The cursor behind the last slice. */
    static final int END = -1;

    static final int RECORDS_COUNT = 60;
    static final int RECORDS_BODY = 64;
    static final int RECORD_HEADER = 12;

    static final int RESULTS_NEXT_SEQ = 64;
    static final int RESULTS_VERSION = 72;
    static final int RESULTS_TIME = 80;
    static final int RESULTS_COUNT = 88;
    static final int RESULTS_BODY = 96;

    private JoinFrame() {}

    /** The fields that all frames share, behind the header. */
    record Head(byte kind, int attempt, long order, long cursor, long seq) {
        static Head read(ByteBuf frame, int index) {
            return new Head(
                    frame.getByte(index + KIND),
                    frame.getIntLE(index + ATTEMPT),
                    frame.getLongLE(index + ORDER),
                    frame.getLongLE(index + CURSOR),
                    frame.getLongLE(index + SEQ));
        }

        /** The head of an answer to a request of this head. */
        Head answer(byte ofKind, long ofSeq) {
            return new Head(ofKind, attempt, order, cursor, ofSeq);
        }

        private void write(ByteBuf out) {
            out.writeIntLE(kind)
                    .writeIntLE(attempt)
                    .writeLongLE(order)
                    .writeLongLE(cursor)
                    .writeLongLE(seq);
        }
    }

    /**
     * Checks that a frame has {@code count} parts of at least {@code bytes} bytes each behind {@code at}.
     *
     * @throws ProtocolViolation if the frame is shorter
     */
    static void need(long count, int bytes, int at, int end) {
        if (count < 0 || at + count * bytes > end) {
            throw new ProtocolViolation("frame of a joining parity member ends early");
        }
    }

    static void wanted(Link link, int table, int column, long epoch, Head head) {
        begin(link, BODY, Opcode.JOIN_WANTED, table, column, epoch, head);
        link.commit();
    }

    /** An answer without a body. */
    static void bare(Link link, int columns, MemberLog of, Head head) {
        answer(link, BODY, columns, of, head);
        link.commit();
    }

    /**
     * Begins an answer, of which the caller writes the rest and then calls {@link Link#commit}.
     *
     * @param length bytes of the whole frame
     * @param columns m
     */
    static ByteBuf answer(Link link, int length, int columns, MemberLog of, Head head) {
        return begin(link, length, Opcode.JOIN | columns << 16, of.table(), of.number(), of.epoch(), head);
    }

    private static ByteBuf begin(Link link, int length, int opcode, int table, int column, long epoch, Head head) {
        ByteBuf out = link.claim(length);
        GroupFrame.begin(out, length, opcode, table, column, epoch);
        head.write(out);
        return out;
    }
}
