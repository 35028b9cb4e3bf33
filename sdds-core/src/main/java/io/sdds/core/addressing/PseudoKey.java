package io.sdds.core.addressing;

import com.dynatrace.hash4j.hashing.ByteAccess;
import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.netty.buffer.ByteBuf;

/**
 * The pseudo-key of a key: XXH3-64 with seed 0 over its bytes. It is part of the protocol: clients address by it and
 * bricks compute it again. Its low bits are the LH* address (a partition's number), the bits above address the
 * LH-bucket inside the partition (LH*LH, section 4.5.2).
 */
public final class PseudoKey {
    private static final Hasher64 XXH3 = Hashing.xxh3_64();

    private static final ByteAccess<ByteBuf> BUFFER_ACCESS = new ByteAccess<>() {
        @Override
        public byte getByte(ByteBuf buffer, long index) {
            return buffer.getByte((int) index);
        }

        @Override
        public int getInt(ByteBuf buffer, long index) {
            return buffer.getIntLE((int) index);
        }

        @Override
        public long getLong(ByteBuf buffer, long index) {
            return buffer.getLongLE((int) index);
        }
    };

    private PseudoKey() {}

    /** The pseudo-key of the whole array. */
    public static long of(byte[] key) {
        return XXH3.hashBytesToLong(key);
    }

    /** The pseudo-key of {@code length} bytes at the absolute {@code index} of a buffer, whose indexes do not move. */
    public static long of(ByteBuf buffer, int index, int length) {
        return XXH3.hashBytesToLong(buffer, index, length, BUFFER_ACCESS);
    }
}
