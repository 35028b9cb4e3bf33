package io.sdds.core.query;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.ValueType.Kind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A set of values that may also seem to have others: the constant of {@link Op#BLOOM}. It is a split block Bloom filter
 * (Putze, Sanders and Singler: Cache-, Hash- and Space-Efficient Bloom Filters), whose look-up touches one cache line.
 *
 * <pre>
 * blocks of 32 bytes, each 8 words of u32, little endian; at least one and at most 8 MiB
 * block of a value:  (its hash >>> 32) * number of blocks >>> 32
 * bit in word k:     (low 32 bits of its hash * SALTS[k]) >>> 27
 * </pre>
 *
 * A value has one hash for all types that are alike, in the one form that the value has in rows: see {@link #hash}.
 */
public final class BloomFilter {
    /** Most bytes of a filter. */
    public static final int BYTES_MAX = 8 << 20;

    /** Bytes of a block. */
    public static final int BLOCK_BYTES = 32;

    /** Factor between two sizes that are tried. */
    private static final double GROWTH = 1.02;

    /** Standard deviations of the number of keys of a block that count. */
    private static final double SPREAD = 10;

    private static final int WORDS = BLOCK_BYTES / Integer.BYTES;
    private static final int[] SALTS = {
        0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31
    };
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final Hasher64 XXH3 = Hashing.xxh3_64();

    private final ValueType type;
    private final byte[] bits;

    /**
     * An empty filter.
     *
     * @param type of the values; any type that is like it has the same hashes
     * @param keys number of different values that are expected; with more, more others seem to be in the filter
     * @param falsePositives the part of other values that may seem to be in the filter, above 0 and below 1
     * @throws IllegalArgumentException if the filter would be larger than {@link #BYTES_MAX}
     */
    public BloomFilter(ValueType type, long keys, double falsePositives) {
        long bytes = bytes(keys, falsePositives);
        if (bytes > BYTES_MAX) {
            throw new IllegalArgumentException("a filter for " + keys + " keys and a false positive rate of "
                    + falsePositives + " has " + bytes + " bytes, " + BYTES_MAX + " are allowed");
        }
        this.type = type;
        this.bits = new byte[(int) bytes];
    }

    /** The bytes of a filter whose expected rate of false positives is no higher. */
    public static long bytes(long keys, double falsePositives) {
        if (keys < 0 || !(falsePositives > 0 && falsePositives < 1)) {
            throw new IllegalArgumentException(
                    "a filter for " + keys + " keys and a false positive rate of " + falsePositives);
        }
        // The law of Bloom filters for eight bits a key. Blocks differ in their number of keys, so it is too few.
        double bits = -WORDS * (double) keys / Math.log1p(-Math.pow(falsePositives, 1.0 / WORDS));
        double blocks = Math.max(1, Math.ceil(bits / (BLOCK_BYTES * Byte.SIZE)));
        while (falsePositives(keys / blocks) > falsePositives) {
            blocks = Math.ceil(blocks * GROWTH);
        }
        return (long) blocks * BLOCK_BYTES;
    }

    /** The rate of false positives for a mean number of keys of a block: the number has a Poisson distribution. */
    private static double falsePositives(double mean) {
        double rate = 0;
        double probability = Math.exp(-mean);
        int most = (int) (mean + SPREAD * Math.sqrt(mean) + SPREAD);
        for (int keys = 0; keys <= most; keys++) {
            double bitSet = 1 - Math.pow(1 - 1.0 / Integer.SIZE, keys);
            rate += probability * Math.pow(bitSet, WORDS);
            probability *= mean / (keys + 1);
        }
        return rate;
    }

    /** Adds a value, as a row stores it. */
    public void add(byte[] value) {
        long hash = hash(type, Stored.canonical(type.kind(), value));
        int block = block(hash, bits.length);
        for (int word = 0; word < WORDS; word++) {
            int at = block + word * Integer.BYTES;
            INTS.set(bits, at, (int) INTS.get(bits, at) | bit((int) hash, word));
        }
    }

    /** The constant for {@link Op#BLOOM}; not a copy. */
    public byte[] bytes() {
        return bits;
    }

    /** Whether a constant has the length of a filter. */
    static boolean isFilter(byte @Nullable [] bits) {
        return bits != null && bits.length >= BLOCK_BYTES && bits.length <= BYTES_MAX && bits.length % BLOCK_BYTES == 0;
    }

    /** Whether a hash is in a filter. */
    public static boolean contains(byte[] bits, long hash) {
        int block = block(hash, bits.length);
        int missing = 0;
        for (int word = 0; word < WORDS; word++) {
            missing |= ~(int) INTS.get(bits, block + word * Integer.BYTES) & bit((int) hash, word);
        }
        return missing == 0;
    }

    private static int block(long hash, int bytes) {
        return (int) ((hash >>> 32) * (bytes / BLOCK_BYTES) >>> 32) * BLOCK_BYTES;
    }

    private static int bit(int hash, int word) {
        return 1 << (hash * SALTS[word] >>> 27);
    }

    /**
     * The hash of a value, as a row stores it in its one form. Numbers and times of up to 64 bits have the hash of the
     * number, so INTEGER and BIGINT have the same. Of a DOUBLE it is that of its bits, with one zero and one NaN. Of
     * DECIMAL and UUID it is that of the two halves, so the precision does not matter. Of VARCHAR and VARBINARY it is
     * the XXH3-64 of the bytes.
     */
    static long hash(ValueType type, byte[] value) {
        Kind kind = type.kind();
        return switch (kind.bytes()) {
            case 0 -> XXH3.hashBytesToLong(value);
            case 1 -> hash(value[0]);
            case 2 * Long.BYTES -> hash(Stored.half(value, 0), Stored.half(value, Long.BYTES));
            default -> hash(Stored.number(value));
        };
    }

    /** The hash of a number, or of the bits of a DOUBLE: the finalizer of MurmurHash3. */
    public static long hash(long number) {
        long h = number;
        h = (h ^ h >>> 33) * 0xff51afd7ed558ccdL;
        h = (h ^ h >>> 33) * 0xc4ceb9fe1a85ec53L;
        return h ^ h >>> 33;
    }

    /** The hash of 16 bytes. */
    public static long hash(long first, long second) {
        return hash(hash(first) + second);
    }
}
