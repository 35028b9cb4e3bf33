package io.sdds.core.model;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The keys (λ, Λ] of a range partition (RP*, section 2.1), in the unsigned order of their bytes. Immutable: callers
 * must not change the arrays.
 *
 * @param low λ, which the span does not hold; empty for −∞, because no key is empty
 * @param high Λ, which the span holds; empty for +∞
 */
public record KeySpan(byte[] low, byte[] high) {
    private static final byte[] NONE = new byte[0];
    private static final int SHOWN_BYTES_MAX = 40;

    /** All keys. Also the value of a span that is not used. */
    public static final KeySpan ALL = new KeySpan(NONE, NONE);

    /** No keys. The span of an idle column of a range table. */
    public static final KeySpan EMPTY = new KeySpan(new byte[] {0}, new byte[] {0});

    /** Whether the span holds no key at all. */
    public boolean isEmpty() {
        return !isFirst() && Arrays.equals(low, high);
    }

    /** Whether Λ is +∞. */
    public boolean isLast() {
        return high.length == 0;
    }

    /** Whether λ is −∞. */
    public boolean isFirst() {
        return low.length == 0;
    }

    /** Whether the span holds a key. */
    public boolean holds(byte[] key) {
        return Arrays.compareUnsigned(low, key) < 0 && (isLast() || Arrays.compareUnsigned(key, high) <= 0);
    }

    /** Whether the span holds the keys right above a key; for an empty key: the lowest of all keys. */
    public boolean holdsAbove(byte[] key) {
        return Arrays.compareUnsigned(low, key) <= 0 && (isLast() || Arrays.compareUnsigned(key, high) < 0);
    }

    /** The part of the span up to a key, this key included. The span must hold the key. */
    public KeySpan upTo(byte[] key) {
        return new KeySpan(low, key);
    }

    /** The part of the span above a key. The span must hold the key. */
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

    /** The span as text, such as {@code ('a', 'b']}. */
    @Override
    public String toString() {
        return isEmpty() ? "none" : "(" + (isFirst() ? "-∞" : text(low)) + ", " + (isLast() ? "+∞" : text(high)) + "]";
    }

    /** A key as text: in quotes when it is printable ASCII, else in hexadecimal. */
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
