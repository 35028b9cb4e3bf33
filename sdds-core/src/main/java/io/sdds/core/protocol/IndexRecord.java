package io.sdds.core.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.KeySpan;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What the index of partitions says of one partition (RP*S; section 2.1): a record of the range table {@link #TABLE},
 * in the order of tables, and of a table's partitions by Λ, so that the partition of a key is the first record at or
 * above the key's place, and those behind it are its right neighbours.
 *
 * <p>Key: the table's id, as a big endian i32, then a 0 and Λ, or a 1 for +∞. Value: this record, as
 * {@link RecordCodec} has it.
 *
 * @param low λ of the partition
 * @param brick the only one that holds it, or the one that leads its group
 */
public record IndexRecord(int partition, byte[] low, BrickInfo brick) {
    /** Name of the range table that holds the index. */
    public static final String TABLE = "sdds.index";

    /** What the names of tables begin with that are the cluster's own. */
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

    /** The key of the record of a table's last partition, whose Λ is +∞: the last of the table. */
    public static byte[] lastKey(int table) {
        return ByteBuffer.allocate(HIGH).putInt(table).put(INFINITE).array();
    }

    /** The key of the record of a partition. */
    public static byte[] key(int table, KeySpan span) {
        return span.isLast() ? lastKey(table) : key(table, span.high());
    }

    /** The id of the table that a record's key, or a part of one, is of. */
    public static int table(byte[] key) {
        return ByteBuffer.wrap(Arrays.copyOf(key, Integer.BYTES)).getInt();
    }

    /** Whether a key is one of a last partition. */
    public static boolean isLast(byte[] key) {
        return key.length > Integer.BYTES && key[Integer.BYTES] != FINITE;
    }

    /** Λ of a record's key; empty: +∞. */
    public static byte[] high(byte[] key) {
        return isLast(key) || key.length <= HIGH ? KeySpan.ALL.high() : Arrays.copyOfRange(key, HIGH, key.length);
    }

    /** The record's value. */
    public byte[] encoded() {
        ByteBuf bytes = Unpooled.buffer();
        RecordCodec.write(bytes, this);
        return ByteBufUtil.getBytes(bytes);
    }

    /** What a value says; {@link ProtocolViolation} when it is none. */
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
