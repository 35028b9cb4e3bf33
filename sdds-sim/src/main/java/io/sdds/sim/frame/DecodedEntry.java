package io.sdds.sim.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.sdds.core.model.KeySpan;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a group's log, as a PREPARE frame has it. The class {@code Entry} of the brick has the layout.
 *
 * @param version of the record put, else the partition's
 * @param session 0: the entry is not of a client's write
 * @param key of a PUT or REMOVE; else empty
 * @param body the bytes behind the key: the value of a PUT, the bounds of a CLEAR, the keys that a HANDOVER, SUBSUME or
 *     ABSORB moves, what {@link DecodedDeltas} reads
 */
public record DecodedEntry(
        byte kind,
        byte status,
        long epoch,
        long version,
        long timeNanos,
        long session,
        long seq,
        long low,
        long result,
        long expiryNanos,
        long hash,
        byte[] key,
        byte[] body) {
    static final byte NOTHING = 0;
    static final byte PUT = 1;
    static final byte REMOVE = 2;
    public static final byte CLEAR = 3;
    public static final byte HANDOVER = 4;
    public static final byte SUBSUME = 5;
    public static final byte ABSORB = 6;
    static final byte DROP = 7;
    public static final byte DELTA = 8;
    public static final byte DELTA_REMOVE = 9;
    public static final byte DELTA_DROP = 10;
    static final byte RERANK = 11;
    public static final byte DELTA_RERANK = 12;

    private static final int KIND = 4;
    private static final int STATUS = 5;
    private static final int KEY_LENGTH = 6;
    private static final int EPOCH = 8;
    private static final int VERSION = 16;
    private static final int TIME = 24;
    private static final int SESSION = 32;
    private static final int SEQ = 40;
    private static final int LOW = 48;
    private static final int RESULT = 56;
    private static final int EXPIRY = 64;
    private static final int HASH = 72;
    private static final int KEY = 80;

    /** Kind and epoch of an entry. */
    public record Head(byte kind, long epoch) {
        static final int BYTES = 16;

        static Head read(ByteBuf frame, int at) {
            return new Head(frame.getByte(at + KIND), frame.getLongLE(at + EPOCH));
        }

        /** Whether the entry moves keys to another partition. */
        public boolean changesOwner() {
            return kind >= HANDOVER && kind <= ABSORB;
        }
    }

    /**
     * The keys that are moved by a HANDOVER, SUBSUME or ABSORB.
     *
     * @param level of the parent while there is no child
     * @param parentNanos of a SUBSUME: logical time of the parent; else 0
     * @param span of a range table; of a hash table all keys
     */
    public record Moving(long migration, long level, long parentNanos, KeySpan span) {}

    /**
     * The bounds of a CLEAR in a range table.
     *
     * @param ends which bounds are keys of the range: 1 the lower, 2 the upper
     */
    public record Bounds(long ends, byte[] low, byte[] high) {}

    static DecodedEntry read(ByteBuf frame, int at, int end) {
        int length = end - at < KEY ? 0 : lengthAt(frame, at);
        int keyLength = length < KEY ? 0 : frame.getUnsignedShortLE(at + KEY_LENGTH);
        if (length < KEY + keyLength || length > end - at) {
            throw new IllegalArgumentException("an entry of " + length + " bytes, " + (end - at) + " are left");
        }
        return new DecodedEntry(
                frame.getByte(at + KIND),
                frame.getByte(at + STATUS),
                frame.getLongLE(at + EPOCH),
                frame.getLongLE(at + VERSION),
                frame.getLongLE(at + TIME),
                frame.getLongLE(at + SESSION),
                frame.getLongLE(at + SEQ),
                frame.getLongLE(at + LOW),
                frame.getLongLE(at + RESULT),
                frame.getLongLE(at + EXPIRY),
                frame.getLongLE(at + HASH),
                ByteBufUtil.getBytes(frame, at + KEY, keyLength),
                ByteBufUtil.getBytes(frame, at + KEY + keyLength, length - KEY - keyLength));
    }

    static int lengthAt(ByteBuf frame, int at) {
        int length = frame.getIntLE(at);
        if (length < KEY) {
            throw new IllegalArgumentException("an entry of " + length + " bytes");
        }
        return length;
    }

    int length() {
        return KEY + key.length + body.length;
    }

    void write(ByteBuf out) {
        out.writeIntLE(length()).writeByte(kind).writeByte(status).writeShortLE(key.length);
        out.writeLongLE(epoch).writeLongLE(version).writeLongLE(timeNanos);
        out.writeLongLE(session).writeLongLE(seq).writeLongLE(low);
        out.writeLongLE(result).writeLongLE(expiryNanos).writeLongLE(hash);
        out.writeBytes(key).writeBytes(body);
    }

    /** Whether the entry puts or removes one record. */
    public boolean isOfKey() {
        return kind == PUT || kind == REMOVE;
    }

    DecodedEntry withBody(byte[] other) {
        return new DecodedEntry(
                kind, status, epoch, version, timeNanos, session, seq, low, result, expiryNanos, hash, key, other);
    }

    public DecodedEntry withSession(long other) {
        return new DecodedEntry(
                kind, status, epoch, version, timeNanos, other, seq, low, result, expiryNanos, hash, key, body);
    }

    public DecodedEntry withResult(long other) {
        return new DecodedEntry(
                kind, status, epoch, version, timeNanos, session, seq, low, other, expiryNanos, hash, key, body);
    }

    public DecodedEntry withTimeNanos(long other) {
        return new DecodedEntry(
                kind, status, epoch, version, other, session, seq, low, result, expiryNanos, hash, key, body);
    }

    /** The entry with its result and without its effect. */
    public DecodedEntry asNothing() {
        return new DecodedEntry(
                NOTHING,
                status,
                epoch,
                version,
                timeNanos,
                session,
                seq,
                low,
                result,
                expiryNanos,
                hash,
                new byte[0],
                new byte[0]);
    }

    // ---- keys that an entry moves

    /** The keys that the entry moves; null for an entry of another kind. */
    @Nullable
    public Moving moving() {
        if (kind < HANDOVER || kind > ABSORB) {
            return null;
        }
        ByteBuf in = Unpooled.wrappedBuffer(body);
        long migration = in.readLongLE();
        long level = in.readLongLE();
        long parentNanos = kind == SUBSUME ? in.readLongLE() : 0;
        return new Moving(migration, level, parentNanos, in.isReadable() ? span(in) : KeySpan.ALL);
    }

    private static KeySpan span(ByteBuf in) {
        byte[] low = new byte[in.readUnsignedShortLE()];
        in.readBytes(low);
        byte[] high = new byte[in.readableBytes()];
        in.readBytes(high);
        return new KeySpan(low, high);
    }

    /** This entry, of a kind that moves keys, with other keys. */
    public DecodedEntry withMoving(Moving other) {
        ByteBuf out = Unpooled.buffer();
        out.writeLongLE(other.migration()).writeLongLE(other.level());
        if (kind == SUBSUME) {
            out.writeLongLE(other.parentNanos());
        }
        if (!other.span().equals(KeySpan.ALL)) {
            out.writeShortLE(other.span().low().length);
            out.writeBytes(other.span().low()).writeBytes(other.span().high());
        }
        return withBody(ByteBufUtil.getBytes(out));
    }

    // ---- clears of range tables

    /** The bounds of a CLEAR of a range table. */
    Bounds bounds() {
        ByteBuf in = Unpooled.wrappedBuffer(body);
        long ends = in.readLongLE();
        byte[] low = new byte[(int) in.readLongLE()];
        in.readBytes(low);
        byte[] high = new byte[in.readableBytes()];
        in.readBytes(high);
        return new Bounds(ends, low, high);
    }

    /** This entry, a CLEAR of a range table, with other bounds. */
    public DecodedEntry withBounds(Bounds other) {
        ByteBuf out = Unpooled.buffer();
        out.writeLongLE(other.ends()).writeLongLE(other.low().length);
        out.writeBytes(other.low()).writeBytes(other.high());
        return withBody(ByteBufUtil.getBytes(out));
    }

    // ---- text

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(
                switch (kind) {
                    case NOTHING -> "NOTHING";
                    case PUT -> "PUT " + FrameText.bytes(key) + " = " + FrameText.bytes(body);
                    case REMOVE -> "REMOVE " + FrameText.bytes(key);
                    case CLEAR -> "CLEAR x" + ByteBufUtil.hexDump(body);
                    case HANDOVER, SUBSUME, ABSORB -> owners();
                    case DROP -> "DROP " + DecodedDeltas.text(this);
                    case DELTA -> "DELTA " + DecodedDeltas.text(this);
                    case DELTA_REMOVE -> "DELTA_REMOVE " + DecodedDeltas.text(this);
                    case DELTA_DROP -> "DELTA_DROP " + DecodedDeltas.text(this);
                    case RERANK -> "RERANK x" + ByteBufUtil.hexDump(body);
                    case DELTA_RERANK -> "DELTA_RERANK " + DecodedDeltas.text(this);
                    default -> "kind " + kind;
                });
        text.append(" of epoch ").append(epoch).append(" v").append(version);
        if (session != 0) {
            text.append(" id ")
                    .append(session)
                    .append('/')
                    .append(seq)
                    .append('-')
                    .append(seq - low);
            text.append(' ').append(FrameText.status(status)).append(' ').append(result);
        }
        return text.append(expiryNanos == 0 ? "" : " until " + FrameText.time(expiryNanos))
                .append(" at ")
                .append(FrameText.time(timeNanos))
                .toString();
    }

    private String owners() {
        Moving moving = moving();
        String name = kind == HANDOVER ? "HANDOVER" : kind == SUBSUME ? "SUBSUME" : "ABSORB";
        return moving == null
                ? name
                : name + " migration " + moving.migration() + " level " + moving.level()
                        + (moving.span().equals(KeySpan.ALL) ? "" : " span " + moving.span());
    }
}
