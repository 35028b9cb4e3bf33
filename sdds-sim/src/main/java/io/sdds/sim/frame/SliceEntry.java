package io.sdds.sim.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import org.jspecify.annotations.Nullable;

/** An entry of a SLICE frame. The class {@code SliceFrame} of the brick has the layout. */
public sealed interface SliceEntry {
    byte RECORD = 1;
    byte REMOVE = 2;
    byte RESULT = 3;
    byte EXPIRING_RECORD = 4;
    byte SEAL = 5;
    byte RANKED_RECORD = 6;

    /** Bytes of the encoded entry. */
    int length();

    void write(ByteBuf out);

    /**
     * A record.
     *
     * @param expiryNanos in the logical time of the source; null: the record does not expire
     * @param rank of a record of a moved column; else null
     */
    record Copied(
            byte[] key,
            byte[] value,
            long version,
            @Nullable Long expiryNanos,
            @Nullable Integer rank) implements SliceEntry {
        static final int HEADER = 15;
        static final int RANKED_HEADER = HEADER + Long.BYTES + Integer.BYTES;

        Copied(byte[] key, byte[] value, long version, @Nullable Long expiryNanos) {
            this(key, value, version, expiryNanos, null);
        }

        @Override
        public int length() {
            int header = expiryNanos == null ? HEADER : HEADER + Long.BYTES;
            return (rank == null ? header : RANKED_HEADER) + key.length + value.length;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeByte(rank != null ? RANKED_RECORD : expiryNanos == null ? RECORD : EXPIRING_RECORD);
            out.writeShortLE(key.length).writeIntLE(value.length).writeLongLE(version);
            if (rank != null) {
                out.writeLongLE(expiryNanos == null ? 0 : expiryNanos).writeIntLE(rank);
            } else if (expiryNanos != null) {
                out.writeLongLE(expiryNanos);
            }
            out.writeBytes(key).writeBytes(value);
        }

        public Copied withKey(byte[] other) {
            return new Copied(other, value, version, expiryNanos, rank);
        }

        public Copied withExpiry(long nanos) {
            return new Copied(key, value, version, nanos, rank);
        }

        @Override
        public String toString() {
            return FrameText.bytes(key) + " = " + FrameText.bytes(value) + " v" + version
                    + (expiryNanos == null ? "" : " until " + FrameText.time(expiryNanos))
                    + (rank == null ? "" : " rank " + rank);
        }
    }

    /** The key of a record that was removed since the copy began. */
    record Removed(byte[] key) implements SliceEntry {
        static final int HEADER = 3;

        @Override
        public int length() {
            return HEADER + key.length;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeByte(REMOVE).writeShortLE(key.length).writeBytes(key);
        }

        @Override
        public String toString() {
            return "REMOVE " + FrameText.bytes(key);
        }
    }

    /**
     * The result of a write.
     *
     * @param seq 0: the entry tells the low of the session alone
     */
    record Kept(long session, long seq, long low, long hash, byte status, long value) implements SliceEntry {
        static final int BYTES = 42;

        @Override
        public int length() {
            return BYTES;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeByte(RESULT).writeLongLE(session).writeLongLE(seq).writeLongLE(low);
            out.writeLongLE(hash).writeByte(status).writeLongLE(value);
        }

        public Kept withSession(long other) {
            return new Kept(other, seq, low, hash, status, value);
        }

        @Override
        public String toString() {
            return "RESULT " + session + "/" + seq + " low " + low + ' ' + FrameText.status(status) + ' ' + value;
        }
    }

    /**
     * The end of a copy, unless an entry follows.
     *
     * @param epoch of the group that the copy is for
     * @param index of the last entry of the group's log that is in the copy
     */
    record Sealed(long epoch, long index, long version, long timeNanos) implements SliceEntry {
        static final int BYTES = 33;

        @Override
        public int length() {
            return BYTES;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeByte(SEAL).writeLongLE(epoch).writeLongLE(index);
            out.writeLongLE(version).writeLongLE(timeNanos);
        }

        @Override
        public String toString() {
            return "SEAL epoch " + epoch + " index " + index + " v" + version + " at " + FrameText.time(timeNanos);
        }
    }

    /** Bytes of the well-formed entry at an index. */
    static int lengthAt(ByteBuf frame, int at) {
        return switch (frame.getByte(at)) {
            case RECORD -> Copied.HEADER + frame.getUnsignedShortLE(at + 1) + frame.getIntLE(at + 3);
            case EXPIRING_RECORD ->
                Copied.HEADER + Long.BYTES + frame.getUnsignedShortLE(at + 1) + frame.getIntLE(at + 3);
            case RANKED_RECORD -> Copied.RANKED_HEADER + frame.getUnsignedShortLE(at + 1) + frame.getIntLE(at + 3);
            case REMOVE -> Removed.HEADER + frame.getUnsignedShortLE(at + 1);
            case RESULT -> Kept.BYTES;
            default -> Sealed.BYTES;
        };
    }

    /**
     * Decodes the entry at an index.
     *
     * @throws RuntimeException when it is of no known kind, or goes beyond the end of the buffer
     */
    static SliceEntry read(ByteBuf in) {
        byte kind = in.readByte();
        return switch (kind) {
            case RECORD, EXPIRING_RECORD, RANKED_RECORD -> copied(in, kind);
            case REMOVE -> new Removed(bytes(in, in.readUnsignedShortLE()));
            case RESULT ->
                new Kept(
                        in.readLongLE(),
                        in.readLongLE(),
                        in.readLongLE(),
                        in.readLongLE(),
                        in.readByte(),
                        in.readLongLE());
            case SEAL -> new Sealed(in.readLongLE(), in.readLongLE(), in.readLongLE(), in.readLongLE());
            default -> throw new IllegalArgumentException("an entry of kind " + kind + " in a slice");
        };
    }

    private static Copied copied(ByteBuf in, byte kind) {
        int keyLength = in.readUnsignedShortLE();
        int valueLength = in.readIntLE();
        long version = in.readLongLE();
        long expiry = kind == RECORD ? 0 : in.readLongLE();
        Integer rank = kind == RANKED_RECORD ? in.readIntLE() : null;
        Long expiryNanos = expiry == 0 && kind != EXPIRING_RECORD ? null : expiry;
        return new Copied(bytes(in, keyLength), bytes(in, valueLength), version, expiryNanos, rank);
    }

    private static byte[] bytes(ByteBuf in, int length) {
        return ByteBufUtil.getBytes(in.readSlice(length));
    }
}
