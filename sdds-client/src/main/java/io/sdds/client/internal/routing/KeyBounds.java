package io.sdds.client.internal.routing;

import io.sdds.core.model.KeySpan;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A range of keys by their bytes, in the order in which it is walked.
 *
 * @param from where the walk begins; empty: at the end of all keys
 * @param to where it ends; empty: at the other end of all keys
 * @param descending whether it goes from high to low keys
 */
public record KeyBounds(byte[] from, boolean fromInclusive, byte[] to, boolean toInclusive, boolean descending) {
    /** Of a bound that there is none. */
    public static final byte[] OPEN = new byte[0];

    /** All keys, ascending. */
    public static final KeyBounds ALL = new KeyBounds(OPEN, false, OPEN, false, false);

    /** The same keys walked the other way. */
    public KeyBounds reversed() {
        return new KeyBounds(to, toInclusive, from, fromInclusive, !descending);
    }

    /** What is left behind a key. */
    public KeyBounds behind(byte[] key) {
        return new KeyBounds(key, false, to, toInclusive, descending);
    }

    KeyBounds from(byte[] key, boolean inclusive) {
        return new KeyBounds(key, inclusive, to, toInclusive, descending);
    }

    KeyBounds to(byte[] key, boolean inclusive) {
        return new KeyBounds(from, fromInclusive, key, inclusive, descending);
    }

    /** What it has of the keys of a span; may be empty. */
    KeyBounds within(KeySpan span) {
        if (descending) {
            return reversed().within(span).reversed();
        }
        KeyBounds cut = this;
        if (Arrays.compareUnsigned(from, span.low()) < (fromInclusive ? 1 : 0)) {
            cut = cut.from(span.low(), false);
        }
        if (!span.isLast() && (to.length == 0 || Arrays.compareUnsigned(to, span.high()) > 0)) {
            cut = cut.to(span.high(), true);
        }
        return cut;
    }

    /** What it has before a part of it, in the direction of the walk; null when there is nothing. */
    @Nullable
    KeyBounds before(KeyBounds part) {
        KeyBounds before = part.from().length == 0 ? null : to(part.from(), !part.fromInclusive());
        return before == null || before.isEmpty() ? null : before;
    }

    /** What it has behind a part of it; null when there is nothing. */
    @Nullable
    KeyBounds behind(KeyBounds part) {
        KeyBounds behind = reversed().before(part.reversed());
        return behind == null ? null : behind.reversed();
    }

    /** Whether there can be no key in it. */
    public boolean isEmpty() {
        if (from.length == 0 || to.length == 0) {
            return false;
        }
        int order = Arrays.compareUnsigned(from, to);
        return order == 0 ? !(fromInclusive && toInclusive) : descending ? order < 0 : order > 0;
    }

    /** Whether a key is in it. */
    public boolean holds(byte[] key) {
        byte[] low = descending ? to : from;
        byte[] high = descending ? from : to;
        int aboveLow = low.length == 0 ? 1 : Arrays.compareUnsigned(key, low);
        int belowHigh = high.length == 0 ? 1 : Arrays.compareUnsigned(high, key);
        return (aboveLow > 0 || aboveLow == 0 && (descending ? toInclusive : fromInclusive))
                && (belowHigh > 0 || belowHigh == 0 && (descending ? fromInclusive : toInclusive));
    }

    /** Whether a key lies between its end and the present one, which it may be. */
    boolean reachesBeyond(byte[] key) {
        if (to.length == 0) {
            return true;
        }
        int order = Arrays.compareUnsigned(to, key);
        return descending ? order < 0 || order == 0 && toInclusive : order > 0;
    }

    /** For people: in the order of keys. */
    @Override
    public String toString() {
        KeyBounds up = descending ? reversed() : this;
        return (up.fromInclusive && up.from.length > 0 ? "[" : "(")
                + (up.from.length == 0 ? "-∞" : KeySpan.text(up.from))
                + ", "
                + (up.to.length == 0 ? "+∞" : KeySpan.text(up.to))
                + (up.toInclusive || up.to.length == 0 ? "]" : ")");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyBounds bounds
                && Arrays.equals(from, bounds.from)
                && Arrays.equals(to, bounds.to)
                && fromInclusive == bounds.fromInclusive
                && toInclusive == bounds.toInclusive
                && descending == bounds.descending;
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(from) + Arrays.hashCode(to);
    }
}
