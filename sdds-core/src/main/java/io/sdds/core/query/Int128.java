package io.sdds.core.query;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The unscaled numbers of DECIMAL, as rows store them. */
final class Int128 {
    private Int128() {}

    static BigInteger read(byte[] value) {
        ByteBuffer bytes = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
        return new BigInteger(ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(bytes.getLong(Long.BYTES))
                .putLong(bytes.getLong(0))
                .array());
    }

    static byte[] write(BigInteger number) {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(number.longValue())
                .putLong(number.shiftRight(Long.SIZE).longValue())
                .array();
    }

    /** Whether a number has no more digits. */
    static boolean hasDigits(BigInteger number, int digits) {
        return number.abs().compareTo(BigInteger.TEN.pow(digits)) < 0;
    }
}
