package io.sdds.sql.jdbc;

import io.sdds.core.row.ValueType;
import io.sdds.sql.schema.SqlTypes;
import java.sql.DatabaseMetaData;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** What {@link DatabaseMetaData} tells of the types of columns. */
final class TypeRows {
    private static final int RADIX = 10;

    private TypeRows() {}

    static String name(ValueType type) {
        return type.kind().name();
    }

    /** Digits of numbers, characters of texts and times, bytes. */
    static int size(ValueType type) {
        return switch (type.kind()) {
            case BOOLEAN -> 1;
            case INTEGER -> 10;
            case BIGINT -> 19;
            case DOUBLE -> 17;
            case DECIMAL -> type.precision();
            case DATE -> "2000-01-01".length();
            case TIME -> "12:00:00.000".length();
            case TIMESTAMP -> "2000-01-01 12:00:00.000".length();
            case UUID -> 36;
            case VARCHAR, VARBINARY -> type.precision() == 0 ? Integer.MAX_VALUE : type.precision();
            case UNKNOWN -> 0;
        };
    }

    /** Digits behind the point. */
    static @Nullable Integer digits(ValueType type) {
        return switch (type.kind()) {
            case INTEGER, BIGINT -> 0;
            case DECIMAL -> type.scale();
            case TIME, TIMESTAMP -> SqlTypes.TIME_DIGITS;
            default -> null;
        };
    }

    /** The types that a column may have, the nearest to a type of JDBC first. */
    static MetaRows all() {
        MetaRows rows = new MetaRows()
                .texts("TYPE_NAME")
                .numbers("DATA_TYPE PRECISION")
                .texts("LITERAL_PREFIX LITERAL_SUFFIX CREATE_PARAMS")
                .numbers("NULLABLE")
                .flags("CASE_SENSITIVE")
                .numbers("SEARCHABLE")
                .flags("UNSIGNED_ATTRIBUTE FIXED_PREC_SCALE AUTO_INCREMENT")
                .texts("LOCAL_TYPE_NAME")
                .numbers("MINIMUM_SCALE MAXIMUM_SCALE SQL_DATA_TYPE SQL_DATETIME_SUB NUM_PREC_RADIX");
        Arrays.stream(ValueType.Kind.values())
                .filter(kind -> kind != ValueType.Kind.UNKNOWN)
                .map(kind -> kind == ValueType.Kind.DECIMAL
                        ? ValueType.decimal(ValueType.DECIMAL_DIGITS_MAX, 0)
                        : new ValueType(kind, 0, 0))
                .sorted(Comparator.comparing(SqlTypes::jdbcType))
                .forEach(type -> add(rows, type));
        return rows;
    }

    private static void add(MetaRows rows, ValueType type) {
        boolean isText = type.kind() == ValueType.Kind.VARCHAR;
        boolean isDecimal = type.kind() == ValueType.Kind.DECIMAL;
        String quote = quote(type);
        rows.add(
                name(type),
                SqlTypes.jdbcType(type),
                size(type),
                quote,
                quote == null ? null : "'",
                isDecimal ? "precision,scale" : size(type) == Integer.MAX_VALUE ? "length" : null,
                DatabaseMetaData.typeNullable,
                isText,
                DatabaseMetaData.typeSearchable,
                false,
                isDecimal,
                false,
                null,
                0,
                isDecimal ? ValueType.DECIMAL_DIGITS_MAX : 0,
                null,
                null,
                SqlTypes.isNumber(type) ? RADIX : null);
    }

    private static @Nullable String quote(ValueType type) {
        return switch (type.kind()) {
            case VARCHAR -> "'";
            case VARBINARY -> "X'";
            case DATE, TIME, TIMESTAMP, UUID -> name(type) + " '";
            default -> null;
        };
    }
}
