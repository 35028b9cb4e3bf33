package io.sdds.brick.memory;

import com.dynatrace.hash4j.hashing.ByteAccess;
import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.lang.foreign.MemorySegment;

/** The pseudo-key of a key that lies off-heap: XXH3-64 with seed 0 over its bytes, as everywhere in the protocol. */
public final class SegmentHash {

    private static final Hasher64 XXH3 = Hashing.xxh3_64();
    private static final ByteAccess<MemorySegment> BYTES = ByteAccess.forMemorySegment(MemorySegment.class);

    private SegmentHash() {}

    /**
     * The pseudo-key of the key at {@code offset}.
     *
     * @param segment where the key lies
     * @param offset of its first byte
     * @param length in bytes
     */
    public static long hash(MemorySegment segment, long offset, int length) {
        return XXH3.hashBytesToLong(segment, offset, length, BYTES);
    }
}
