package io.sdds.brick.group;

import io.sdds.brick.memory.SegmentBytes;
import io.sdds.brick.partition.MovedKeys;
import io.sdds.brick.partition.Request;
import io.sdds.core.model.KeySpan;
import io.sdds.core.protocol.ProtocolViolation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Layout of a log entry: the effect of a write and its result, as the primary computed both. Little endian; the same in
 * the log and on the wire.
 *
 * <pre>
 *  0 i32 length of the entry, this field included
 *  4 u8  kind
 *  5 u8  status of the result
 *  6 u16 key length
 *  8 i64 epoch in which it was numbered
 * 16 i64 version of the record that is put, else of the partition
 * 24 i64 logical time T
 * 32 i64 session; 0 if the entry is no client's write and has no result
 * 40 i64 seq of the write
 * 48 i64 low of its session
 * 56 i64 value of the result
 * 64 i64 expiry
 * 72 i64 pseudo-key
 * 80     of PUT: key, value
 *        of REMOVE: key
 *        of CLEAR of a hash table: i64 from, i64 end
 *        of CLEAR of a range table: i64 which bounds are included (1 lower, 2 upper), i64 length of the lower bound,
 *        both bounds
 *        of HANDOVER and ABSORB: i64 migration, i64 level of the parent without the child
 *        of SUBSUME: i64 migration, i64 level of the parent without the child, i64 logical time of the parent
 *        of HANDOVER, ABSORB and SUBSUME of a range table, behind these fields: u16 length of λ, λ and Λ of the keys
 *        of DROP, for each record that is removed: i64 pseudo-key, i32 rank
 *        of RERANK, for each record that gets another rank: i64 pseudo-key, i32 rank, i32 next rank
 *        of DELTA and DELTA_REMOVE: i32 rank of the record, delta
 *        of DELTA_DROP, for each record that is removed: i32 rank, i32 length of the delta, delta
 *        of DELTA_RERANK, for each record that gets another rank: i32 rank, i32 next rank, i32 fingerprint, i32 length
 *        of the delta, delta
 * </pre>
 *
 * <p>A table with parity groups has two renderings of its log. The data member's log has PUT, REMOVE, DROP and RERANK.
 * The parity members' logs have DELTA, DELTA_REMOVE, DELTA_DROP and DELTA_RERANK with the same seqs instead. While the
 * table is being converted, the data members' logs have CLEAR, and the parity members' logs DELTA_DROP instead. A delta
 * is the coded record before the write, combined by XOR with the coded record after the write
 * ({@link io.sdds.brick.parity.records.CodedRecord}). A DELTA_RERANK changes two parity records by the same delta:
 * those of the rank and of the next rank.
 */
public final class Entry {
    public static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    public static final int LENGTH = 0;
    public static final int KIND = 4;
    static final int EPOCH = 8;
    public static final int VERSION = 16;
    public static final int TIME = 24;
    static final int SESSION = 32;
    static final int SEQ = 40;
    static final int LOW = 48;
    static final int RESULT = 56;
    public static final int EXPIRY = 64;
    public static final int HASH = 72;
    public static final int KEY = 80;

    /** Has a result or only a logical time, and no effect. */
    public static final byte NOTHING = 0;

    public static final byte PUT = 1;
    public static final byte REMOVE = 2;
    public static final byte CLEAR = 3;

    /** Some keys of the partition belong to the child of a split from here on. All members of its group have them. */
    public static final byte HANDOVER = 4;

    /** All keys of the partition belong to the parent from here on. All members of the parent's group have them. */
    public static final byte SUBSUME = 5;

    /** The keys of the partition's child, which all members have, belong to this partition from here on. */
    public static final byte ABSORB = 6;

    /** The records of some ranks are removed, in a table with parity groups. */
    public static final byte DROP = 7;

    /** At a parity member: a record was inserted or changed. */
    public static final byte DELTA = 8;

    /** At a parity member: a record was removed. */
    public static final byte DELTA_REMOVE = 9;

    /** At a parity member: the records of some ranks were removed. */
    public static final byte DELTA_DROP = 10;

    /** The records of some ranks get other ranks, in a table with parity groups. */
    public static final byte RERANK = 11;

    /** At a parity member: the records of some ranks got other ranks. */
    public static final byte DELTA_RERANK = 12;

    /** Delta in a DELTA or DELTA_REMOVE. The rank stands at {@link #KEY}. */
    public static final int DELTA_BYTES = KEY + Integer.BYTES;

    /** Bytes of a DROP for each record. */
    private static final int DROPPED = Long.BYTES + Integer.BYTES;

    /** Bytes of a RERANK for each record. */
    private static final int RERANKED = DROPPED + Integer.BYTES;

    /** Bytes of a DELTA_DROP before the delta of each record. */
    private static final int DROP_HEADER = 2 * Integer.BYTES;

    /** Bytes of a DELTA_RERANK before the delta of each record. */
    private static final int RERANK_HEADER = 4 * Integer.BYTES;

    /** The fingerprint of no record. */
    public static final int NO_RECORD = 0;

    /** Level in a HANDOVER, SUBSUME or ABSORB. The id of the migration stands at {@link #KEY}. */
    static final int LEVEL = KEY + Long.BYTES;

    /** Logical time in a SUBSUME. The parent's logical time must be at least this when the parent absorbs the keys. */
    public static final int PARENT_TIME = LEVEL + Long.BYTES;

    private Entry() {}

    public static byte kind(MemorySegment memory, int at) {
        return (byte) memory.get(INT, (long) at + KIND);
    }

    public static byte status(MemorySegment memory, int at) {
        return (byte) (memory.get(INT, (long) at + KIND) >>> 8);
    }

    public static int keyLength(MemorySegment memory, int at) {
        return memory.get(INT, (long) at + KIND) >>> 16;
    }

    /** Whether the entry, which names a key, names the key of a request. */
    static boolean hasKey(MemorySegment memory, int at, Request request) {
        return hasKey(memory, at, request.frame, request.keyOffset, request.keyLength);
    }

    /** Whether the entry, which names a key, names this key. */
    public static boolean hasKey(MemorySegment memory, int at, MemorySegment key, long keyOffset, int keyLength) {
        return keyLength(memory, at) == keyLength
                && SegmentBytes.equal(memory, (long) at + KEY, key, keyOffset, keyLength);
    }

    /** The length of the value of a PUT. */
    public static int valueLength(MemorySegment memory, int at) {
        return length(memory, at) - KEY - keyLength(memory, at);
    }

    public static int length(MemorySegment memory, int at) {
        return memory.get(INT, (long) at + LENGTH);
    }

    public static long number(MemorySegment memory, int at, int field) {
        return memory.get(LONG, (long) at + field);
    }

    /** The keys that change their owner by a HANDOVER, SUBSUME or ABSORB. */
    public static MovedKeys moved(MemorySegment memory, int at) {
        int spanAt = spanAt(kind(memory, at));
        int length = length(memory, at) - spanAt;
        return new MovedKeys(
                number(memory, at, KEY),
                (int) number(memory, at, LEVEL),
                length == 0 ? KeySpan.ALL : span(memory, (long) at + spanAt, length));
    }

    private static int spanAt(byte kind) {
        return kind == SUBSUME ? PARENT_TIME + Long.BYTES : LEVEL + Long.BYTES;
    }

    private static KeySpan span(MemorySegment memory, long at, int length) {
        int low = memory.get(SHORT, at) & 0xffff;
        MemorySegment keys = memory.asSlice(at + Short.BYTES, length - Short.BYTES);
        return new KeySpan(
                keys.asSlice(0, low).toArray(ValueLayout.JAVA_BYTE),
                keys.asSlice(low).toArray(ValueLayout.JAVA_BYTE));
    }

    /** The length of an entry of this kind that changes the owner of keys. */
    static int lengthOf(byte kind, MovedKeys keys) {
        KeySpan span = keys.span();
        int bytes = span.low().length + span.high().length;
        return spanAt(kind) + (bytes == 0 ? 0 : Short.BYTES + bytes);
    }

    /** Writes the keys of a HANDOVER, SUBSUME or ABSORB. */
    static void moved(MemorySegment memory, int at, byte kind, MovedKeys keys) {
        memory.set(LONG, (long) at + KEY, keys.migration());
        memory.set(LONG, (long) at + LEVEL, keys.level());
        byte[] low = keys.span().low();
        byte[] high = keys.span().high();
        if (low.length + high.length > 0) {
            long spanAt = (long) at + spanAt(kind);
            memory.set(SHORT, spanAt, (short) low.length);
            MemorySegment.copy(low, 0, memory, ValueLayout.JAVA_BYTE, spanAt + Short.BYTES, low.length);
            MemorySegment.copy(high, 0, memory, ValueLayout.JAVA_BYTE, spanAt + Short.BYTES + low.length, high.length);
        }
    }

    private static boolean fitsSpan(MemorySegment memory, int at, int length) {
        int spanAt = spanAt(kind(memory, at));
        return length == spanAt
                || length >= spanAt + Short.BYTES
                        && (memory.get(SHORT, (long) at + spanAt) & 0xffff) <= length - spanAt - Short.BYTES;
    }

    /** Whether the entry changes the owner of keys. */
    static boolean changesOwner(byte kind) {
        return kind == HANDOVER || kind == SUBSUME || kind == ABSORB;
    }

    /** Whether the entry names a single key. */
    static boolean isOfKey(byte kind) {
        return kind == PUT || kind == REMOVE;
    }

    /** Whether only the log of a data member has such entries. */
    static boolean isOfData(byte kind) {
        return isOfKey(kind) || kind == CLEAR || listsRecords(kind);
    }

    /** Whether only the log of a parity member has such entries. */
    static boolean isOfParity(byte kind) {
        return kind >= DELTA && kind <= DELTA_DROP || kind == DELTA_RERANK;
    }

    /** Whether the entry has a list of records, which it names by pseudo-key and rank. */
    static boolean listsRecords(byte kind) {
        return kind == DROP || kind == RERANK;
    }

    /** Bytes of a DROP or RERANK for each record. */
    public static int listedBytes(byte kind) {
        return kind == DROP ? DROPPED : RERANKED;
    }

    /** Bytes of a DELTA_DROP or DELTA_RERANK before the delta of each record. The last 4 are the delta's length. */
    public static int deltaHeader(byte kind) {
        return kind == DELTA_DROP ? DROP_HEADER : RERANK_HEADER;
    }

    /** Pseudo-key of the record of a DROP or RERANK whose bytes begin at an offset. */
    public static long listedHash(MemorySegment memory, int at) {
        return memory.get(LONG, at);
    }

    /** Rank of the record of a DROP or RERANK whose bytes begin at an offset. */
    public static int listedRank(MemorySegment memory, int at) {
        return integer(memory, (long) at + Long.BYTES);
    }

    /** The next rank of the record of a RERANK whose bytes begin at an offset. */
    public static int nextRank(MemorySegment memory, int at) {
        return integer(memory, (long) at + DROPPED);
    }

    /** A change of one parity record. */
    public interface Fold {
        /**
         * The coded record that leaves or enters a rank.
         *
         * @param offset of the delta in the memory of the entry
         * @param fingerprint of the column's record at the rank afterwards; {@link #NO_RECORD} if there is none
         */
        void delta(int rank, long offset, int length, int fingerprint);
    }

    /** The folds of a DELTA_DROP, or of a DELTA_RERANK: a record leaves its rank, and then enters its next rank. */
    public static void forEachFold(MemorySegment memory, int at, Fold action) {
        byte kind = kind(memory, at);
        long end = (long) at + length(memory, at);
        long next = (long) at + KEY;
        while (next < end) {
            long delta = next + deltaHeader(kind);
            int length = integer(memory, delta - Integer.BYTES);
            action.delta(integer(memory, next), delta, length, NO_RECORD);
            if (kind == DELTA_RERANK) {
                int fingerprint = integer(memory, next + 2 * Integer.BYTES);
                action.delta(integer(memory, next + Integer.BYTES), delta, length, fingerprint);
            }
            next = delta + length;
        }
    }

    /** A rank or a length in an entry. */
    public static int integer(MemorySegment memory, long at) {
        return memory.get(INT, at);
    }

    private static boolean fitsDeltas(MemorySegment memory, int at, int length) {
        boolean reranks = kind(memory, at) == DELTA_RERANK;
        int header = deltaHeader(kind(memory, at));
        int next = KEY;
        while (length - next >= header) {
            long from = (long) at + next;
            int delta = integer(memory, from + header - Integer.BYTES);
            boolean hasRanks = integer(memory, from) >= 0 && (!reranks || integer(memory, from + Integer.BYTES) >= 0);
            if (delta < 0 || delta > length - next - header || !hasRanks) {
                return false;
            }
            next += header + delta;
        }
        return next == length;
    }

    /**
     * Checks that all fields of a received entry can be read, and returns the length of the entry.
     *
     * @throws ProtocolViolation if the lengths in the entry don't add up
     */
    static int checked(MemorySegment memory, int at, int end) {
        int length = end - at < KEY ? 0 : length(memory, at);
        if (length < KEY || length > end - at) {
            throw new ProtocolViolation("prepare ends within an entry");
        }
        int key = keyLength(memory, at);
        boolean fits = switch (kind(memory, at)) {
            case NOTHING -> key == 0 && length == KEY;
            case PUT -> key > 0 && key <= length - KEY;
            case REMOVE -> key > 0 && key == length - KEY;
            case CLEAR -> key == 0 && length >= KEY + 2 * Long.BYTES;
            case HANDOVER, ABSORB, SUBSUME -> key == 0 && fitsSpan(memory, at, length);
            case DROP, RERANK -> key == 0 && (length - KEY) % listedBytes(kind(memory, at)) == 0;
            case DELTA, DELTA_REMOVE -> key == 0 && length >= DELTA_BYTES && integer(memory, (long) at + KEY) >= 0;
            case DELTA_DROP, DELTA_RERANK -> key == 0 && fitsDeltas(memory, at, length);
            default -> false;
        };
        if (!fits) {
            throw new ProtocolViolation("entry of kind " + kind(memory, at) + " whose lengths don't add up");
        }
        return length;
    }
}
