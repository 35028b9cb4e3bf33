package io.sdds.brick.query;

import java.math.BigInteger;

/**
 * Numbers of 128 bits, two's complement, as a high and a low half. What is rare is done by {@link BigInteger}, with
 * objects.
 */
final class Decimals {
    /** Powers of ten up to 10^38, which has 127 bits. */
    private static final int POWERS = 39;

    private static final long[] POWER_HIGHS = new long[POWERS];
    private static final long[] POWER_LOWS = new long[POWERS];

    static {
        for (int k = 0; k < POWERS; k++) {
            BigInteger power = BigInteger.TEN.pow(k);
            POWER_HIGHS[k] = power.shiftRight(Long.SIZE).longValue();
            POWER_LOWS[k] = power.longValue();
        }
    }

    private Decimals() {}

    /** Whether a number has at most so many digits. */
    static boolean fits(long high, long low, int precision) {
        long powerHigh = POWER_HIGHS[precision];
        long powerLow = POWER_LOWS[precision];
        if (high >= 0) {
            return Comparisons.order(high, low, powerHigh, powerLow) < 0;
        }
        long negatedLow = -low;
        long negatedHigh = ~high + (low == 0 ? 1 : 0);
        return negatedHigh >= 0 && Comparisons.order(negatedHigh, negatedLow, powerHigh, powerLow) < 0;
    }

    static boolean isLong(long high, long low) {
        return high == low >> 63;
    }

    static BigInteger big(long high, long low) {
        if (isLong(high, low)) {
            return BigInteger.valueOf(low);
        }
        BigInteger unsigned = BigInteger.valueOf(low);
        return BigInteger.valueOf(low < 0 ? high + 1 : high)
                .shiftLeft(Long.SIZE)
                .add(unsigned);
    }

    /** Writes a number into a row, or OVERFLOW if it has more digits than the type. */
    static void set(Lane out, int row, BigInteger number, int rows) {
        if (number.bitLength() > 127) {
            out.state(row, Fault.OVERFLOW, rows);
        } else {
            set(out, row, number.shiftRight(Long.SIZE).longValue(), number.longValue(), rows);
        }
    }

    static void set(Lane out, int row, long high, long low, int rows) {
        out.highs[row] = high;
        out.values[row] = low;
        if (!fits(high, low, out.type.precision())) {
            out.state(row, Fault.OVERFLOW, rows);
        }
    }

    /** A quotient, rounded to an integer, halves away from zero. */
    static BigInteger rounded(BigInteger dividend, BigInteger divisor) {
        BigInteger[] parts = dividend.divideAndRemainder(divisor);
        boolean up = parts[1].shiftLeft(1).abs().compareTo(divisor.abs()) >= 0;
        int sign = dividend.signum() * divisor.signum();
        return up ? parts[0].add(BigInteger.valueOf(sign)) : parts[0];
    }
}
