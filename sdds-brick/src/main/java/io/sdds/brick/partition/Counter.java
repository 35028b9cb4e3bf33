package io.sdds.brick.partition;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Reads and writes signed 64-bit numbers in the two forms of counters: decimal text, or the eight bytes of a request
 * with FLAG_INT64. A stage uses one object, which allocates nothing.
 */
final class Counter {
    private static final int DIGITS_MAX = 20;
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final byte[] bytes = new byte[DIGITS_MAX];
    private final MemorySegment segment = MemorySegment.ofArray(bytes);
    private int length;
    private long number;

    /** Reads {@code -?[0-9]+}; false when the text is no such number of 64 bits. */
    boolean readText(MemorySegment from, long offset, int textLength) {
        if (textLength == 0 || textLength > DIGITS_MAX) {
            return false;
        }
        boolean negative = from.get(BYTE, offset) == '-';
        int first = negative ? 1 : 0;
        if (first == textLength) {
            return false;
        }
        long magnitude = 0; // a negative number, because the range below zero is the larger one
        for (int k = first; k < textLength; k++) {
            int digit = from.get(BYTE, offset + k) - '0';
            if (digit < 0 || digit > 9 || magnitude < Long.MIN_VALUE / 10 || magnitude * 10 < Long.MIN_VALUE + digit) {
                return false;
            }
            magnitude = magnitude * 10 - digit;
        }
        if (!negative && magnitude == Long.MIN_VALUE) {
            return false;
        }
        number = negative ? magnitude : -magnitude;
        return true;
    }

    /** Reads eight bytes in which the sign bit is inverted; false when there are more or fewer. */
    boolean readInt64(MemorySegment from, long offset, int valueLength) {
        if (valueLength != Long.BYTES) {
            return false;
        }
        number = from.get(LONG, offset) ^ Long.MIN_VALUE;
        return true;
    }

    /** Sets the number to a sum; false when that leaves 64 bits. */
    boolean add(long a, long b) {
        long sum = a + b;
        if (((a ^ sum) & (b ^ sum)) < 0) {
            return false;
        }
        number = sum;
        return true;
    }

    long number() {
        return number;
    }

    /** The bytes of the form that was written last. */
    MemorySegment bytes() {
        return segment;
    }

    int length() {
        return length;
    }

    void writeInt64() {
        segment.set(LONG, 0, number ^ Long.MIN_VALUE);
        length = Long.BYTES;
    }

    void writeText() {
        int at = DIGITS_MAX;
        long rest = number > 0 ? -number : number;
        do {
            bytes[--at] = (byte) ('0' - rest % 10);
            rest /= 10;
        } while (rest != 0);
        if (number < 0) {
            bytes[--at] = '-';
        }
        length = DIGITS_MAX - at;
        System.arraycopy(bytes, at, bytes, 0, length);
    }
}
