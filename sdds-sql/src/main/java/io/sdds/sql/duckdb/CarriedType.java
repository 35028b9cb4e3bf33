package io.sdds.sql.duckdb;

import io.sdds.core.row.Column;
import io.sdds.core.row.ValueType;
import java.sql.SQLException;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBLogicalType;
import org.duckdb.DuckDBTableFunctionBindInfo;

/**
 * How values of a column come into DuckDB. A table function in Java cannot write vectors of all types, and writes some
 * only of objects. So numbers carry dates and decimals of 64 bits, texts carry UUID and VARBINARY, and the text of the
 * statement converts them, a vector at a time.
 */
final class CarriedType {
    /** Most digits of a decimal number that 64 bits have room for. */
    private static final int LONG_DIGITS_MAX = 18;

    private CarriedType() {}

    /** Whether a BIGINT without the point carries a decimal number. */
    static boolean isLong(ValueType decimal) {
        return decimal.precision() <= LONG_DIGITS_MAX;
    }

    /** Whether the vector has texts. */
    static boolean isText(ValueType type) {
        return switch (type.kind()) {
            case UUID, VARCHAR, VARBINARY -> true;
            default -> false;
        };
    }

    /** Whether the text of a statement has to convert a column. */
    static boolean isConverted(Column column) {
        return switch (column.type().kind()) {
            case UUID, DATE, TIME, TIMESTAMP, VARBINARY -> true;
            case DECIMAL -> isLong(column.type());
            default -> false;
        };
    }

    /** The column with its own type, of one that is carried. */
    static String converted(Column column) {
        String name = '"' + column.name().replace("\"", "\"\"") + '"';
        if (!isConverted(column)) {
            return name;
        }
        String value = switch (column.type().kind()) {
            case UUID -> "CAST(" + name + " AS UUID)";
            case DATE -> "DATE '1970-01-01' + " + name;
            case TIME -> "TIME '00:00:00' + to_microseconds(" + name + ")";
            case TIMESTAMP -> "make_timestamp(" + name + ")";
            case VARBINARY -> "unhex(" + name + ")";
            default -> decimal(name, column.type());
        };
        return value + " AS " + name;
    }

    /** The product of the whole number and a power of ten has the digits of both, which are 36 at most. */
    private static String decimal(String name, ValueType type) {
        int digits = type.precision();
        int scale = type.scale();
        String whole = "CAST(" + name + " AS DECIMAL(" + digits + ", 0))";
        if (scale == 0) {
            return whole;
        }
        String unit = "CAST(0." + "0".repeat(scale - 1) + "1 AS DECIMAL(" + scale + ", " + scale + "))";
        return "CAST(" + whole + " * " + unit + " AS DECIMAL(" + digits + ", " + scale + "))";
    }

    /** Tells DuckDB a column as it is carried. */
    static void declare(Column column, DuckDBTableFunctionBindInfo info) throws SQLException {
        ValueType type = column.type();
        switch (type.kind()) {
            case BOOLEAN -> info.addResultColumn(column.name(), DuckDBColumnType.BOOLEAN);
            case INTEGER, DATE -> info.addResultColumn(column.name(), DuckDBColumnType.INTEGER);
            case BIGINT, TIME, TIMESTAMP -> info.addResultColumn(column.name(), DuckDBColumnType.BIGINT);
            case DOUBLE -> info.addResultColumn(column.name(), DuckDBColumnType.DOUBLE);
            case DECIMAL -> declareDecimal(column, info);
            case UUID, VARCHAR, VARBINARY -> info.addResultColumn(column.name(), DuckDBColumnType.VARCHAR);
            case UNKNOWN -> throw new IllegalArgumentException("column '" + column.name() + "' has an unknown type");
        }
    }

    private static void declareDecimal(Column column, DuckDBTableFunctionBindInfo info) throws SQLException {
        ValueType type = column.type();
        if (isLong(type)) {
            info.addResultColumn(column.name(), DuckDBColumnType.BIGINT);
            return;
        }
        try (DuckDBLogicalType decimal = DuckDBLogicalType.decimal(type.precision(), type.scale())) {
            info.addResultColumn(column.name(), decimal);
        }
    }
}
