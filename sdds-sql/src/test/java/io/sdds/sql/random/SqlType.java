package io.sdds.sql.random;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The types of columns and expressions of random statements: their names, their values and their constants. */
enum SqlType {
    INTEGER("INTEGER"),
    BIGINT("BIGINT"),
    DOUBLE("DOUBLE PRECISION"),
    DECIMAL("DECIMAL(12, 2)"),
    VARCHAR("VARCHAR"),
    BOOLEAN("BOOLEAN"),
    DATE("DATE"),
    TIME("TIME"),
    TIMESTAMP("TIMESTAMP"),
    UUID_TYPE("UUID"),
    VARBINARY("VARBINARY");

    static final Set<SqlType> NUMBERS = EnumSet.of(INTEGER, BIGINT, DOUBLE, DECIMAL);

    /** Types that MIN and MAX take. */
    static final Set<SqlType> WITH_EXTREMES =
            EnumSet.of(INTEGER, BIGINT, DOUBLE, DECIMAL, VARCHAR, DATE, TIME, TIMESTAMP);

    /** Upper and lower case, the wildcards of LIKE, a line's end, a supplementary character, blanks, and nothing. */
    static final List<String> TEXTS =
            List.of("a", "ab", "abc", "B", "bA", "é", "", "x_y", "%", "a\nb", "😀a", " a ", "10", "abcabc");

    private static final List<Double> DOUBLES =
            List.of(Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0, 1e20, -1e20, 1e-20);

    /** A constant alone: no column and no cast has so many digits. */
    private static final BigDecimal LONG_DECIMAL = new BigDecimal("1234567890123456789012345678.12");

    private static final List<BigDecimal> DECIMALS = List.of(
            new BigDecimal("9999999999.99"),
            new BigDecimal("-9999999999.99"),
            new BigDecimal("0.00"),
            new BigDecimal("-0.01"),
            LONG_DECIMAL);
    private static final List<String> PATTERNS = List.of("a%", "%b", "_b", "%b%", "a_", "%", "_", "é", "%a_c%", "😀_");
    private static final List<String> DATES =
            List.of("2024-02-29", "2024-03-01", "2023-12-31", "1999-01-01", "2024-02-28");
    private static final List<String> TIMES = List.of("00:00:00", "09:30:00", "12:00:01", "23:59:59");

    /** How a column of the type is declared. */
    final String declaration;

    SqlType(String declaration) {
        this.declaration = declaration;
    }

    /** A value from a small set, so that equal ones meet. Sums of such doubles have no error. */
    Object value(SplittableRandom random) {
        return switch (this) {
            case INTEGER -> random.nextInt(-3, 13);
            case BIGINT -> (long) random.nextInt(-2, 10);
            case DOUBLE -> random.nextInt(-6, 20) * 0.25;
            case DECIMAL -> BigDecimal.valueOf(random.nextInt(-6, 20) * 25L, 2);
            case VARCHAR -> drawn(TEXTS, random);
            case BOOLEAN -> random.nextBoolean();
            case DATE -> LocalDate.parse(drawn(DATES, random));
            case TIME -> LocalTime.parse(drawn(TIMES, random));
            case TIMESTAMP -> LocalDate.parse(drawn(DATES, random)).atTime(LocalTime.parse(drawn(TIMES, random)));
            case UUID_TYPE -> new UUID(0x1234_5678_1234_5678L, random.nextInt(5));
            case VARBINARY -> HexFormat.of().parseHex("00ff0a1b".substring(2 * random.nextInt(4)));
        };
    }

    /** A value at the edge of its type. */
    Object extreme(SplittableRandom random) {
        return switch (this) {
            case INTEGER -> drawn(List.of(Integer.MIN_VALUE, Integer.MAX_VALUE, 0, -1), random);
            case BIGINT -> drawn(List.of(Long.MIN_VALUE, Long.MAX_VALUE, Integer.MIN_VALUE - 1L, 0L, -1L), random);
            case DOUBLE -> drawn(DOUBLES, random);
            case DECIMAL -> drawn(DECIMALS, random);
            default -> value(random);
        };
    }

    /** Whether a value is one that a column of the type takes. */
    static boolean fitsColumn(@Nullable Object value) {
        return !LONG_DECIMAL.equals(value);
    }

    /** A constant that every dialect takes for one of this type. */
    String constant(@Nullable Object value) {
        if (value == null) {
            return "CAST(NULL AS " + declaration + ")";
        }
        boolean needsText = value instanceof Double number && (!Double.isFinite(number) || number.equals(-0.0));
        if (needsText || value.equals(Integer.MIN_VALUE)) {
            // PostgreSQL takes the smallest INTEGER for a BIGINT, and a constant -0.0 has no sign.
            return "CAST(" + (needsText ? "'" + value + "'" : value) + " AS " + declaration + ")";
        }
        return switch (this) {
            case INTEGER, DECIMAL -> value.toString().startsWith("-") ? "(" + value + ")" : value.toString();
            case BIGINT, DOUBLE -> "CAST(" + value + " AS " + declaration + ")";
            case VARCHAR -> "'" + value.toString().replace("'", "''") + "'";
            case BOOLEAN -> value.toString().toUpperCase(java.util.Locale.ROOT);
            case DATE -> "DATE '" + value + "'";
            case TIME -> "TIME '" + SqlText.of((LocalTime) value) + "'";
            case TIMESTAMP -> "TIMESTAMP '" + SqlText.of((LocalDateTime) value) + "'";
            case UUID_TYPE -> "CAST('" + value + "' AS UUID)";
            case VARBINARY -> "X'" + HexFormat.of().formatHex((byte[]) value) + "'";
        };
    }

    /** A value as a text that {@link #read} takes. */
    @Nullable
    String write(@Nullable Object value) {
        return value instanceof byte[] bytes
                ? HexFormat.of().formatHex(bytes)
                : value == null ? null : value.toString();
    }

    @Nullable
    Object read(@Nullable String text) {
        if (text == null) {
            return null;
        }
        return switch (this) {
            case INTEGER -> Integer.valueOf(text);
            case BIGINT -> Long.valueOf(text);
            case DOUBLE -> Double.valueOf(text);
            case DECIMAL -> new BigDecimal(text);
            case VARCHAR -> text;
            case BOOLEAN -> Boolean.valueOf(text);
            case DATE -> LocalDate.parse(text);
            case TIME -> LocalTime.parse(text);
            case TIMESTAMP -> LocalDateTime.parse(text);
            case UUID_TYPE -> UUID.fromString(text);
            case VARBINARY -> HexFormat.of().parseHex(text);
        };
    }

    /** A type whose values become those of this one where both meet. */
    SqlType narrower(SplittableRandom random) {
        return switch (this) {
            case BIGINT -> INTEGER;
            case DECIMAL -> random.nextBoolean() ? INTEGER : BIGINT;
            case DOUBLE -> drawn(List.of(INTEGER, BIGINT, DECIMAL), random);
            default -> this;
        };
    }

    /** A type with which values of this one can be compared. */
    SqlType comparable(SplittableRandom random) {
        if (NUMBERS.contains(this)) {
            return drawn(List.of(INTEGER, BIGINT, DECIMAL, DOUBLE), random);
        }
        return switch (this) {
            case DATE -> TIMESTAMP;
            case TIMESTAMP -> DATE;
            default -> this;
        };
    }

    static String pattern(SplittableRandom random) {
        return drawn(PATTERNS, random);
    }

    static <T> T drawn(List<T> of, SplittableRandom random) {
        return of.get(random.nextInt(of.size()));
    }
}
