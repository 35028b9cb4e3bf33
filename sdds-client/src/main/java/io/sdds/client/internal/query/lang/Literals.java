package io.sdds.client.internal.query.lang;

import io.sdds.client.internal.query.lang.Expression.Literal;
import io.sdds.core.query.CastText;
import io.sdds.core.row.Token;
import io.sdds.core.row.TokenReader;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.Values;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Constants of the language. */
final class Literals {

    private Literals() {}

    /**
     * A number: INTEGER, else BIGINT if it has no point and fits, else DECIMAL; with an exponent DOUBLE.
     *
     * @param sign before it, or an empty text
     */
    static Literal number(String what, String sign, Token token) {
        String text = sign + token.content();
        if (text.indexOf('e') >= 0 || text.indexOf('E') >= 0) {
            double number = Double.parseDouble(text);
            if (Double.isInfinite(number)) {
                throw TokenReader.error(what, token.at(), "no double is as large as " + text);
            }
            return literal(ValueType.DOUBLE, number, token.at());
        }
        BigDecimal number = new BigDecimal(text);
        int digits = Math.max(number.precision(), number.scale());
        if (digits > ValueType.DECIMAL_DIGITS_MAX) {
            String most = "a number has at most " + ValueType.DECIMAL_DIGITS_MAX + " digits, this one " + digits;
            throw TokenReader.error(what, token.at(), most);
        }
        if (text.indexOf('.') >= 0) {
            return literal(ValueType.decimal(digits, number.scale()), number, token.at());
        }
        if (isInteger(number, Integer.MIN_VALUE, Integer.MAX_VALUE)) {
            return literal(ValueType.INTEGER, number.intValue(), token.at());
        }
        return isInteger(number, Long.MIN_VALUE, Long.MAX_VALUE)
                ? literal(ValueType.BIGINT, number.longValue(), token.at())
                : literal(ValueType.decimal(digits, 0), number, token.at());
    }

    private static boolean isInteger(BigDecimal number, long least, long most) {
        return number.compareTo(BigDecimal.valueOf(least)) >= 0 && number.compareTo(BigDecimal.valueOf(most)) <= 0;
    }

    static Literal text(String what, Token token) {
        try {
            return literal(ValueType.VARCHAR, token.content(), token.at());
        } catch (IllegalArgumentException e) {
            throw TokenReader.error(what, token.at(), "a text has " + e.getMessage());
        }
    }

    static Literal bytes(String what, Token token) {
        try {
            return literal(ValueType.VARBINARY, HexFormat.of().parseHex(token.content()), token.at());
        } catch (IllegalArgumentException e) {
            throw TokenReader.error(what, token.at(), "expected pairs of hexadecimal digits");
        }
    }

    /** A value of one of the classes of {@link io.sdds.client.Row}. */
    static Literal of(Object value) {
        return of(value, 0);
    }

    static Literal of(Object value, int at) {
        return literal(typeOf(value), value, at);
    }

    private static ValueType typeOf(Object value) {
        if (value instanceof BigDecimal number) {
            int scale = Math.max(0, number.scale());
            int digits = Math.max(number.precision() - number.scale() + scale, scale);
            return ValueType.decimal(Math.max(1, digits), scale);
        }
        if (value instanceof Number) {
            return value instanceof Integer
                    ? ValueType.INTEGER
                    : value instanceof Long ? ValueType.BIGINT : ValueType.DOUBLE;
        }
        if (value instanceof String || value instanceof byte[]) {
            return value instanceof String ? ValueType.VARCHAR : ValueType.VARBINARY;
        }
        if (value instanceof LocalDate || value instanceof LocalTime) {
            return value instanceof LocalDate ? ValueType.DATE : ValueType.TIME;
        }
        if (value instanceof LocalDateTime || value instanceof UUID) {
            return value instanceof UUID ? ValueType.UUID : ValueType.TIMESTAMP;
        }
        if (value instanceof Boolean) {
            return ValueType.BOOLEAN;
        }
        throw new IllegalArgumentException("values of " + value.getClass() + " are none of the language");
    }

    static Literal bool(boolean value, int at) {
        return literal(ValueType.BOOLEAN, value, at);
    }

    /**
     * A text behind the word of its type, as in {@code date '2026-01-31'}.
     *
     * @param at where the word stands
     */
    static Literal typed(String what, ValueType type, Token token, int at) {
        byte[] value = CastText.parse(token.content().getBytes(StandardCharsets.UTF_8), type);
        if (value == null) {
            throw TokenReader.error(
                    what, token.at(), "'" + token.content() + "' is no " + type + ": expected " + form(type));
        }
        return new Literal(type, value, at);
    }

    /** The type that a word before a text tells; null: none. */
    static @Nullable ValueType typeOfWord(String word) {
        return switch (word) {
            case "date" -> ValueType.DATE;
            case "time" -> ValueType.TIME;
            case "timestamp" -> ValueType.TIMESTAMP;
            case "uuid" -> ValueType.UUID;
            default -> null;
        };
    }

    private static String form(ValueType type) {
        return switch (type.kind()) {
            case DATE -> "YYYY-MM-DD";
            case TIME -> "HH:MM:SS.ffffff";
            case TIMESTAMP -> "YYYY-MM-DD HH:MM:SS.ffffff";
            default -> "32 hexadecimal digits and four hyphens";
        };
    }

    private static Literal literal(ValueType type, Object value, int at) {
        return new Literal(type, Values.encode(type, value, null), at);
    }
}
