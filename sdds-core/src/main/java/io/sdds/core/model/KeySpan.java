package io.sdds.core.model;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The keys (λ, Λ] of a range partition (RP*, section 2.1), in the unsigned order of their bytes. Immutable: the arrays
 * are not to be changed.
 *
 * @param low λ, which the span does not hold; empty for −∞, since no key is empty
 * @param high Λ, which it holds; empty for +∞
 */
public record KeySpan(byte[] low, byte[] high) {
    private static final byte[] NONE = new byte[0];
    private static final int SHOWN_BYTES_MAX = 40;

    /** All keys; also what stands where no span is meant. */
    public static final KeySpan ALL = new KeySpan(NONE, NONE);

    /** Whether Λ is +∞. */
    public boolean isLast() {
        return high.length == 0;
    }

    /** Whether λ is −∞. */
    public boolean isFirst() {
        return low.length == 0;
    }

    /** Whether it holds a key. */
    public boolean holds(byte[] key) {
        return Arrays.compareUnsigned(low, key) < 0 && (isLast() || Arrays.compareUnsigned(key, high) <= 0);
    }

    /** Whether it holds what comes right above a key; of an empty one: the lowest key there is. */
    public boolean holdsAbove(byte[] key) {
        return Arrays.compareUnsigned(low, key) <= 0 && (isLast() || Arrays.compareUnsigned(key, high) < 0);
    }

    /** Its keys up to this one, which it holds. */
    public KeySpan upTo(byte[] key) {
        return new KeySpan(low, key);
    }

    /** Its keys above this one, which it holds. */
    public KeySpan above(byte[] key) {
        return new KeySpan(key, high);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeySpan span && Arrays.equals(low, span.low) && Arrays.equals(high, span.high);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(low) + Arrays.hashCode(high);
    }

    /** For people: {@code ('a', 'b']}. */
    @Override
    public String toString() {
        return "(" + (isFirst() ? "-∞" : text(low)) + ", " + (isLast() ? "+∞" : text(high)) + "]";
    }

    /** A key for people: in quotes when it is printable ASCII, else in hexadecimal. */
    public static String text(byte[] key) {
        byte[] shown = key.length <= SHOWN_BYTES_MAX ? key : Arrays.copyOf(key, SHOWN_BYTES_MAX);
        String more = shown == key ? "" : "…";
        for (byte b : shown) {
            if (b < ' ' || b > '~') {
                return "x'" + HexFormat.of().formatHex(shown) + "'" + more;
            }
        }
        return "'" + new String(shown, StandardCharsets.US_ASCII) + "'" + more;
    }
}
