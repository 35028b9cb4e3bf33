package io.sdds.core.query;

import io.sdds.core.row.ValueType.Kind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Values as rows store them: numbers little endian. */
final class Stored {
    private static final byte[] FALSE = {0};
    private static final byte[] TRUE = {1};

    private Stored() {}

    static byte[] bool(boolean value) {
        return value ? TRUE : FALSE;
    }

    static boolean isTrue(byte[] value) {
        return value[0] != 0;
    }

    /** The number of 32 or 64 bits. */
    static long number(byte[] value) {
        ByteBuffer bytes = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
        return value.length == Integer.BYTES ? bytes.getInt(0) : bytes.getLong(0);
    }

    /** The 64 bits at an offset. */
    static long half(byte[] value, int offset) {
        return ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getLong(offset);
    }

    /** The lowest bytes of a number. */
    static byte[] number(long number, int bytes) {
        ByteBuffer buffer = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        return Arrays.copyOf(buffer.putLong(number).array(), bytes);
    }

    /** A number of 128 bits. */
    static byte[] halves(long low, long high) {
        ByteBuffer buffer = ByteBuffer.allocate(2 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        return buffer.putLong(low).putLong(high).array();
    }

    static double floating(byte[] value) {
        return Double.longBitsToDouble(number(value));
    }

    /** With one zero and one NaN. */
    static byte[] floating(double number) {
        return number(Double.doubleToLongBits(number + 0.0), Long.BYTES);
    }

    /** The one form of a value of a row, which a careless writer may have stored in another. */
    static byte[] canonical(Kind kind, byte[] value) {
        return switch (kind) {
            case BOOLEAN -> bool(isTrue(value));
            case DOUBLE -> floating(floating(value));
            default -> value;
        };
    }
}
