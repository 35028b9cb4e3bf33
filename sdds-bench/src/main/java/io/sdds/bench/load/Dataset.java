package io.sdds.bench.load;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The records of a run, the same for each seed: printable keys of 16 bytes, all different, and values whose first bytes
 * tell a right one from a wrong one.
 */
final class Dataset {
    /* Keys are computed, not kept: at a million operations a second the load generator would wait for its own memory
     * longer than for the arithmetic, and be measured with the rest. The first half of a key is its number times an odd
     * constant, 5 bits a character, which keeps keys different; the second half is the high bits of that product. They
     * are two stores of eight bytes because they are read that way right after. Values are few and shared, for the same
     * reason.
     */
    private static final VarHandle CHARACTERS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int KEY_BYTES = 16;
    private static final long SCATTER = 0x9E3779B97F4A7C15L;
    private static final long FIVE_BITS_EACH = 0x1f1f1f1f1f1f1f1fL;
    private static final long ONE_EACH = 0x0101010101010101L;
    private static final long HIGH_BIT_EACH = 0x8080808080808080L;
    private static final int NUMBER_BIT_COUNT = 40;
    private static final long NUMBER_BITS = (1L << NUMBER_BIT_COUNT) - 1;

    private static final int VALUES = 256;
    private static final int MARK_BYTES = 2;

    private final int keyCount;
    private final int valueBytes;
    private final byte[][] values = new byte[VALUES][];

    Dataset(int keyCount, int valueBytes, long seed) {
        this.keyCount = keyCount;
        this.valueBytes = valueBytes;
        SplittableRandom random = new SplittableRandom(seed);
        for (int v = 0; v < VALUES; v++) {
            values[v] = value(v, random);
        }
    }

    int size() {
        return keyCount;
    }

    /** A key, which nobody else has. */
    byte[] key(int number) {
        long scattered = number * SCATTER;
        byte[] key = new byte[KEY_BYTES];
        CHARACTERS.set(key, 0, characters(scattered & NUMBER_BITS));
        CHARACTERS.set(key, Long.BYTES, characters(scattered >>> Long.SIZE - NUMBER_BIT_COUNT));
        return key;
    }

    /** What is written under a key; many keys share one. */
    byte[] value(int number) {
        return values[number & VALUES - 1];
    }

    /** Whether these bytes can be the value of a key. Looks at the length and the first bytes. */
    boolean isValue(int number, byte @Nullable [] found) {
        if (found == null || found.length != valueBytes) {
            return false;
        }
        for (int k = 0; k < Math.min(MARK_BYTES, valueBytes); k++) {
            if (found[k] != mark(number, k)) {
                return false;
            }
        }
        return true;
    }

    /** A value that starts with a name, as long as the others unless the name is longer. */
    byte[] uniqueValue(String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        if (text.length >= valueBytes) {
            return text;
        }
        byte[] value = new byte[valueBytes];
        Arrays.fill(value, (byte) '.');
        System.arraycopy(text, 0, value, 0, text.length);
        return value;
    }

    /** Eight characters, of 40 bits: A to Z, then 0 to 5. */
    private static long characters(long bits) {
        long numbers = Long.expand(bits, FIVE_BITS_EACH);
        long digits = (numbers + (128 - 26) * ONE_EACH & HIGH_BIT_EACH) >>> 7;
        return numbers + 'A' * ONE_EACH - ('A' + 26 - '0') * digits;
    }

    private static byte mark(int number, int index) {
        return (byte) ('a' + (number >>> 4 * index & 15));
    }

    private byte[] value(int number, SplittableRandom random) {
        byte[] value = new byte[valueBytes];
        for (int k = 0; k < valueBytes; k++) {
            value[k] = k < MARK_BYTES ? mark(number, k) : (byte) ('A' + random.nextInt(26));
        }
        return value;
    }
}
