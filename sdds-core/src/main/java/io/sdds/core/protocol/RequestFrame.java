package io.sdds.core.protocol;

import io.netty.buffer.ByteBuf;

/**
 * Layout of a request. Little endian; offsets from the frame's start.
 *
 * <pre>
 *  0 i32 length of the frame, this field included
 *  4 u8  opcode
 *  5 u8  flags: {@link #FLAG_TTL} 1, {@link #FLAG_VERSION} 2, {@link #FLAG_HEAD} 4, {@link #FLAG_DESCENDING} 8,
 *        {@link #FLAG_INCLUSIVE} 16,
 *        {@link #FLAG_END_INCLUSIVE} 32, {@link #FLAG_MULTICAST} 64, {@link #FLAG_TEACH} 128;
 *        of a RANGE {@link #FLAG_PARALLEL} 1,
 *        {@link #FLAG_FOUND_ONLY} 2; of an INCREMENT {@link #FLAG_INT64} 4
 *  6 u8  addressing forwards so far (≤ 2)
 *  7 u8  forwards of any kind so far (≤ 8)
 *  8 i32 correlation id, chosen by the sender for this link
 * 12 i32 table
 * 16 i32 partition addressed
 * 20 i32 milliseconds left until the deadline
 * 24 i64 map version by which it was addressed
 * 32 u16 key length; 0 in requests about an interval
 * 34 u16 0
 * 36     reads: body
 * 36 i32 writes: seq − low
 * 40 i64 writes: session
 * 48 i64 writes: seq
 * 56     writes: body
 * </pre>
 *
 * Bodies. GET, REMOVE: key. PUT, PUT_IF_ABSENT, REPLACE: key, value (the rest of the frame). INCREMENT: key, i64 delta.
 * COMPARE_AND_SET: key, i32 length of the expected value, expected value, new value. SCAN: i64 from, i64 end, i32 most
 * bytes to answer, u8 {@link #SCAN_RECORDS what}, filter. SIZE, CLEAR: i64 from, i64 end. TOUCH: key. UPDATE: key,
 * program ({@link io.sdds.core.query.ProgramCodec}) that writes or removes. Only for links with
 * {@link Features#UPDATES}. PROGRAM: i64, i64 hash ({@link io.sdds.core.query.ProgramHash}), i32 length of the program,
 * i32 offset of the part, the part. Only for links with {@link Features#KEPT_PROGRAMS}; table and partition mean
 * nothing, and the brick at the other end takes it.
 *
 * <p>With FLAG_VERSION (REPLACE, REMOVE, TOUCH) an i64 stands behind the key: the write takes effect only if the record
 * has this version. With FLAG_TTL (PUT, PUT_IF_ABSENT, REPLACE, COMPARE_AND_SET, INCREMENT, TOUCH) another i64 follows:
 * milliseconds the record is to live from now on, 0 for ever. A GET with FLAG_TTL asks for the time it has left, with
 * FLAG_HEAD for no value; nothing stands behind its key.
 *
 * <p>RANGE, RANGE_CLEAR (range tables): the key is where the range begins, on the side from which it is walked; with
 * {@link #FLAG_INCLUSIVE} it is part of it, and an empty one is the end of all keys. Behind it u16 length of the key at
 * which the range ends, that key (empty: the other end of all keys; part of it with {@link #FLAG_END_INCLUSIVE}); of a
 * RANGE i32 most bytes to answer, i32 most records, u8 {@link #SCAN_RECORDS what}, filter. With
 * {@link #FLAG_DESCENDING} a RANGE is walked from high to low keys.
 */
public final class RequestFrame {
    public static final int LENGTH = 0;
    public static final int OPCODE = 4;
    public static final int FLAGS = 5;
    public static final int ADDRESSING_HOPS = 6;
    public static final int HOPS = 7;
    public static final int CORRELATION = 8;
    public static final int TABLE = 12;
    public static final int PARTITION = 16;
    public static final int DEADLINE_MILLIS = 20;
    public static final int MAP_VERSION = 24;
    public static final int KEY_LENGTH = 32;
    public static final int READ_BODY = 36;
    public static final int LOW_DISTANCE = 36;
    public static final int SESSION = 40;
    public static final int SEQ = 48;
    public static final int WRITE_BODY = 56;

    /** A write carries the time to live of the record; a read asks for the time left. */
    public static final int FLAG_TTL = 1;
    /** A write takes effect only on a record of the version it names. */
    public static final int FLAG_VERSION = 2;
    /** A GET without the value in its answer. */
    public static final int FLAG_HEAD = 4;
    /**
     * An INCREMENT of a counter of eight bytes: the number with its sign bit inverted, big endian, so that the order of
     * the bytes is the order of the numbers. Without this flag a counter is decimal text.
     */
    public static final int FLAG_INT64 = 4;

    /** A RANGE is walked from high to low keys. */
    public static final int FLAG_DESCENDING = 8;
    /** The key at which a range begins is part of it. */
    public static final int FLAG_INCLUSIVE = 16;
    /** The key at which a range ends is part of it. */
    public static final int FLAG_END_INCLUSIVE = 32;

    /**
     * A request to all bricks of a range table. The brick that has the key, or the beginning of the range, answers; the
     * other bricks do not.
     */
    public static final int FLAG_MULTICAST = 64;
    /** The answer of a range table carries the span of its partition even if the request was not forwarded. */
    public static final int FLAG_TEACH = 128;
    /**
     * A multicast RANGE: each partition that has keys of the range answers for its own keys. Without MULTICAST, from
     * brick to brick: the part of a parallel RANGE that begins where a partition's keys began.
     */
    public static final int FLAG_PARALLEL = 1;
    /** A {@link #FLAG_PARALLEL} RANGE that only partitions with records of the range answer. */
    public static final int FLAG_FOUND_ONLY = 2;

    private static final int FLAGS_OF_RANGE_TABLES = FLAG_MULTICAST | FLAG_TEACH;

    /** SCAN answers with records. */
    public static final byte SCAN_RECORDS = 0;
    /** SCAN answers with keys and empty values. */
    public static final byte SCAN_KEYS = 1;
    /** SCAN answers with the number of matching records alone. */
    public static final byte SCAN_COUNT = 2;

    /**
     * SCAN answers with the tuples that a shipped program computes. The program stands in the place of the filter. Only
     * for links with {@link Features#PROGRAMS}.
     */
    public static final byte SCAN_PROGRAM = 3;

    /**
     * SCAN answers with records, their versions and the times they have left to live. Only with
     * {@link Features#VERSIONED_SCANS}.
     */
    public static final byte SCAN_VERSIONED = 4;

    /**
     * SCAN answers as for {@link #SCAN_PROGRAM}, with a program that the brick keeps. In the place of the filter stands
     * its hash. Only with {@link Features#KEPT_PROGRAMS}.
     */
    public static final byte SCAN_KEPT_PROGRAM = 5;

    /**
     * A flag in the byte that says what a SCAN or RANGE answers with: before the program stands u16 length and a bound,
     * the values of the program's order as a tuple ({@link io.sdds.core.query.TupleCodec}). Rows that are not before
     * the bound are not answered. Only with a program, for programs with the output TOP, and for links with
     * {@link Features#TOP_BOUNDS}.
     */
    public static final byte SCAN_BOUND = 64;

    /** Length of a SCAN body before its filter. */
    public static final int SCAN_BODY = 21;
    /** Length of a SIZE or CLEAR body. */
    public static final int INTERVAL_BODY = 16;

    /** Offset of the length of the program in the body of a PROGRAM; its hash is before. */
    public static final int PROGRAM_LENGTH = 16;

    /** Offset of the offset of the part in the body of a PROGRAM. */
    public static final int PROGRAM_OFFSET = 20;

    /** Length of a PROGRAM body before the part. */
    public static final int PROGRAM_BODY = 24;

    /** Length of the fields between the end key of a RANGE and its filter. */
    public static final int RANGE_BODY = 9;

    private RequestFrame() {}

    /** Whether a SCAN or RANGE answers with what a program computes. */
    public static boolean isProgram(byte what) {
        return (what & ~SCAN_BOUND) == SCAN_PROGRAM || isKeptProgram(what);
    }

    /** Whether a SCAN or RANGE names a program that the brick should keep. */
    public static boolean isKeptProgram(byte what) {
        return (what & ~SCAN_BOUND) == SCAN_KEPT_PROGRAM;
    }

    /** Offset of the body of a request. */
    public static int body(byte opcode) {
        return Opcode.isWrite(opcode) ? WRITE_BODY : READ_BODY;
    }

    /** Appends the 36 bytes that begin all requests; {@code length} is the length of the whole frame. */
    public static void writeHeader(
            ByteBuf out,
            int length,
            byte opcode,
            int flags,
            int correlation,
            int table,
            int partition,
            int deadlineMillis,
            long mapVersion,
            int keyLength) {
        out.writeIntLE(length);
        out.writeIntLE(opcode | flags << 8);
        out.writeIntLE(correlation);
        out.writeIntLE(table);
        out.writeIntLE(partition);
        out.writeIntLE(deadlineMillis);
        out.writeLongLE(mapVersion);
        out.writeIntLE(keyLength);
    }

    /** Appends a write's request id, after the header. */
    public static void writeRequestId(ByteBuf out, long session, long seq, long low) {
        out.writeIntLE((int) (seq - low));
        out.writeLongLE(session);
        out.writeLongLE(seq);
    }

    /**
     * Writes a CANCEL, which all stages of the brick get.
     *
     * @param correlation correlation id of the request whose answer is no longer needed
     */
    public static void writeCancel(ByteBuf out, int correlation) {
        writeHeader(out, READ_BODY, Opcode.CANCEL, FLAG_MULTICAST, correlation, 0, 0, 0, 0, 0);
    }

    /** Number of bytes that the flags of a write put between key and value. */
    public static int termBytes(int flags) {
        return ((flags & FLAG_TTL) + (flags >>> 1 & 1)) * Long.BYTES;
    }

    private static boolean flagsFit(byte opcode, int flags) {
        return (flags & ~(Opcode.flags(opcode) | FLAGS_OF_RANGE_TABLES)) == 0
                && (opcode != Opcode.TOUCH || (flags & FLAG_TTL) != 0);
    }

    /**
     * The reason why a frame is no valid request, or null when its lengths agree. After this check every field may be
     * read.
     *
     * @param index index at which the frame begins
     */
    public static @org.jspecify.annotations.Nullable String problem(ByteBuf frame, int index, int length) {
        byte opcode = frame.getByte(index + OPCODE);
        int body = body(opcode);
        if (length < body) {
            return "request of " + length + " bytes is shorter than its header";
        }
        int keyLength = frame.getUnsignedShortLE(index + KEY_LENGTH);
        if (Opcode.isInterval(opcode)) {
            return intervalProblem(frame, index, opcode, length - body, keyLength);
        }
        if (Opcode.isRange(opcode)) {
            return rangeFits(frame, index, opcode, index + body + keyLength, index + length)
                    ? null
                    : "range request with a wrong length or flags";
        }
        if (opcode == Opcode.PROGRAM) {
            boolean plain = frame.getByte(index + FLAGS) == 0 && keyLength == 0;
            return plain && programFits(frame, index + body, length - body)
                    ? null
                    : "part of a program with a wrong length or flags";
        }
        if (opcode == Opcode.CANCEL) {
            boolean fits = length == READ_BODY && frame.getByte(index + FLAGS) == FLAG_MULTICAST && keyLength == 0;
            return fits ? null : "cancel with a wrong length or flags";
        }
        if (keyLength == 0) {
            return "empty key";
        }
        int flags = frame.getUnsignedByte(index + FLAGS);
        if ((flags != 0 || opcode == Opcode.TOUCH) && !flagsFit(opcode, flags)) {
            return "opcode " + opcode + " with flags " + flags;
        }
        int terms = opcode == Opcode.GET ? 0 : termBytes(flags);
        return valuePartFits(frame, index + body + keyLength + terms, opcode, length - body - keyLength - terms)
                ? null
                : "lengths in the request don't add up";
    }

    private static boolean rangeFits(ByteBuf frame, int index, byte opcode, int at, int end) {
        if (!flagsFit(opcode, frame.getUnsignedByte(index + FLAGS)) || end - at < Short.BYTES) {
            return false;
        }
        int rest = end - at - Short.BYTES - frame.getUnsignedShortLE(at);
        return opcode == Opcode.RANGE
                ? rest >= RANGE_BODY && boundFits(frame, end - rest + RANGE_BODY, rest - RANGE_BODY)
                : rest == 0;
    }

    /**
     * Whether a bound stands where the byte before says that there is one.
     *
     * @param at index behind the byte that says what a SCAN or RANGE answers with
     */
    private static boolean boundFits(ByteBuf frame, int at, int rest) {
        byte what = frame.getByte(at - 1);
        return (what & SCAN_BOUND) == 0
                || isProgram(what) && rest >= Short.BYTES && rest - Short.BYTES >= frame.getUnsignedShortLE(at);
    }

    private static boolean programFits(ByteBuf frame, int at, int bodyLength) {
        int part = bodyLength - PROGRAM_BODY;
        if (part < 1 || part > Limits.PROGRAM_PART_BYTES_MAX) {
            return false;
        }
        int program = frame.getIntLE(at + PROGRAM_LENGTH);
        int offset = frame.getIntLE(at + PROGRAM_OFFSET);
        return program <= Limits.PROGRAM_BYTES_MAX && offset >= 0 && offset <= program - part;
    }

    private static @org.jspecify.annotations.Nullable String intervalProblem(
            ByteBuf frame, int index, byte opcode, int bodyLength, int keyLength) {
        int flags = frame.getByte(index + FLAGS);
        if (flags != 0) {
            return "opcode " + opcode + " with flags " + flags;
        }
        boolean fits = opcode == Opcode.SCAN
                ? bodyLength >= SCAN_BODY && boundFits(frame, index + READ_BODY + SCAN_BODY, bodyLength - SCAN_BODY)
                : bodyLength == INTERVAL_BODY;
        return keyLength != 0 || !fits ? "interval request with a wrong length" : null;
    }

    private static boolean valuePartFits(ByteBuf frame, int at, byte opcode, int rest) {
        return switch (opcode) {
            case Opcode.GET, Opcode.REMOVE, Opcode.TOUCH -> rest == 0;
            case Opcode.INCREMENT -> rest == Long.BYTES;
            case Opcode.UPDATE -> rest > 0 && rest <= Limits.FILTER_BYTES_MAX;
            case Opcode.COMPARE_AND_SET -> {
                if (rest < Integer.BYTES) {
                    yield false;
                }
                int expected = frame.getIntLE(at);
                int value = rest - Integer.BYTES - expected;
                yield expected >= 0
                        && expected <= Limits.VALUE_BYTES_MAX
                        && value >= 0
                        && value <= Limits.VALUE_BYTES_MAX;
            }
            default -> rest >= 0 && rest <= Limits.VALUE_BYTES_MAX;
        };
    }
}
