package io.sdds.sql.random;

import java.math.BigDecimal;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What databases write differently. Statements are written for the hash tables of SDDS. */
enum Dialect {
    SDDS_HASH(" WITH (kind = 'hash', capacity = 8)") {
        @Override
        String text(String text) {
            return text;
        }
    },
    /** The same tables by other names, as range tables. */
    SDDS_RANGE(" WITH (kind = 'range', capacity = 8)") {
        @Override
        String text(String text) {
            return TABLE.matcher(text).replaceAll("rt$1");
        }
    },
    POSTGRESQL("") {
        @Override
        String text(String text) {
            return BYTES.matcher(text).replaceAll("'\\\\x$1'::bytea").replace("VARBINARY", "BYTEA");
        }
    };

    private static final Pattern TABLE = Pattern.compile("\\bt([0-9])\\b");
    private static final Pattern BYTES = Pattern.compile("X'([0-9a-f]*)'");

    private final String tableOptions;

    Dialect(String tableOptions) {
        this.tableOptions = tableOptions;
    }

    abstract String text(String text);

    /** What stands behind the columns of CREATE TABLE. */
    String tableOptions() {
        return tableOptions;
    }

    /**
     * Binds a value by the method of its type. For PostgreSQL the time classes of Java tell the type, and others not.
     */
    void bind(PreparedStatement statement, int index, SqlType type, @Nullable Object value) throws SQLException {
        switch (value) {
            case null -> statement.setNull(index, nullType(type));
            case Integer number -> statement.setInt(index, number);
            case Long number -> statement.setLong(index, number);
            case Double number -> statement.setDouble(index, number);
            case BigDecimal number -> statement.setBigDecimal(index, number);
            case String text -> statement.setString(index, text);
            case Boolean truth -> statement.setBoolean(index, truth);
            case byte[] bytes -> statement.setBytes(index, bytes);
            case LocalDate date when isSdds(index) -> statement.setDate(index, Date.valueOf(date));
            case LocalTime time when isSdds(index) -> statement.setTime(index, Time.valueOf(time));
            case LocalDateTime time when isSdds(index) -> statement.setTimestamp(index, Timestamp.valueOf(time));
            default -> statement.setObject(index, value);
        }
    }

    /** Both ways of binding a time are used with SDDS. */
    private boolean isSdds(int index) {
        return this != POSTGRESQL && index % 2 == 0;
    }

    private static int nullType(SqlType type) {
        return switch (type) {
            case INTEGER -> Types.INTEGER;
            case BIGINT -> Types.BIGINT;
            case DOUBLE -> Types.DOUBLE;
            case DECIMAL -> Types.DECIMAL;
            case VARCHAR -> Types.VARCHAR;
            case BOOLEAN -> Types.BOOLEAN;
            case DATE -> Types.DATE;
            case TIME -> Types.TIME;
            case TIMESTAMP -> Types.TIMESTAMP;
            case UUID_TYPE -> Types.OTHER;
            case VARBINARY -> Types.VARBINARY;
        };
    }
}
