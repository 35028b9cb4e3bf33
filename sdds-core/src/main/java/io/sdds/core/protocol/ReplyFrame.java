package io.sdds.core.protocol;

import io.netty.buffer.ByteBuf;

/**
 * Layout of a reply. Little endian; offsets from the frame's start.
 *
 * <pre>
 *  0 i32 length of the frame, this field included
 *  4 u8  opcode REPLY
 *  5 u8  flags: 1 = an image adjustment stands before the body
 *  6 u8  status
 *  7 u8  forwards: low 4 bits addressing, high 4 bits all
 *  8 i32 correlation id of the request
 * 12     [image adjustment: i32 level j, i32 partition a, i64 map version, i32 brick]  body
 * </pre>
 *
 * Bodies. GET OK: i64 version, i64 milliseconds left to live if the request asked for them ({@link #FOR_EVER}: it doesn't expire), value. Writes, OK, ABSENT or CONDITION_FALSE: i64 result (the record's new version; the counter of an INCREMENT;
 * for CLEAR the point reached). BUSY: i32 hint in milliseconds. REDIRECT: i64 map version. BAD_REQUEST: text. SCAN: i64 point reached, i64 records
 * that matched, then per record u16 key length, i32 value length, key, value. SIZE: i64 point reached, i64 records.
 */
public final class ReplyFrame {
    public static final int LENGTH = 0;
    public static final int OPCODE = 4;
    public static final int FLAGS = 5;
    public static final int STATUS = 6;
    public static final int HOPS = 7;
    public static final int CORRELATION = 8;
    public static final int HEADER = 12;

    public static final int FLAG_ADJUSTMENT = 1;

    /** Time left of a record that doesn't expire. */
    public static final long FOR_EVER = -1;

    public static final int ADJUSTMENT_LEVEL = 12;
    public static final int ADJUSTMENT_PARTITION = 16;
    public static final int ADJUSTMENT_VERSION = 20;
    public static final int ADJUSTMENT_BRICK = 28;
    public static final int ADJUSTMENT = 20;

    /** Bytes before a scanned record's key. */
    public static final int SCAN_RECORD_HEADER = 6;

    private ReplyFrame() {}

    /** Where the body of the reply at {@code index} begins. */
    public static int body(ByteBuf frame, int index) {
        return index + HEADER + ((frame.getByte(index + FLAGS) & FLAG_ADJUSTMENT) == 0 ? 0 : ADJUSTMENT);
    }

    /** Appends a header; {@code length} is that of the whole frame. */
    public static void writeHeader(ByteBuf out, int length, int flags, byte status, int hops, int correlation) {
        out.writeIntLE(length);
        out.writeIntLE(Opcode.REPLY | flags << 8 | (status & 0xff) << 16 | hops << 24);
        out.writeIntLE(correlation);
    }

    /** The byte of both forward counts. */
    public static int hops(int addressing, int all) {
        return addressing & 15 | all << 4;
    }
}
