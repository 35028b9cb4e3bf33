package io.sdds.cli.format;

import io.sdds.core.row.ValueText;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.ValueType.Kind;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The values of a column in the first rows of a file, and the narrowest type that takes them all. A number that would
 * not be printed again as it is there, such as {@code 007}, is text.
 */
final class ColumnSample {
    /** Types that are tried, in the order of preference. Text takes all other values. */
    private static final List<Kind> TRIED = List.of(
            Kind.BOOLEAN,
            Kind.INTEGER,
            Kind.BIGINT,
            Kind.DECIMAL,
            Kind.DOUBLE,
            Kind.DATE,
            Kind.TIMESTAMP,
            Kind.TIME,
            Kind.UUID);

    /** The types of a number of JSON. */
    static final Set<Kind> NUMBERS = EnumSet.of(Kind.INTEGER, Kind.BIGINT, Kind.DECIMAL, Kind.DOUBLE);

    /** The types of a text of JSON. */
    static final Set<Kind> TEXTS = EnumSet.of(Kind.DATE, Kind.TIMESTAMP, Kind.TIME, Kind.UUID);

    /** The type of true and false of JSON. */
    static final Set<Kind> TRUTHS = EnumSet.of(Kind.BOOLEAN);

    /** Nine digits, though 32 bits take some numbers of ten: the numbers of later rows are likely to be larger. */
    private static final Pattern INTEGER = Pattern.compile("-?(0|[1-9]\\d{0,8})");

    private static final Pattern BIGINT = Pattern.compile("-?(0|[1-9]\\d{0,17})");
    private static final Pattern DECIMAL = Pattern.compile("-?(0|[1-9]\\d{0,33})(\\.\\d{1,4})?");
    private static final Pattern DOUBLE = Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][-+]?\\d+)?|NaN|-?Infinity");
    private static final Pattern BEYOND_MICROSECONDS = Pattern.compile("\\.\\d{7,}$");
    private static final int DOUBLE_DIGITS_MAX = 17;

    private final String name;
    private final Set<Kind> possible = EnumSet.copyOf(TRIED);
    private final Set<String> distinct = new HashSet<>();
    private long values;
    private int scale;

    ColumnSample(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    /** Adds a value that is not NULL, as the text of a file. */
    void add(String text) {
        values++;
        distinct.add(text);
        String bare = text.strip();
        possible.removeIf(kind -> !takes(kind, bare));
        scale = Math.max(scale, possible.contains(Kind.DECIMAL) ? digitsBehindPoint(bare) : 0);
    }

    /** Adds a value whose type is one of some types, or text. */
    void add(String text, Set<Kind> types) {
        possible.retainAll(types);
        add(text);
    }

    private static boolean takes(Kind kind, String text) {
        return switch (kind) {
            case INTEGER -> INTEGER.matcher(text).matches();
            case BIGINT -> BIGINT.matcher(text).matches();
            case DECIMAL -> DECIMAL.matcher(text).matches();
            case DOUBLE -> DOUBLE.matcher(text).matches() && digits(text) <= DOUBLE_DIGITS_MAX;
            default -> isParsed(new ValueType(kind, 0, 0), text);
        };
    }

    /** Digits of a number without its exponent. */
    private static long digits(String number) {
        return number.chars()
                .takeWhile(c -> c != 'e' && c != 'E')
                .filter(Character::isDigit)
                .count();
    }

    private static int digitsBehindPoint(String number) {
        return number.indexOf('.') < 0 ? 0 : number.length() - number.indexOf('.') - 1;
    }

    private static boolean isParsed(ValueType type, String text) {
        try {
            ValueText.parse(type, text, null);
            return !BEYOND_MICROSECONDS.matcher(text).find();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** The type; text if there was no value. */
    ValueType type() {
        if (values == 0) {
            return ValueType.VARCHAR;
        }
        Kind kind = TRIED.stream().filter(possible::contains).findFirst().orElse(Kind.VARCHAR);
        return kind == Kind.DECIMAL
                ? ValueType.decimal(ValueType.DECIMAL_DIGITS_MAX, scale)
                : new ValueType(kind, 0, 0);
    }

    /** Number of different values. */
    int distinct() {
        return distinct.size();
    }

    /** Whether each of the rows has a value of its own, which can name it. */
    boolean isKeyOf(long rows) {
        Kind kind = type().kind();
        return distinct.size() == rows && values == rows && kind != Kind.BOOLEAN && kind != Kind.DOUBLE;
    }
}
