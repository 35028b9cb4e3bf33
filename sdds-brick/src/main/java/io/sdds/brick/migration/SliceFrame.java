package io.sdds.brick.migration;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.parity.records.ParityRecords;
import io.sdds.core.protocol.ProtocolViolation;

/**
 * Layout of a slice: records of a shipping, and the changes and results since. Little endian.
 *
 * <pre>
 *  0 i32 length of the frame, this field included
 *  4 u8  opcode SLICE, then 3 bytes 0
 *  8 i64 stream
 * 16 i32 attempt
 * 20 i32 partition that receives
 * 24 i64 slice number: 1, 2, … in each attempt
 * 32     entries
 *
 * u8 1 RECORD: u16 key length, i32 value length, i64 version, key, value
 * u8 2 REMOVE: u16 key length, key
 * u8 3 RESULT: i64 session, i64 seq (0: low alone is told), i64 low, i64 pseudo-key, u8 status, i64 value
 * u8 4 EXPIRING_RECORD: u16 key length, i32 value length, i64 version,
 *                         i64 expiry in the source's logical time, key, value
 * u8 5 SEAL: i64 epoch, i64 index, i64 version, i64 the source's logical time
 * u8 6 RANKED_RECORD: u16 key length, i32 value length, i64 version,
 *                     i64 expiry in the source's logical time (0: none), i32 rank, key, value
 * </pre>
 *
 * <p>SEAL says that the copy is complete; an entry behind SEAL makes it incomplete again. A learner takes the group's
 * log from behind the entry {@code index} as soon as SEAL is applied. A SEAL before HANDOVER has the epoch of the
 * child's group and index 0; that of a column's move has the seq of the log's last entry.
 */
public final class SliceFrame {
    static final int STREAM = 8;
    static final int ATTEMPT = 16;
    static final int CHILD = 20;
    static final int NUMBER = 24;
    static final int ENTRIES = 32;

    static final byte RECORD = 1;
    static final byte REMOVE = 2;
    static final byte RESULT = 3;
    static final byte EXPIRING_RECORD = 4;
    static final byte SEAL = 5;
    static final byte RANKED_RECORD = 6;

    private static final int RECORD_HEADER = 14;
    private static final int EXPIRING_HEADER = RECORD_HEADER + Long.BYTES;
    private static final int RANKED_HEADER = EXPIRING_HEADER + Integer.BYTES;
    private static final int REMOVE_HEADER = 2;
    private static final int RESULT_BYTES = 41;
    private static final int SEAL_BYTES = 32;

    private SliceFrame() {}

    /** Takes the entries of a slice one by one. */
    interface Sink {
        /** @param rank of a record of a moved column; else {@link RecordStore#NO_RANK} */
        void record(int keyAt, int keyLength, int valueAt, int valueLength, long version, long expiry, int rank);

        void remove(int keyAt, int keyLength);

        void result(long session, long seq, long low, long hash, byte status, long value);

        void seal(Seal seal);
    }

    /**
     * The source has sent everything: the copy is complete, unless an entry follows.
     *
     * @param epoch of the group that the copy is for
     * @param index of the last entry of the group's log that is in the copy
     * @param version that the receiver begins with at least
     * @param timeNanos logical time that the receiver begins with
     */
    public record Seal(long epoch, long index, long version, long timeNanos) {}

    /**
     * Reads all entries.
     *
     * @throws ProtocolViolation when they don't add up; entries before the bad one have been taken
     */
    static void read(ByteBuf frame, int index, int length, Sink sink) {
        int end = index + length;
        int at = index + ENTRIES;
        while (at < end) {
            at = readOne(frame, at, end, sink);
        }
    }

    /**
     * Reads one entry, and returns where the next entry begins.
     *
     * @throws ProtocolViolation when the entry ends behind {@code end}
     */
    static int readOne(ByteBuf frame, int index, int end, Sink sink) {
        byte kind = frame.getByte(index);
        int at = index + 1;
        return switch (kind) {
            case RECORD, EXPIRING_RECORD, RANKED_RECORD -> readRecord(frame, at, end, kind, sink);
            case REMOVE -> readRemove(frame, at, end, sink);
            case RESULT -> readResult(frame, at, end, sink);
            case SEAL -> readSeal(frame, at, end, sink);
            default -> throw new ProtocolViolation("no entry of kind " + kind + " in a slice");
        };
    }

    static boolean isRecord(byte kind) {
        return kind == RECORD || kind == EXPIRING_RECORD || kind == RANKED_RECORD;
    }

    private static int headerBytes(byte ofRecord) {
        return switch (ofRecord) {
            case RECORD -> RECORD_HEADER;
            case EXPIRING_RECORD -> EXPIRING_HEADER;
            default -> RANKED_HEADER;
        };
    }

    /** Bytes of a well-formed entry, its kind included. */
    static int entryBytes(ByteBuf entries, int at) {
        byte kind = entries.getByte(at);
        return 1
                + switch (kind) {
                    case RECORD, EXPIRING_RECORD, RANKED_RECORD ->
                        headerBytes(kind) + entries.getUnsignedShortLE(at + 1) + entries.getIntLE(at + 3);
                    case REMOVE -> REMOVE_HEADER + entries.getUnsignedShortLE(at + 1);
                    case SEAL -> SEAL_BYTES;
                    default -> RESULT_BYTES;
                };
    }

    private static int readRecord(ByteBuf frame, int at, int end, byte kind, Sink sink) {
        int header = headerBytes(kind);
        need(at, header, end);
        int keyLength = frame.getUnsignedShortLE(at);
        int valueLength = frame.getIntLE(at + 2);
        long version = frame.getLongLE(at + 6);
        long expiry = kind == RECORD ? RecordStore.NO_EXPIRY : frame.getLongLE(at + RECORD_HEADER);
        int rank = kind == RANKED_RECORD ? rank(frame, at + EXPIRING_HEADER) : RecordStore.NO_RANK;
        int keyAt = at + header;
        need(keyAt, keyLength, end);
        need(keyAt + keyLength, valueLength, end);
        sink.record(keyAt, keyLength, keyAt + keyLength, valueLength, version, expiry, rank);
        return keyAt + keyLength + valueLength;
    }

    private static int rank(ByteBuf frame, int at) {
        int rank = frame.getIntLE(at);
        if (rank < 0 || rank >= ParityRecords.RANKS_MAX) {
            throw new ProtocolViolation("a record of rank " + rank + " in a slice");
        }
        return rank;
    }

    private static int readRemove(ByteBuf frame, int at, int end, Sink sink) {
        need(at, REMOVE_HEADER, end);
        int keyLength = frame.getUnsignedShortLE(at);
        need(at + REMOVE_HEADER, keyLength, end);
        sink.remove(at + REMOVE_HEADER, keyLength);
        return at + REMOVE_HEADER + keyLength;
    }

    private static int readResult(ByteBuf frame, int at, int end, Sink sink) {
        need(at, RESULT_BYTES, end);
        sink.result(
                frame.getLongLE(at),
                frame.getLongLE(at + 8),
                frame.getLongLE(at + 16),
                frame.getLongLE(at + 24),
                frame.getByte(at + 32),
                frame.getLongLE(at + 33));
        return at + RESULT_BYTES;
    }

    private static int readSeal(ByteBuf frame, int at, int end, Sink sink) {
        need(at, SEAL_BYTES, end);
        sink.seal(new Seal(
                frame.getLongLE(at), frame.getLongLE(at + 8), frame.getLongLE(at + 16), frame.getLongLE(at + 24)));
        return at + SEAL_BYTES;
    }

    private static void need(int at, int bytes, int end) {
        if (bytes < 0 || bytes > end - at) {
            throw new ProtocolViolation("slice ends within an entry");
        }
    }
}
