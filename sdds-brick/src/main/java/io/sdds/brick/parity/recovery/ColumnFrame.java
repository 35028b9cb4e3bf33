package io.sdds.brick.parity.recovery;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.group.GroupFrame;
import io.sdds.brick.parity.decoding.RecordDecoder;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;

/**
 * Layout of the frames by which the spare of a lost column gets the column from the parity members of its group. Little
 * endian. The header is that of {@link GroupFrame}. The spare sends COLUMN_WANTED to a parity member, with m in the
 * header, and the parity member answers with COLUMN. All these frames go on with
 *
 * <pre>
 * 24 i64 id of the recovery order
 * </pre>
 *
 * <p>With flag 0 the frames are about the state of the column, which the lead has: the parity member that leads the
 * column's log. The spare asks with a cursor, and the answer repeats this cursor:
 *
 * <pre>
 * 32 i32 part: 0 fingerprints, 1 results, 2 totals   36 i32 the first rank that is wanted
 * 40 i64 results: the first session that is wanted; fingerprints: how many frames may come without another request
 * 48 i64 the first seq of this session that is wanted; 0: its low, too
 * </pre>
 *
 * <p>So the lead answers a request for fingerprints with several frames. The cursor of each frame is the next cursor of
 * the frame before. The spare asks again when the next cursor allows no frame without a request.
 *
 * <pre>
 * COLUMN_WANTED  nothing more
 * COLUMN         56 i32, 60 i32, 64 i64, 72 i64: the next cursor, in the same order
 *                fingerprints: 80 i32 rank, then i32 for this rank and for each of the next ranks: the fingerprint of
 *                  the column's record, or 0 if the column has no record there
 *                results: 80 the results ({@link io.sdds.brick.parity.member.ResultSlice})
 *                totals: 80 i64 seq of the last entry of the column's log, which is committed   88 i64 version
 *                  96 i64 logical time   104 i64 number of ranks at which the column has a record
 *                  112 i64 the migration of the log's last ABSORB, or 0; nothing in frames of older builds
 * </pre>
 *
 * <p>With flag 1 the frames are about records, which the first present parity member decodes:
 *
 * <pre>
 * COLUMN_WANTED  32 i32 number of the request, given by the spare   36 i32 number of ranks
 *                40 i32 for each rank, in ascending order
 * COLUMN         32 i32 number of the request   36 i32 number n of records, the records of the first n ranks of the
 *                request; 0: the parity member can't decode now
 *                40 for each record: i32 rank, i32 length, the coded record. Length 0: the column has no record there
 * </pre>
 */
final class ColumnFrame {
    static final int ORDER = 24;
    static final int PART = 32;
    static final int RANK = 36;
    static final int SESSION = 40;
    static final int SEQ = 48;
    static final int CURSOR_END = 56;
    static final int BODY = 80;
    static final int TOTALS_BYTES_MIN = 32;
    static final int TOTALS_BYTES = 40;
    static final int REQUEST = 32;
    static final int COUNT = 36;
    static final int RANKS = 40;

    /** Bytes before the coded record of a rank. */
    static final int RECORD_HEADER = 8;

    /** Most bytes of the state of a column in a frame. Also of decoded records, but for a single longer record. */
    static final int BYTES_MAX = 64 << 10;

    /** Most frames with fingerprints that answer one request: the fingerprints of a quarter of a million ranks. */
    static final int FRAMES_MAX = 16;

    static final int FINGERPRINTS = 0;
    static final int RESULTS = 1;
    static final int TOTALS = 2;

    /** Flag of the frames that are about records. */
    static final int FLAG_RECORDS = 1;

    private ColumnFrame() {}

    /**
     * How much of a column's state the spare has.
     *
     * @param part {@link #FINGERPRINTS}, {@link #RESULTS} or {@link #TOTALS}
     * @param rank the first rank whose fingerprint is wanted
     * @param session the first session whose results are wanted; for fingerprints the number of {@link #frames}
     * @param seq the first seq of that session
     */
    record Cursor(int part, int rank, long session, long seq) {
        /** The cursor that asks for the fingerprints from a rank on, in so many frames at most. */
        static Cursor fingerprints(int rank, long frames) {
            return new Cursor(FINGERPRINTS, rank, frames, 0);
        }

        /** How many frames with fingerprints may come without another request; 0 of another part. */
        long frames() {
            return part == FINGERPRINTS ? session : 0;
        }

        /** Reads a cursor that stands at an offset of a frame. */
        static Cursor read(ByteBuf frame, int at) {
            return new Cursor(
                    frame.getIntLE(at), frame.getIntLE(at + 4), frame.getLongLE(at + 8), frame.getLongLE(at + 16));
        }

        private void write(ByteBuf out) {
            out.writeIntLE(part).writeIntLE(rank).writeLongLE(session).writeLongLE(seq);
        }
    }

    /**
     * The column that a frame is about.
     *
     * @param number of the data partition
     * @param epoch in which the sender believes the column to be
     * @param order id of the recovery order
     */
    record Subject(int table, int number, long epoch, long order) {
        /** Reads the subject of a frame, and checks that the frame has all fields of its kind in front. */
        static Subject read(ByteBuf frame, int index, int length) {
            boolean answer = length > GroupFrame.COLUMNS && frame.getByte(index + 4) == Opcode.COLUMN;
            boolean records = length > GroupFrame.COLUMNS && isOfRecords(frame, index);
            need(records ? RANKS : answer ? BODY : CURSOR_END, 0, length);
            return new Subject(
                    frame.getIntLE(index + GroupFrame.TABLE),
                    frame.getIntLE(index + GroupFrame.PARTITION),
                    frame.getLongLE(index + GroupFrame.EPOCH),
                    frame.getLongLE(index + ORDER));
        }
    }

    /** Whether a frame is about records; else it is about the state of the column. */
    static boolean isOfRecords(ByteBuf frame, int index) {
        return (frame.getByte(index + GroupFrame.FLAGS) & FLAG_RECORDS) != 0;
    }

    /** Checks that so many bytes are left in a frame. */
    static void need(long bytes, int at, int end) {
        if (bytes < 0 || at + bytes > end) {
            throw new ProtocolViolation("frame of a column ends early");
        }
    }

    /** @param columns m, because the receiver is a parity member */
    static void stateWanted(Link link, Subject of, int columns, Cursor cursor) {
        ByteBuf out = link.claim(CURSOR_END);
        begin(out, CURSOR_END, Opcode.COLUMN_WANTED | columns << 16, of);
        cursor.write(out);
        link.commit();
    }

    /**
     * Begins an answer about the state of a column, behind which the caller writes the body and then calls
     * {@link Link#commit}.
     *
     * @param bodyBytes of the body
     */
    static ByteBuf state(Link link, Subject of, Cursor cursor, Cursor next, int bodyBytes) {
        ByteBuf out = link.claim(BODY + bodyBytes);
        begin(out, BODY + bodyBytes, Opcode.COLUMN, of);
        cursor.write(out);
        next.write(out);
        return out;
    }

    /** @param columns m, because the receiver is a parity member */
    static void recordsWanted(Link link, Subject of, int columns, int request, int[] ranks, int count) {
        int length = RANKS + count * Integer.BYTES;
        ByteBuf out = link.claim(length);
        begin(out, length, Opcode.COLUMN_WANTED | FLAG_RECORDS << 8 | columns << 16, of);
        out.writeIntLE(request).writeIntLE(count);
        for (int k = 0; k < count; k++) {
            out.writeIntLE(ranks[k]);
        }
        link.commit();
    }

    /** The answer of a parity member that can't decode now. */
    static void noRecords(Link link, Subject of, int request) {
        ByteBuf out = link.claim(RANKS);
        begin(out, RANKS, Opcode.COLUMN | FLAG_RECORDS << 8, of);
        out.writeIntLE(request).writeIntLE(0);
        link.commit();
    }

    /**
     * Answers with the records of the first ranks of a request: as many as fit {@link #BYTES_MAX}, but at least one.
     * Damaged records are left out.
     */
    static void records(Link link, Subject of, int request, int[] ranks, RecordDecoder.Records records) {
        int length = RANKS;
        int count = 0;
        int end = 0;
        while (end < records.count() && (count == 0 || fits(length, records.length(end)))) {
            if (records.length(end) != RecordDecoder.DAMAGED) {
                length += RECORD_HEADER + records.length(end);
                count++;
            }
            end++;
        }
        ByteBuf out = link.claim(length);
        begin(out, length, Opcode.COLUMN | FLAG_RECORDS << 8, of);
        out.writeIntLE(request).writeIntLE(count);
        for (int k = 0; k < end; k++) {
            int bytes = records.length(k);
            if (bytes != RecordDecoder.DAMAGED) {
                out.writeIntLE(ranks[k]).writeIntLE(bytes);
                out.writeBytes(
                        records.memory(k).asSlice(records.offset(k), bytes).asByteBuffer());
            }
        }
        link.commit();
    }

    private static boolean fits(int length, int bytes) {
        return length + RECORD_HEADER + bytes <= BYTES_MAX;
    }

    private static void begin(ByteBuf out, int length, int opcode, Subject of) {
        GroupFrame.begin(out, length, opcode, of.table(), of.number(), of.epoch());
        out.writeLongLE(of.order());
    }
}
