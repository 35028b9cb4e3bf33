package io.sdds.sql.random;

import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Values as texts that are the same for every driver. */
final class SqlText {
    static final String NULL = "NULL";

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
    private static final DateTimeFormatter TIMESTAMP = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

    private SqlText() {}

    static String of(LocalTime value) {
        return value.format(TIME);
    }

    static String of(LocalDateTime value) {
        return value.format(TIMESTAMP);
    }

    /** A number has no zeros at its end, since drivers differ in the number of digits, and a double has its point. */
    static String of(@Nullable Object value) {
        return switch (value) {
            case null -> NULL;
            case Double number -> of(number.doubleValue());
            case Float number -> of(number.doubleValue());
            case BigDecimal number -> plain(number);
            case byte[] bytes -> "x" + HexFormat.of().formatHex(bytes);
            case java.sql.Date date -> date.toLocalDate().toString();
            case java.sql.Time time -> of(time.toLocalTime());
            case java.sql.Timestamp timestamp -> of(timestamp.toLocalDateTime());
            case LocalTime time -> of(time);
            case LocalDateTime timestamp -> of(timestamp);
            default -> value.toString();
        };
    }

    private static String of(double number) {
        return Double.isFinite(number) ? plain(BigDecimal.valueOf(number)) : Double.toString(number);
    }

    private static String plain(BigDecimal number) {
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }
}
