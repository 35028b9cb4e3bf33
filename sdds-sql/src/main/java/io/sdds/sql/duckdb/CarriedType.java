package io.sdds.sql.duckdb;

import io.sdds.core.row.Column;
import io.sdds.core.row.ValueType;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBLogicalType;
import org.duckdb.DuckDBTableFunctionBindInfo;
import org.duckdb.DuckDBWritableVector;

/**
 * How values of a column come into DuckDB. A table function in Java cannot write vectors of all types, so that UUID,
 * TIME and VARBINARY are carried by other types, and the text of the statement converts them.
 */
final class CarriedType {
    private static final int NANOS_OF_MICRO = 1_000;

    private CarriedType() {}

    /** Whether the text of a statement has to convert a column. */
    static boolean isConverted(Column column) {
        return switch (column.type().kind()) {
            case UUID, TIME, VARBINARY -> true;
            default -> false;
        };
    }

    /** The column with its own type, of one that is carried. */
    static String converted(Column column) {
        String name = '"' + column.name().replace("\"", "\"\"") + '"';
        return switch (column.type().kind()) {
            case UUID -> "CAST(" + name + " AS UUID) AS " + name;
            case TIME -> "TIME '00:00:00' + to_microseconds(" + name + ") AS " + name;
            case VARBINARY -> "unhex(" + name + ") AS " + name;
            default -> name;
        };
    }

    /** Tells DuckDB a column as it is carried. */
    static void declare(Column column, DuckDBTableFunctionBindInfo info) throws SQLException {
        ValueType type = column.type();
        switch (type.kind()) {
            case BOOLEAN -> info.addResultColumn(column.name(), DuckDBColumnType.BOOLEAN);
            case INTEGER -> info.addResultColumn(column.name(), DuckDBColumnType.INTEGER);
            case BIGINT, TIME -> info.addResultColumn(column.name(), DuckDBColumnType.BIGINT);
            case DOUBLE -> info.addResultColumn(column.name(), DuckDBColumnType.DOUBLE);
            case DECIMAL -> {
                try (DuckDBLogicalType decimal = DuckDBLogicalType.decimal(type.precision(), type.scale())) {
                    info.addResultColumn(column.name(), decimal);
                }
            }
            case DATE -> info.addResultColumn(column.name(), DuckDBColumnType.DATE);
            case TIMESTAMP -> info.addResultColumn(column.name(), DuckDBColumnType.TIMESTAMP);
            case UUID, VARCHAR, VARBINARY -> info.addResultColumn(column.name(), DuckDBColumnType.VARCHAR);
            case UNKNOWN -> throw new IllegalArgumentException("column '" + column.name() + "' has an unknown type");
        }
    }

    /** Writes a value that is not NULL. Times have milliseconds. */
    static void write(ValueType type, Object value, DuckDBWritableVector to, int row) {
        switch (type.kind()) {
            case BOOLEAN -> to.setBoolean(row, (Boolean) value);
            case INTEGER -> to.setInt(row, (Integer) value);
            case BIGINT -> to.setLong(row, (Long) value);
            case DOUBLE -> to.setDouble(row, (Double) value);
            case DECIMAL -> to.setBigDecimal(row, (BigDecimal) value);
            case DATE -> to.setDate(row, (LocalDate) value);
            case TIME ->
                to.setLong(
                        row, ((LocalTime) value).truncatedTo(ChronoUnit.MILLIS).toNanoOfDay() / NANOS_OF_MICRO);
            case TIMESTAMP -> to.setTimestamp(row, ((LocalDateTime) value).truncatedTo(ChronoUnit.MILLIS));
            case UUID, VARCHAR -> to.setString(row, value.toString());
            case VARBINARY -> to.setString(row, HexFormat.of().formatHex((byte[]) value));
            case UNKNOWN -> throw new IllegalArgumentException("a value of an unknown type");
        }
    }
}
