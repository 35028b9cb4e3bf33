package io.sdds.bench.load;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The records of a run, which depend only on the seed: distinct printable keys of 16 bytes, and values whose first
 * bytes show whether a value belongs to a key.
 */
final class Dataset {
    /* Keys are computed, not stored, because at a million operations a second memory accesses of the load generator
     * would take longer than the arithmetic, and would distort the measurement. The first half of a key is the number
     * of the key times an odd constant, 5 bits a character, so that keys are distinct. The second half is the high bits
     * of the product. A key is written by two stores of eight bytes, because the key is read in this way right
     * afterwards. The values are few and shared for the same reason.
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

    /** The key of a number. Different numbers have different keys. */
    byte[] key(int number) {
        long scattered = number * SCATTER;
        byte[] key = new byte[KEY_BYTES];
        CHARACTERS.set(key, 0, characters(scattered & NUMBER_BITS));
        CHARACTERS.set(key, Long.BYTES, characters(scattered >>> Long.SIZE - NUMBER_BIT_COUNT));
        return key;
    }

    /** The value of a key. Many keys share one value. */
    byte[] value(int number) {
        return values[number & VALUES - 1];
    }

    /** Whether these bytes can be the value of a key. Compares the length and the first bytes. */
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

    /** A value that begins with a name. It has the length of all values, unless the name is longer. */
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

    /** Encodes 40 bits as eight characters, A to Z and 0 to 5. */
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
