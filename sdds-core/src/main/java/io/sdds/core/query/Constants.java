package io.sdds.core.query;

import io.sdds.core.row.ValueType;
import io.sdds.core.row.ValueType.Kind;
import io.sdds.core.row.Values;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Checks the types and the constants of programs that came from elsewhere. */
final class Constants {
    private Constants() {}

    static boolean isType(ValueType type) {
        return switch (type.kind()) {
            case UNKNOWN -> false;
            case DECIMAL ->
                type.precision() >= 1
                        && type.precision() <= ValueType.DECIMAL_DIGITS_MAX
                        && type.scale() >= 0
                        && type.scale() <= type.precision();
            case VARCHAR, VARBINARY -> type.precision() >= 0 && type.scale() == 0;
            default -> type.precision() == 0 && type.scale() == 0;
        };
    }

    /** Whether the bytes are a value of the type, or NULL, in the one form that the value has. */
    static boolean fits(ValueType type, byte @Nullable [] value) {
        if (value == null) {
            return true;
        }
        Kind kind = type.kind();
        if (kind.bytes() != 0 && value.length != kind.bytes()) {
            return false;
        }
        ByteBuffer bytes = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
        return switch (kind) {
            case BOOLEAN -> value[0] == 0 || value[0] == 1;
            case DOUBLE -> isCanonical(bytes.getLong(0));
            case DECIMAL -> Int128.hasDigits(Int128.read(value), type.precision());
            case TIME -> bytes.getLong(0) >= 0 && bytes.getLong(0) < Values.MICROS_OF_DAY;
            case VARCHAR ->
                Utf8.isValid(value) && (type.precision() == 0 || Utf8.codePoints(value) <= type.precision());
            case VARBINARY -> type.precision() == 0 || value.length <= type.precision();
            default -> true;
        };
    }

    private static boolean isCanonical(long bits) {
        return bits != Long.MIN_VALUE && Double.doubleToLongBits(Double.longBitsToDouble(bits)) == bits;
    }
}
