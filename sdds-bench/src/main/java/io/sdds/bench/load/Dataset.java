package io.sdds.bench.load;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The records of a run, the same for each seed: printable keys of 8 to 16 bytes, all different, and values whose first bytes tell a right one
 * from a wrong one.
 */
final class Dataset {
    private static final String DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";
    private static final int NUMBER_DIGITS = 7;
    private static final int MORE_DIGITS_MAX = 9;
    private static final int VALUES_MAX = 1 << 16;
    private static final int VALUES_BYTES_MAX = 64 << 20;
    private static final int MARK_BYTES = 3;

    private final byte[][] keys;
    private final byte[][] values;
    private final int valueBytes;

    Dataset(int keyCount, int valueBytes, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        this.valueBytes = valueBytes;
        keys = new byte[keyCount][];
        for (int k = 0; k < keyCount; k++) {
            keys[k] = key(k, random);
        }
        values = new byte[Math.clamp(VALUES_BYTES_MAX / Math.max(1, valueBytes), 1, Math.min(VALUES_MAX, keyCount))][];
        for (int v = 0; v < values.length; v++) {
            values[v] = value(v, random);
        }
    }

    int size() {
        return keys.length;
    }

    byte[] key(int number) {
        return keys[number];
    }

    /** What is written under a key; many keys share one. */
    byte[] value(int number) {
        return values[number % values.length];
    }

    /** Whether these bytes can be the value of a key. Looks at the length and the first bytes. */
    boolean isValue(int number, byte @Nullable [] found) {
        if (found == null || found.length != valueBytes) {
            return false;
        }
        byte[] expected = value(number);
        for (int k = 0; k < Math.min(MARK_BYTES, valueBytes); k++) {
            if (found[k] != expected[k]) {
                return false;
            }
        }
        return true;
    }

    /** The number scrambled, which keeps keys different, and a random tail, which makes lengths differ. */
    private static byte[] key(int number, SplittableRandom random) {
        byte[] key = new byte[NUMBER_DIGITS + 1 + random.nextInt(MORE_DIGITS_MAX)];
        long rest = (number * 0x9E3779B1L) & 0xffff_ffffL;
        for (int k = 0; k < key.length; k++) {
            key[k] = (byte)
                    DIGITS.charAt(k < NUMBER_DIGITS ? (int) (rest % DIGITS.length()) : random.nextInt(DIGITS.length()));
            rest /= DIGITS.length();
        }
        return key;
    }

    private byte[] value(int number, SplittableRandom random) {
        byte[] value = new byte[valueBytes];
        for (int k = 0; k < valueBytes; k++) {
            value[k] = (byte) (k < MARK_BYTES ? '0' + (number >> 6 * k & 63) : 'A' + random.nextInt(26));
        }
        return value;
    }

    /** A value nobody writes twice, as long as it can be. */
    byte[] uniqueValue(String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        if (text.length >= valueBytes) {
            return text;
        }
        byte[] value = new byte[valueBytes];
        java.util.Arrays.fill(value, (byte) '.');
        System.arraycopy(text, 0, value, 0, text.length);
        return value;
    }
}
