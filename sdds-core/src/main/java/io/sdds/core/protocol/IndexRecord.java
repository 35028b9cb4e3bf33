package io.sdds.core.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.KeySpan;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A record of the index of partitions (RP*S; section 2.1), which is the range table {@link #TABLE}. The records are in
 * the order of tables, and of a table's partitions by Λ. So the partition of a key is the first record at or above the
 * key's place, and the records behind it are its right neighbours.
 *
 * <p>Key: the table's id, as a big endian i32, then a 0 and Λ, or a 1 for +∞. Value: this record, in the format of
 * {@link RecordCodec}.
 *
 * @param low λ of the partition
 * @param brick the brick of the only copy, or of the primary
 */
public record IndexRecord(int partition, byte[] low, BrickInfo brick) {
    /** Name of the range table that holds the index. */
    public static final String TABLE = "sdds.index";

    /** The prefix of the names of the cluster's own tables. */
    public static final String OWN_NAMES = "sdds.";

    private static final int HIGH = Integer.BYTES + 1;
    private static final byte FINITE = 0;
    private static final byte INFINITE = 1;

    /**
     * The key of the record of the partition with this Λ, which is not +∞; also the place of a key of the table in the
     * order of the records.
     */
    public static byte[] key(int table, byte[] high) {
        return ByteBuffer.allocate(HIGH + high.length)
                .putInt(table)
                .put(FINITE)
                .put(high)
                .array();
    }

    /** The key of the record of a table's last partition, whose Λ is +∞. It is the last key of the table's records. */
    public static byte[] lastKey(int table) {
        return ByteBuffer.allocate(HIGH).putInt(table).put(INFINITE).array();
    }

    /** The key of the record of a partition. */
    public static byte[] key(int table, KeySpan span) {
        return span.isLast() ? lastKey(table) : key(table, span.high());
    }

    /** The id of the table in a record's key, or in a prefix of it. */
    public static int table(byte[] key) {
        return ByteBuffer.wrap(Arrays.copyOf(key, Integer.BYTES)).getInt();
    }

    /** Whether a key belongs to the record of a last partition. */
    public static boolean isLast(byte[] key) {
        return key.length > Integer.BYTES && key[Integer.BYTES] != FINITE;
    }

    /** Λ in a record's key; empty for +∞. */
    public static byte[] high(byte[] key) {
        return isLast(key) || key.length <= HIGH ? KeySpan.ALL.high() : Arrays.copyOfRange(key, HIGH, key.length);
    }

    /** The record's value. */
    public byte[] encoded() {
        ByteBuf bytes = Unpooled.buffer();
        RecordCodec.write(bytes, this);
        return ByteBufUtil.getBytes(bytes);
    }

    /**
     * Reads the record of a value.
     *
     * @throws ProtocolViolation when the bytes are no record
     */
    public static IndexRecord of(byte[] value) {
        return RecordCodec.read(Unpooled.wrappedBuffer(value), IndexRecord.class);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IndexRecord record
                && partition == record.partition
                && Arrays.equals(low, record.low)
                && brick.equals(record.brick);
    }

    @Override
    public int hashCode() {
        return 31 * partition + Arrays.hashCode(low);
    }
}
