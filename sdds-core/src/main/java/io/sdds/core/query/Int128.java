package io.sdds.core.query;

import io.sdds.core.row.Values;
import java.math.BigInteger;

/** The unscaled numbers of DECIMAL, as rows store them. */
public final class Int128 {
    private static final int BITS_MAX = 127;

    /** The digits that a number of 64 bits has at most. */
    private static final int SHORT_DIGITS = 19;

    private Int128() {}

    public static BigInteger read(byte[] value) {
        return Values.int128(value, 0);
    }

    /**
     * The 16 bytes of a number.
     *
     * @throws EvaluationFailure when the number has more than 127 bits
     */
    public static byte[] write(BigInteger number) {
        if (number.bitLength() > BITS_MAX) {
            throw new EvaluationFailure(EvaluationError.OVERFLOW);
        }
        byte[] value = new byte[2 * Long.BYTES];
        System.arraycopy(Stored.number(number.longValue(), Long.BYTES), 0, value, 0, Long.BYTES);
        long high = number.shiftRight(Long.SIZE).longValue();
        System.arraycopy(Stored.number(high, Long.BYTES), 0, value, Long.BYTES, Long.BYTES);
        return value;
    }

    /**
     * The 16 bytes of the sum of two numbers of 16 bytes.
     *
     * @throws EvaluationFailure when the sum has more than 127 bits
     */
    static byte[] sum(byte[] one, byte[] other) {
        long low = Stored.half(one, 0) + Stored.half(other, 0);
        long carry = Long.compareUnsigned(low, Stored.half(one, 0)) < 0 ? 1 : 0;
        long oneHigh = Stored.half(one, Long.BYTES);
        long otherHigh = Stored.half(other, Long.BYTES);
        long high = oneHigh + otherHigh + carry;
        boolean overflows = ((oneHigh ^ high) & (otherHigh ^ high)) < 0;
        if (overflows) {
            throw new EvaluationFailure(EvaluationError.OVERFLOW);
        }
        return Stored.halves(low, high);
    }

    /** Whether a number of 16 bytes has no more digits. */
    static boolean hasDigits(byte[] number, int digits) {
        long high = Stored.half(number, Long.BYTES);
        boolean isShort = digits >= SHORT_DIGITS && high == Stored.half(number, 0) >> Long.SIZE - 1;
        return isShort || hasDigits(read(number), digits);
    }

    /** Whether a number has no more digits. */
    static boolean hasDigits(BigInteger number, int digits) {
        return number.abs().compareTo(BigInteger.TEN.pow(digits)) < 0;
    }
}
