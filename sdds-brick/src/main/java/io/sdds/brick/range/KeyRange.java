package io.sdds.brick.range;

import io.sdds.brick.memory.KeyOrder;
import java.lang.foreign.MemorySegment;

/**
 * The keys between two bounds, each inclusive, exclusive or absent. A caller makes one object and sets it for each use.
 * The bytes of the bounds are not copied, and must not change while the range is used.
 *
 * <p>A walk over many steps goes on behind the last key that it saw: that key, exclusive, is the bound of the next
 * step, whatever has changed in between.
 */
public final class KeyRange {

    final Bound low = new Bound();
    final Bound high = new Bound();

    /** One end of the range. */
    static final class Bound {
        MemorySegment key = MemorySegment.NULL;
        long offset;
        int length;
        boolean present;
        boolean inclusive;

        private void set(MemorySegment segment, long keyOffset, int keyLength, boolean includesKey) {
            key = segment;
            offset = keyOffset;
            length = keyLength;
            present = true;
            inclusive = includesKey;
        }

        private void clear() {
            key = MemorySegment.NULL;
            present = false;
        }
    }

    /** A range of all keys. */
    public KeyRange() {}

    /** Lets the range begin with the first key of the bucket. */
    public KeyRange fromFirst() {
        low.clear();
        return this;
    }

    /** Lets the range begin with a key, or right above it. */
    public KeyRange from(MemorySegment key, long keyOffset, int keyLength, boolean inclusive) {
        low.set(key, keyOffset, keyLength, inclusive);
        return this;
    }

    /** Lets the range end with the last key of the bucket. */
    public KeyRange toLast() {
        high.clear();
        return this;
    }

    /** Lets the range end with a key, or right below it. */
    public KeyRange to(MemorySegment key, long keyOffset, int keyLength, boolean inclusive) {
        high.set(key, keyOffset, keyLength, inclusive);
        return this;
    }

    /** Whether the range holds no key, because its bounds are reversed, or are one key that is not included. */
    boolean isEmpty() {
        if (!low.present || !high.present) {
            return false;
        }
        int difference = KeyOrder.compare(low.key, low.offset, low.length, high.key, high.offset, high.length, 0);
        return difference > 0 || difference == 0 && !(low.inclusive && high.inclusive);
    }
}
