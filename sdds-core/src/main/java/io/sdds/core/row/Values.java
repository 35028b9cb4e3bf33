package io.sdds.core.row;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Java objects as the bytes that rows store, and back.
 *
 * <table>
 * <caption>Classes of values</caption>
 * <tr><th>type</th><th>class that is read</th><th>classes that are written, too</th></tr>
 * <tr><td>boolean</td><td>{@link Boolean}</td><td></td></tr>
 * <tr><td>integer</td><td>{@link Integer}</td><td>{@link Byte}, {@link Short}, {@link Long} in the range</td></tr>
 * <tr><td>bigint</td><td>{@link Long}</td><td>{@link Byte}, {@link Short}, {@link Integer}</td></tr>
 * <tr><td>double</td><td>{@link Double}</td><td>{@link Float}</td></tr>
 * <tr><td>decimal(p,s)</td><td>{@link BigDecimal} of scale s</td><td>{@link BigInteger}, those of bigint</td></tr>
 * <tr><td>date</td><td>{@link LocalDate}</td><td></td></tr>
 * <tr><td>time</td><td>{@link LocalTime}</td><td></td></tr>
 * <tr><td>timestamp</td><td>{@link LocalDateTime}</td><td></td></tr>
 * <tr><td>uuid</td><td>{@link UUID}</td><td></td></tr>
 * <tr><td>varchar</td><td>{@link String}</td><td></td></tr>
 * <tr><td>varbinary</td><td>{@code byte[]}</td><td></td></tr>
 * </table>
 *
 * <p>Times lose what is smaller than a microsecond. Nothing else is rounded: a number with more digits behind the point
 * than its column is refused.
 */
public final class Values {
    /** Microseconds of a day; a TIME is smaller. */
    public static final long MICROS_OF_DAY = 86_400_000_000L;

    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle BIG_ENDIAN_LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private static final long MICROS_OF_SECOND = 1_000_000;
    private static final int NANOS_OF_MICRO = 1_000;
    private static final int SHOWN_MAX = 60;

    /** What a decoder writes in place of bytes that are no UTF-8. */
    private static final char REPLACEMENT = '\uFFFD';

    private Values() {}

    /** The class of the values that are read of a type. */
    public static Class<?> javaClass(ValueType type) {
        return switch (type.kind()) {
            case BOOLEAN -> Boolean.class;
            case INTEGER -> Integer.class;
            case BIGINT -> Long.class;
            case DOUBLE -> Double.class;
            case DECIMAL -> BigDecimal.class;
            case DATE -> LocalDate.class;
            case TIME -> LocalTime.class;
            case TIMESTAMP -> LocalDateTime.class;
            case UUID -> UUID.class;
            case VARCHAR -> String.class;
            case VARBINARY -> byte[].class;
            case UNKNOWN -> throw unknown();
        };
    }

    /**
     * The bytes of a value. Bytes of VARBINARY are not copied.
     *
     * @param column for messages; null: the message names no column
     * @throws IllegalArgumentException if the value is of another class or does not fit the type
     */
    public static byte[] encode(ValueType type, Object value, @Nullable String column) {
        if (type.kind() == ValueType.Kind.VARCHAR) {
            return utf8(cast(String.class, type, value, column), type.precision(), column);
        }
        if (type.kind() == ValueType.Kind.VARBINARY) {
            return limited(cast(byte[].class, type, value, column), type.precision(), column);
        }
        byte[] bytes = new byte[type.bytes()];
        writeFixed(type, value, column, bytes, 0);
        return bytes;
    }

    /** Writes a value of fixed width at an offset; else like {@link #encode}. */
    static void writeFixed(ValueType type, Object value, @Nullable String column, byte[] to, int at) {
        switch (type.kind()) {
            case BOOLEAN -> to[at] = (byte) (cast(Boolean.class, type, value, column) ? 1 : 0);
            case INTEGER -> INTS.set(to, at, int32(type, value, column));
            case BIGINT -> LONGS.set(to, at, int64(type, value, column));
            case DOUBLE -> LONGS.set(to, at, doubleBits(float64(type, value, column)));
            case DECIMAL -> writeDecimal(decimal(type, value, column), to, at);
            case DATE -> INTS.set(to, at, days(cast(LocalDate.class, type, value, column), column));
            case TIME ->
                LONGS.set(to, at, cast(LocalTime.class, type, value, column).toNanoOfDay() / NANOS_OF_MICRO);
            case TIMESTAMP -> LONGS.set(to, at, micros(cast(LocalDateTime.class, type, value, column), column));
            case UUID -> {
                UUID uuid = cast(UUID.class, type, value, column);
                BIG_ENDIAN_LONGS.set(to, at, uuid.getMostSignificantBits());
                BIG_ENDIAN_LONGS.set(to, at + Long.BYTES, uuid.getLeastSignificantBits());
            }
            case VARCHAR, VARBINARY, UNKNOWN -> throw unknown();
        }
    }

    /**
     * The value of bytes.
     *
     * @throws MalformedRowException if no value of the type has the bytes
     */
    public static Object decode(ValueType type, byte[] stored) {
        return decode(type, stored, 0, stored.length);
    }

    /** The value of bytes that are part of an array; the part must be inside the array. */
    public static Object decode(ValueType type, byte[] bytes, int at, int length) {
        if (type.bytes() != 0 && length != type.bytes()) {
            throw new MalformedRowException(length + " bytes of " + type + ", which has " + type.bytes());
        }
        return switch (type.kind()) {
            case BOOLEAN -> bool(bytes[at]);
            case INTEGER -> int32(bytes, at);
            case BIGINT -> int64(bytes, at);
            case DOUBLE -> Double.longBitsToDouble(int64(bytes, at));
            case DECIMAL -> new BigDecimal(int128(bytes, at), type.scale());
            case DATE -> LocalDate.ofEpochDay(int32(bytes, at));
            case TIME -> LocalTime.ofNanoOfDay(microsOfDay(bytes, at) * NANOS_OF_MICRO);
            case TIMESTAMP -> timestamp(int64(bytes, at));
            case UUID ->
                new UUID((long) BIG_ENDIAN_LONGS.get(bytes, at), (long) BIG_ENDIAN_LONGS.get(bytes, at + Long.BYTES));
            case VARCHAR -> text(bytes, at, length);
            case VARBINARY -> Arrays.copyOfRange(bytes, at, at + length);
            case UNKNOWN -> throw unknown();
        };
    }

    /** A number of 32 bits, or the days of a date. */
    public static int int32(byte[] bytes, int at) {
        return (int) INTS.get(bytes, at);
    }

    /** A number of 64 bits, the bits of a double, or the microseconds of a timestamp. */
    public static long int64(byte[] bytes, int at) {
        return (long) LONGS.get(bytes, at);
    }

    /**
     * The microseconds of a time.
     *
     * @throws MalformedRowException if no time has them
     */
    public static long microsOfDay(byte[] bytes, int at) {
        long micros = int64(bytes, at);
        if (micros < 0 || micros >= MICROS_OF_DAY) {
            throw new MalformedRowException("a time of " + micros + " µs, which is no time of a day");
        }
        return micros;
    }

    /**
     * A boolean.
     *
     * @throws MalformedRowException if the byte is neither 0 nor 1
     */
    public static boolean bool(byte stored) {
        if (stored >> 1 != 0) {
            throw new MalformedRowException("a boolean of " + stored + ", which is neither 0 nor 1");
        }
        return stored == 1;
    }

    /**
     * Checks the bytes of a text.
     *
     * @throws MalformedRowException if they are no UTF-8
     */
    public static void checkText(byte[] bytes, int at, int length) {
        for (int k = at; k < at + length; k++) {
            if (bytes[k] < 0) {
                text(bytes, at, length);
                return;
            }
        }
    }

    private static String text(byte[] bytes, int at, int length) {
        String text = new String(bytes, at, length, StandardCharsets.UTF_8);
        // What is no UTF-8 becomes U+FFFD, which a text may have, too.
        if (text.indexOf(REPLACEMENT) >= 0 && !isUtf8(ByteBuffer.wrap(bytes, at, length))) {
            throw new MalformedRowException("a text that is no UTF-8: " + shown(text));
        }
        return text;
    }

    private static boolean isUtf8(ByteBuffer bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(bytes);
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    /** The bits of a number as rows store it: one zero and one NaN. */
    public static long doubleBits(double number) {
        return Double.doubleToLongBits(number + 0.0);
    }

    /** An unscaled decimal number in 16 bytes, little endian. */
    public static BigInteger int128(byte[] bytes, int at) {
        long low = (long) LONGS.get(bytes, at);
        long high = (long) LONGS.get(bytes, at + Long.BYTES);
        if (high == low >> 63) {
            return BigInteger.valueOf(low);
        }
        byte[] bigEndian = new byte[2 * Long.BYTES];
        BIG_ENDIAN_LONGS.set(bigEndian, 0, high);
        BIG_ENDIAN_LONGS.set(bigEndian, Long.BYTES, low);
        return new BigInteger(bigEndian);
    }

    /**
     * The UTF-8 bytes of a text.
     *
     * @param lengthMax most code points; 0: no limit
     * @throws IllegalArgumentException if the text is longer or has half a surrogate pair, because UTF-8 would give
     *     different texts with such halves the same bytes
     */
    static byte[] utf8(String text, int lengthMax, @Nullable String column) {
        int codePoints = 0;
        for (int k = 0; k < text.length(); k++, codePoints++) {
            if (Character.isSurrogate(text.charAt(k))) {
                if (!Character.isSupplementaryCodePoint(text.codePointAt(k))) {
                    throw misfit(column, "half a surrogate pair at index " + k + " of a text");
                }
                k++;
            }
        }
        if (lengthMax != 0 && codePoints > lengthMax) {
            throw misfit(
                    column,
                    "text of " + codePoints + " code points where varchar(" + lengthMax + ") has room for " + lengthMax
                            + ": " + shown(text));
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] limited(byte[] bytes, int lengthMax, @Nullable String column) {
        if (lengthMax != 0 && bytes.length > lengthMax) {
            throw misfit(column, bytes.length + " bytes where varbinary(" + lengthMax + ") has room for " + lengthMax);
        }
        return bytes;
    }

    // ---- numbers

    private static int int32(ValueType type, Object value, @Nullable String column) {
        long number = int64(type, value, column);
        if (number != (int) number) {
            throw misfit(column, number + " is no " + type + ": " + Integer.MIN_VALUE + " to " + Integer.MAX_VALUE);
        }
        return (int) number;
    }

    private static long int64(ValueType type, Object value, @Nullable String column) {
        if (isInteger(value)) {
            return ((Number) value).longValue();
        }
        throw wrongClass(type, value, column);
    }

    private static boolean isInteger(Object value) {
        return value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte;
    }

    private static double float64(ValueType type, Object value, @Nullable String column) {
        if (value instanceof Double || value instanceof Float) {
            return ((Number) value).doubleValue();
        }
        throw wrongClass(type, value, column);
    }

    /** The unscaled number, within the digits of the type. */
    static BigInteger decimal(ValueType type, Object value, @Nullable String column) {
        BigDecimal number;
        if (value instanceof BigDecimal decimal) {
            number = decimal;
        } else if (value instanceof BigInteger integer) {
            number = new BigDecimal(integer);
        } else {
            number = BigDecimal.valueOf(int64(type, value, column));
        }
        if (number.signum() == 0) {
            return BigInteger.ZERO;
        }
        // The digits at the scale of the type, known before a number like 1e999999999 is written out.
        long digits = (long) number.precision() - number.scale() + type.scale();
        if (digits > type.precision()) {
            throw misfit(column, shown(number) + " is no " + type + ": too many digits before the point");
        }
        if (digits > 0) {
            BigDecimal stripped = number.stripTrailingZeros();
            if (stripped.scale() <= type.scale()) {
                return stripped.setScale(type.scale(), RoundingMode.UNNECESSARY).unscaledValue();
            }
        }
        throw misfit(column, shown(number) + " is no " + type + ": too many digits behind the point");
    }

    private static void writeDecimal(BigInteger unscaled, byte[] to, int at) {
        LONGS.set(to, at, unscaled.longValue());
        LONGS.set(to, at + Long.BYTES, unscaled.shiftRight(Long.SIZE).longValue());
    }

    // ---- dates and times

    private static int days(LocalDate date, @Nullable String column) {
        long days = date.toEpochDay();
        if (days != (int) days) {
            throw misfit(column, date + " is no date: days since 1970-01-01 have 32 bits");
        }
        return (int) days;
    }

    private static long micros(LocalDateTime time, @Nullable String column) {
        long seconds = time.toEpochSecond(ZoneOffset.UTC);
        long micros = time.getNano() / NANOS_OF_MICRO;
        try {
            // Negative seconds are counted towards zero, so that the product does not overflow before the sum.
            return seconds < 0
                    ? Math.addExact(Math.multiplyExact(seconds + 1, MICROS_OF_SECOND), micros - MICROS_OF_SECOND)
                    : Math.addExact(Math.multiplyExact(seconds, MICROS_OF_SECOND), micros);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    at(column) + time + " is no timestamp: microseconds since 1970-01-01 have 64 bits", e);
        }
    }

    private static LocalDateTime timestamp(long micros) {
        return LocalDateTime.ofEpochSecond(
                Math.floorDiv(micros, MICROS_OF_SECOND),
                (int) Math.floorMod(micros, MICROS_OF_SECOND) * NANOS_OF_MICRO,
                ZoneOffset.UTC);
    }

    // ---- errors

    private static <T> T cast(Class<T> wanted, ValueType type, Object value, @Nullable String column) {
        if (wanted.isInstance(value)) {
            return wanted.cast(value);
        }
        throw wrongClass(type, value, column);
    }

    private static IllegalArgumentException wrongClass(ValueType type, Object value, @Nullable String column) {
        return misfit(
                column,
                type + " takes a " + javaClass(type).getSimpleName() + ", not a "
                        + value.getClass().getSimpleName());
    }

    static IllegalArgumentException misfit(@Nullable String column, String problem) {
        return new IllegalArgumentException(at(column) + problem);
    }

    private static String at(@Nullable String column) {
        return column == null ? "" : "column '" + column + "': ";
    }

    static String shown(Object value) {
        String text = value.toString();
        return text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX) + "…";
    }

    private static IllegalArgumentException unknown() {
        return new IllegalArgumentException("a type of a later version");
    }
}
