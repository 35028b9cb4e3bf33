package io.sdds.core.query;

import io.sdds.core.row.ValueType;
import io.sdds.core.row.Values;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The texts of {@link Op#CAST}. Blanks (U+0020) at the ends of a text that is read do not count, nor does the case of
 * letters.
 *
 * <table>
 * <caption>Texts of types</caption>
 * <tr><th>type</th><th>is read</th><th>is written</th></tr>
 * <tr><td>boolean</td><td>true, false</td><td>in lower case</td></tr>
 * <tr><td>integer, bigint</td><td>digits with + or - before them</td><td>without +</td></tr>
 * <tr><td>decimal</td><td>digits with + or -, and a point before, within or behind them; rounded to the scale, halves
 *     away from zero</td><td>without +, with a digit before the point and all digits of the scale</td></tr>
 * <tr><td>double</td><td>like decimal, with an exponent (e+10); nan, infinity with + or -; the nearest one</td>
 *     <td>never</td></tr>
 * <tr><td>date</td><td>2026-01-31, years 0001 to 9999</td><td>likewise; other years are an error</td></tr>
 * <tr><td>time</td><td>12:30, 12:30:15, with up to six digits of a fraction of the second</td><td>with seconds, and
 *     with a fraction without zeros at its end if there is one</td></tr>
 * <tr><td>timestamp</td><td>date, blank or T, time</td><td>with a blank</td></tr>
 * <tr><td>uuid</td><td>123e4567-e89b-12d3-a456-426614174000</td><td>in lower case</td></tr>
 * </table>
 */
public final class CastText {
    private static final int TEXT_BYTES_MAX = 400;
    private static final long MICROS_OF_SECOND = 1_000_000;
    private static final int FRACTION_DIGITS = 6;

    private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]+");
    private static final Pattern DECIMAL = Pattern.compile("[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)");
    private static final Pattern DOUBLE = Pattern.compile(DECIMAL.pattern() + "(e[+-]?[0-9]+)?");
    private static final Pattern DATE = Pattern.compile("([0-9]{4})-([0-9]{2})-([0-9]{2})");
    private static final Pattern TIME = Pattern.compile("([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\\.([0-9]{1,6}))?)?");
    private static final Pattern UUID_TEXT = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private CastText() {}

    /**
     * Reads a text as a value of a type other than VARCHAR and VARBINARY.
     *
     * @param text as UTF-8
     * @return as a row stores it; null if the text is no value of the type, which is
     *     {@link EvaluationError#INVALID_TEXT}
     */
    public static byte @Nullable [] parse(byte[] text, ValueType type) {
        String trimmed = trimmed(text);
        if (trimmed == null) {
            return null;
        }
        return switch (type.kind()) {
            case BOOLEAN -> bool(trimmed);
            case INTEGER, BIGINT -> integer(trimmed, type);
            case DECIMAL -> decimal(trimmed, type);
            case DOUBLE -> floating(trimmed);
            case DATE -> fixed(date(trimmed), Integer.BYTES);
            case TIME -> fixed(time(trimmed), Long.BYTES);
            case TIMESTAMP -> fixed(timestamp(trimmed), Long.BYTES);
            case UUID -> uuid(trimmed);
            case VARCHAR, VARBINARY, UNKNOWN -> null;
        };
    }

    /**
     * Writes a value of a type other than DOUBLE, VARCHAR and VARBINARY.
     *
     * @param value as a row stores it
     * @return as UTF-8; null if the value is no date of the years 1 to 9999 or no time of a day, which is
     *     {@link EvaluationError#OVERFLOW}
     */
    public static byte @Nullable [] print(byte[] value, ValueType type) {
        ByteBuffer bytes = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
        String text = switch (type.kind()) {
            case BOOLEAN -> value[0] == 0 ? "false" : "true";
            case INTEGER -> Integer.toString(bytes.getInt(0));
            case BIGINT -> Long.toString(bytes.getLong(0));
            case DECIMAL -> new BigDecimal(Int128.read(value), type.scale()).toPlainString();
            case DATE -> dateText(bytes.getInt(0));
            case TIME -> timeText(bytes.getLong(0));
            case TIMESTAMP -> timestampText(bytes.getLong(0));
            case UUID -> uuidText(bytes.order(ByteOrder.BIG_ENDIAN));
            case DOUBLE, VARCHAR, VARBINARY, UNKNOWN -> null;
        };
        return text == null ? null : text.getBytes(StandardCharsets.US_ASCII);
    }

    /** In lower case; null if the text is longer than each value, or has other signs than ASCII. */
    private static @Nullable String trimmed(byte[] text) {
        int from = 0;
        int to = text.length;
        while (from < to && text[from] == ' ') {
            from++;
        }
        while (from < to && text[to - 1] == ' ') {
            to--;
        }
        if (to - from > TEXT_BYTES_MAX) {
            return null;
        }
        char[] lower = new char[to - from];
        for (int k = from; k < to; k++) {
            if (text[k] < 0) {
                return null;
            }
            boolean isUpper = text[k] >= 'A' && text[k] <= 'Z';
            lower[k - from] = (char) (isUpper ? text[k] + ('a' - 'A') : text[k]);
        }
        return new String(lower);
    }

    private static byte @Nullable [] bool(String text) {
        return switch (text) {
            case "true" -> new byte[] {1};
            case "false" -> new byte[] {0};
            default -> null;
        };
    }

    private static byte @Nullable [] integer(String text, ValueType type) {
        if (!INTEGER.matcher(text).matches()) {
            return null;
        }
        BigInteger number = new BigInteger(text);
        return number.bitLength() < Byte.SIZE * type.bytes() ? fixed(number.longValue(), type.bytes()) : null;
    }

    private static byte @Nullable [] decimal(String text, ValueType type) {
        if (!DECIMAL.matcher(text).matches()) {
            return null;
        }
        BigInteger unscaled = new BigDecimal(text)
                .setScale(type.scale(), RoundingMode.HALF_UP)
                .unscaledValue();
        return Int128.hasDigits(unscaled, type.precision()) ? Int128.write(unscaled) : null;
    }

    private static byte @Nullable [] floating(String text) {
        double number;
        switch (text) {
            case "nan" -> number = Double.NaN;
            case "infinity", "+infinity" -> number = Double.POSITIVE_INFINITY;
            case "-infinity" -> number = Double.NEGATIVE_INFINITY;
            default -> {
                if (!DOUBLE.matcher(text).matches()) {
                    return null;
                }
                number = Double.parseDouble(text);
                if (Double.isInfinite(number)) {
                    return null;
                }
            }
        }
        return Stored.floating(number);
    }

    private static byte @Nullable [] uuid(String text) {
        if (!UUID_TEXT.matcher(text).matches()) {
            return null;
        }
        UUID uuid = UUID.fromString(text);
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
    }

    private static @Nullable Long date(String text) {
        Matcher matcher = DATE.matcher(text);
        if (!matcher.matches() || number(matcher, 1) == 0) {
            return null;
        }
        try {
            return LocalDate.of(number(matcher, 1), number(matcher, 2), number(matcher, 3))
                    .toEpochDay();
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static @Nullable Long time(String text) {
        Matcher matcher = TIME.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        int hour = number(matcher, 1);
        int minute = number(matcher, 2);
        int second = matcher.group(3) == null ? 0 : number(matcher, 3);
        String fraction = matcher.group(4) == null ? "" : matcher.group(4);
        long micros = Long.parseLong((fraction + "000000").substring(0, FRACTION_DIGITS));
        boolean exists = hour < 24 && minute < 60 && second < 60;
        return exists ? ((hour * 60L + minute) * 60 + second) * MICROS_OF_SECOND + micros : null;
    }

    private static @Nullable Long timestamp(String text) {
        int end = "2026-01-31".length();
        if (text.length() <= end || text.charAt(end) != ' ' && text.charAt(end) != 't') {
            return null;
        }
        Long day = date(text.substring(0, end));
        Long time = time(text.substring(end + 1));
        return day == null || time == null ? null : day * Values.MICROS_OF_DAY + time;
    }

    private static int number(Matcher matcher, int group) {
        return Integer.parseInt(matcher.group(group));
    }

    private static @Nullable String dateText(long day) {
        LocalDate date = LocalDate.ofEpochDay(day);
        return date.getYear() >= 1 && date.getYear() <= 9999 ? date.toString() : null;
    }

    private static @Nullable String timeText(long micros) {
        if (micros < 0 || micros >= Values.MICROS_OF_DAY) {
            return null;
        }
        long second = micros / MICROS_OF_SECOND;
        StringBuilder text = new StringBuilder();
        append(second / 3600, 2, text);
        append(second / 60 % 60, 2, text.append(':'));
        append(second % 60, 2, text.append(':'));
        if (micros % MICROS_OF_SECOND != 0) {
            append(micros % MICROS_OF_SECOND, FRACTION_DIGITS, text.append('.'));
            while (text.charAt(text.length() - 1) == '0') {
                text.setLength(text.length() - 1);
            }
        }
        return text.toString();
    }

    private static void append(long number, int digits, StringBuilder text) {
        String shown = Long.toString(number);
        text.append("0".repeat(digits - shown.length())).append(shown);
    }

    private static @Nullable String timestampText(long micros) {
        String date = dateText(Math.floorDiv(micros, Values.MICROS_OF_DAY));
        return date == null ? null : date + " " + timeText(Math.floorMod(micros, Values.MICROS_OF_DAY));
    }

    private static String uuidText(ByteBuffer bytes) {
        return new UUID(bytes.getLong(0), bytes.getLong(Long.BYTES)).toString();
    }

    private static byte @Nullable [] fixed(@Nullable Long number, int bytes) {
        return number == null ? null : Stored.number(number, bytes);
    }
}
