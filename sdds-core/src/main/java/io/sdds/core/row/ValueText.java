package io.sdds.core.row;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Values as text: plain, as in files of comma-separated values, and as literals of the language of expressions. Objects
 * are of the classes of {@link Values#javaClass}.
 */
public final class ValueText {
    private static final int UUID_CHARS = 36;

    private static final DateTimeFormatter TIMESTAMP = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .appendLiteral(' ')
            .append(DateTimeFormatter.ISO_LOCAL_TIME)
            .toFormatter(Locale.ROOT);

    private ValueText() {}

    /**
     * The value of a plain text: {@code true}, {@code 42}, {@code 1.50}, {@code 2026-01-31}, {@code 10:15:30.5},
     * {@code 2026-01-31 10:15:30} (or with a T), hexadecimal digits of VARBINARY. Blanks around it do not count, but
     * for VARCHAR.
     *
     * @param column for messages; null: the message names no column
     * @throws IllegalArgumentException if the text is no value of the type, or one that does not fit
     */
    public static Object parse(ValueType type, String text, @Nullable String column) {
        Object value = type.kind() == ValueType.Kind.VARCHAR ? text : parsed(type, text.strip(), column);
        return Values.decode(type, Values.encode(type, value, column));
    }

    private static Object parsed(ValueType type, String text, @Nullable String column) {
        try {
            return switch (type.kind()) {
                case BOOLEAN -> bool(text);
                case INTEGER, BIGINT -> Long.parseLong(text);
                case DOUBLE -> Double.parseDouble(text);
                case DECIMAL -> new BigDecimal(text);
                case DATE -> LocalDate.parse(text);
                case TIME -> LocalTime.parse(text);
                case TIMESTAMP -> timestamp(text);
                case UUID -> uuid(text);
                case VARBINARY -> HexFormat.of().parseHex(text);
                case VARCHAR, UNKNOWN -> throw new IllegalArgumentException("no text form");
            };
        } catch (IllegalArgumentException | DateTimeException e) {
            String where = column == null ? "" : "column '" + column + "': ";
            throw new IllegalArgumentException(
                    where + "'" + Values.shown(text) + "' is no " + type + ": expected " + form(type), e);
        }
    }

    private static boolean bool(String text) {
        if (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")) {
            return text.equalsIgnoreCase("true");
        }
        throw new IllegalArgumentException("neither true nor false");
    }

    private static LocalDateTime timestamp(String text) {
        return text.indexOf(' ') < 0 ? LocalDateTime.parse(text) : LocalDateTime.parse(text, TIMESTAMP);
    }

    /** {@link UUID#fromString} takes short groups, too. */
    private static UUID uuid(String text) {
        if (text.length() != UUID_CHARS) {
            throw new IllegalArgumentException("not of " + UUID_CHARS + " characters");
        }
        return UUID.fromString(text);
    }

    private static String form(ValueType type) {
        return switch (type.kind()) {
            case BOOLEAN -> "true or false";
            case INTEGER -> "a whole number of 32 bits";
            case BIGINT -> "a whole number of 64 bits";
            case DOUBLE -> "a number such as 1.5, 1e3 or NaN";
            case DECIMAL -> "a number such as 1.50";
            case DATE -> "YYYY-MM-DD";
            case TIME -> "HH:MM:SS.ffffff";
            case TIMESTAMP -> "YYYY-MM-DD HH:MM:SS.ffffff";
            case UUID -> "32 hexadecimal digits and four hyphens";
            case VARBINARY -> "pairs of hexadecimal digits";
            case VARCHAR, UNKNOWN -> "a text";
        };
    }

    /** The plain text of a value, which {@link #parse} reads. */
    public static String text(ValueType type, Object value) {
        return switch (type.kind()) {
            case DECIMAL -> ((BigDecimal) value).toPlainString();
            case TIME -> DateTimeFormatter.ISO_LOCAL_TIME.format((LocalTime) value);
            case TIMESTAMP -> TIMESTAMP.format((LocalDateTime) value);
            case VARBINARY -> HexFormat.of().formatHex((byte[]) value);
            default -> value.toString();
        };
    }

    /**
     * The literal of a value: {@code 'it''s'}, {@code x'00ff'}, {@code 42}, {@code 1.50}, {@code 1.5e0} of DOUBLE,
     * {@code date '2026-01-31'}. NaN and the infinities have no literal, and are texts in quotes.
     */
    public static String literal(ValueType type, Object value) {
        String text = text(type, value);
        return switch (type.kind()) {
            case BOOLEAN, INTEGER, BIGINT, DECIMAL -> text;
            case DOUBLE -> doubleLiteral((Double) value, text);
            case DATE, TIME, TIMESTAMP, UUID -> type + " '" + text + "'";
            case VARBINARY -> "x'" + text + "'";
            case VARCHAR, UNKNOWN -> "'" + text.replace("'", "''") + "'";
        };
    }

    private static String doubleLiteral(double number, String text) {
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            return "'" + text + "'";
        }
        return text.indexOf('E') < 0 ? text + "e0" : text.toLowerCase(Locale.ROOT);
    }
}
