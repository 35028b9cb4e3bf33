package io.sdds.core.protocol;

import io.netty.buffer.ByteBuf;

/**
 * Layout of a reply. Little endian; offsets from the frame's start.
 *
 * <pre>
 *  0 i32 length of the frame, this field included
 *  4 u8  opcode REPLY
 *  5 u8  flags: 1 = an image adjustment stands before the body, 2 = with the span of a range partition
 *  6 u8  status
 *  7 u8  forwards: low 4 bits addressing, high 4 bits all
 *  8 i32 correlation id of the request
 * 12     [image adjustment: i32 level j, i32 partition a, i64 map version, i32 brick
 *        [span: u16 length of λ, u16 of Λ, λ, Λ]]  body
 * </pre>
 *
 * Bodies. GET OK: i64 version, i64 milliseconds left to live if the request asked for them ({@link #FOR_EVER}: it
 * doesn't expire), value. Writes, OK, ABSENT or CONDITION_FALSE: i64 result (the record's new version; the counter of
 * an INCREMENT; for CLEAR the point reached); UPDATE_FAILED: i64 error. PROGRAM: i64 bytes of the program that the
 * brick has. BUSY: i32 hint in milliseconds. REDIRECT: i64 map version. BAD_REQUEST, QUERY_FAILED, UNSUPPORTED_PROGRAM:
 * text. SCAN: i64 point reached, i64 records that matched, then per record u16 key length, i32 value length, [i64
 * version, i64 milliseconds left to live if the request asked for them], key, value; of a program tuples in place of
 * the records. SIZE: i64 point reached, i64 records. RANGE: i64 records that matched, u8 {@link #RANGE_MORE how far it
 * came}, u16 length of the key reached, that key, then records as of a SCAN. RANGE_CLEAR: i64 1 when there is more to
 * clear, else 0; CONDITION_FALSE: no effect, the range is not the partition's alone, whose span the adjustment tells.
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

    /** The adjustment contains the span of a range partition. */
    public static final int FLAG_SPAN = 2;

    /** A RANGE goes on behind the key reached. */
    public static final byte RANGE_MORE = 0;

    /** A RANGE goes on at another partition: the key reached is the partition's Λ, or descending its λ. */
    public static final byte RANGE_PART_END = 1;

    /** A RANGE has reached its end. */
    public static final byte RANGE_END = 2;

    /** The time left of a record that does not expire. */
    public static final long FOR_EVER = -1;

    public static final int ADJUSTMENT_LEVEL = 12;
    public static final int ADJUSTMENT_PARTITION = 16;
    public static final int ADJUSTMENT_VERSION = 20;
    public static final int ADJUSTMENT_BRICK = 28;
    public static final int ADJUSTMENT = 20;

    /** Bytes of the lengths of a span. */
    public static final int SPAN_LENGTHS = 4;

    /** Bytes of a RANGE's answer before the key reached. */
    public static final int RANGE_HEADER = 11;

    /** Bytes before a scanned record's key, or before its version if the request asked for versions. */
    public static final int SCAN_RECORD_HEADER = 6;

    /** Bytes before a scanned record's key if the request asked for versions. */
    public static final int VERSIONED_RECORD_HEADER = SCAN_RECORD_HEADER + 2 * Long.BYTES;

    private ReplyFrame() {}

    /**
     * Index of the body of the reply at {@code index}. The index is behind the reply's end when the reply is shorter
     * than its adjustment.
     */
    public static int body(ByteBuf frame, int index) {
        int flags = frame.getByte(index + FLAGS);
        if ((flags & FLAG_ADJUSTMENT) == 0) {
            return index + HEADER;
        }
        int body = index + HEADER + ADJUSTMENT;
        if ((flags & FLAG_SPAN) == 0) {
            return body;
        }
        return HEADER + ADJUSTMENT + SPAN_LENGTHS > frame.getIntLE(index + LENGTH)
                ? body + SPAN_LENGTHS
                : body + SPAN_LENGTHS + frame.getUnsignedShortLE(body) + frame.getUnsignedShortLE(body + Short.BYTES);
    }

    /** Bytes before a scanned record's key in the answer to a request for {@link RequestFrame#SCAN_RECORDS what}. */
    public static int scanRecordHeader(byte what) {
        return what == RequestFrame.SCAN_VERSIONED ? VERSIONED_RECORD_HEADER : SCAN_RECORD_HEADER;
    }

    /** Appends a header; {@code length} is the length of the whole frame. */
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
