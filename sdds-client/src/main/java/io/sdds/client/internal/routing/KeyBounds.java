package io.sdds.client.internal.routing;

import io.sdds.core.model.KeySpan;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A range of keys by their bytes, with the direction in which a sweep walks it.
 *
 * @param from where the walk begins; empty: at the first key of all in the walk's direction
 * @param to where the walk ends; empty: at the last key of all in the walk's direction
 * @param descending whether the walk goes from high to low keys
 */
public record KeyBounds(byte[] from, boolean fromInclusive, byte[] to, boolean toInclusive, boolean descending) {
    /** The bound of an open end. */
    public static final byte[] OPEN = new byte[0];

    /** All keys, ascending. */
    public static final KeyBounds ALL = new KeyBounds(OPEN, false, OPEN, false, false);

    /** No key, ascending. */
    public static final KeyBounds NONE = new KeyBounds(new byte[1], false, new byte[1], false, false);

    /** One key alone, ascending. */
    public static KeyBounds of(byte[] key) {
        return new KeyBounds(key, true, key, true, false);
    }

    /** The keys that begin with these bytes, ascending. */
    public static KeyBounds startingWith(byte[] prefix) {
        return prefix.length == 0 ? ALL : new KeyBounds(prefix, true, above(prefix), false, false);
    }

    /** The lowest key above all keys that begin with a prefix; {@link #OPEN} when there is none. */
    public static byte[] above(byte[] prefix) {
        int length = prefix.length;
        while (length > 0 && prefix[length - 1] == (byte) 0xff) {
            length--;
        }
        byte[] above = Arrays.copyOf(prefix, length);
        if (length > 0) {
            above[length - 1]++;
        }
        return above;
    }

    /** The keys of this range that are in another one, too, in the direction of this one. */
    public KeyBounds and(KeyBounds other) {
        if (other.equals(ALL)) {
            return this;
        }
        KeyBounds up = descending ? reversed() : this;
        KeyBounds otherUp = other.descending ? other.reversed() : other;
        KeyBounds low = otherUp.isAboveLow(up) ? otherUp : up;
        KeyBounds high = otherUp.isBelowHigh(up) ? otherUp : up;
        KeyBounds both = new KeyBounds(low.from, low.fromInclusive, high.to, high.toInclusive, false);
        return descending ? both.reversed() : both;
    }

    /** Of ascending ranges: whether this one begins later. */
    private boolean isAboveLow(KeyBounds other) {
        int order = Arrays.compareUnsigned(from, other.from);
        return order > 0 || order == 0 && !fromInclusive;
    }

    /** Of ascending ranges: whether this one ends earlier. */
    private boolean isBelowHigh(KeyBounds other) {
        if (to.length == 0 || other.to.length == 0) {
            return to.length > 0;
        }
        int order = Arrays.compareUnsigned(to, other.to);
        return order < 0 || order == 0 && !toInclusive;
    }

    /** The only key that the range can hold; null if it can hold others or none. */
    public byte @Nullable [] onlyKey() {
        return from.length > 0 && fromInclusive && toInclusive && Arrays.equals(from, to) ? from : null;
    }

    /** The same keys in the other direction. */
    public KeyBounds reversed() {
        return new KeyBounds(to, toInclusive, from, fromInclusive, !descending);
    }

    /** The part of the range behind a key, in the direction of the walk. */
    public KeyBounds behind(byte[] key) {
        return new KeyBounds(key, false, to, toInclusive, descending);
    }

    KeyBounds from(byte[] key, boolean inclusive) {
        return new KeyBounds(key, inclusive, to, toInclusive, descending);
    }

    KeyBounds to(byte[] key, boolean inclusive) {
        return new KeyBounds(from, fromInclusive, key, inclusive, descending);
    }

    /** The part of the range that lies within a span; may be empty. */
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

    /** The keys of the range before one of its parts, in the direction of the walk; null when there are none. */
    @Nullable
    KeyBounds before(KeyBounds part) {
        KeyBounds before = part.from().length == 0 ? null : to(part.from(), !part.fromInclusive());
        return before == null || before.isEmpty() ? null : before;
    }

    /** The keys of the range behind one of its parts; null when there are none. */
    @Nullable
    KeyBounds behind(KeyBounds part) {
        KeyBounds behind = reversed().before(part.reversed());
        return behind == null ? null : behind.reversed();
    }

    /** Whether the range can hold no key. */
    public boolean isEmpty() {
        if (from.length == 0 || to.length == 0) {
            return false;
        }
        int order = Arrays.compareUnsigned(from, to);
        return order == 0 ? !(fromInclusive && toInclusive) : descending ? order < 0 : order > 0;
    }

    /** Whether the range holds a key. */
    public boolean holds(byte[] key) {
        byte[] low = descending ? to : from;
        byte[] high = descending ? from : to;
        int aboveLow = low.length == 0 ? 1 : Arrays.compareUnsigned(key, low);
        int belowHigh = high.length == 0 ? 1 : Arrays.compareUnsigned(high, key);
        return (aboveLow > 0 || aboveLow == 0 && (descending ? toInclusive : fromInclusive))
                && (belowHigh > 0 || belowHigh == 0 && (descending ? fromInclusive : toInclusive));
    }

    /**
     * Whether the range goes on behind the end of a span. The high end of a span is in the span. The low end, where a
     * descending walk leaves the span, is not.
     */
    boolean reachesBeyond(byte[] key) {
        if (to.length == 0) {
            return true;
        }
        int order = Arrays.compareUnsigned(to, key);
        return descending ? order < 0 || order == 0 && toInclusive : order > 0;
    }

    /** The range as text for messages, in ascending order of keys. */
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
