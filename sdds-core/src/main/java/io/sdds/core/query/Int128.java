package io.sdds.core.query;

import io.sdds.core.row.Values;
import java.math.BigInteger;

/** The unscaled numbers of DECIMAL, as rows store them. */
public final class Int128 {
    private static final int BITS_MAX = 127;

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

    /** Whether a number has no more digits. */
    static boolean hasDigits(BigInteger number, int digits) {
        return number.abs().compareTo(BigInteger.TEN.pow(digits)) < 0;
    }
}
