package io.sdds.sql.schema;

import io.sdds.core.row.ValueType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** Types and values of columns, as SQL has them and as the client has them. */
public final class SqlTypes {
    /** Digits of the fraction of a second: the engine counts milliseconds. */
    public static final int TIME_DIGITS = 3;

    private static final int NANOS_OF_MILLI = 1_000_000;
    private static final int MILLIS_OF_SECOND = 1_000;

    private SqlTypes() {}

    /** The type of a column. */
    public static RelDataType type(RelDataTypeFactory factory, ValueType type, boolean isNullable) {
        RelDataType made = switch (type.kind()) {
            case DECIMAL -> factory.createSqlType(SqlTypeName.DECIMAL, type.precision(), type.scale());
            case TIME, TIMESTAMP -> factory.createSqlType(name(type), TIME_DIGITS);
            // Texts and bytes without their length: the engine would cut what is too long, and bricks refuse it.
            default -> factory.createSqlType(name(type));
        };
        return factory.createTypeWithNullability(made, isNullable);
    }

    /** Whether the values are whole numbers of at most 64 bits. */
    public static boolean isWhole(ValueType type) {
        return type.kind() == ValueType.Kind.INTEGER || type.kind() == ValueType.Kind.BIGINT;
    }

    /** Whether the values are whole or decimal numbers. */
    public static boolean isExact(ValueType type) {
        return isWhole(type) || type.kind() == ValueType.Kind.DECIMAL;
    }

    public static boolean isNumber(ValueType type) {
        return isExact(type) || type.kind() == ValueType.Kind.DOUBLE;
    }

    private static SqlTypeName name(ValueType type) {
        return type.kind() == ValueType.Kind.UNKNOWN
                ? SqlTypeName.ANY
                : SqlTypeName.valueOf(type.kind().name());
    }

    /** The type as a cast names it: of texts and bytes without their length. */
    public static SqlDataTypeSpec spec(ValueType type, SqlParserPos place) {
        SqlBasicTypeNameSpec spec = type.kind() == ValueType.Kind.DECIMAL
                ? new SqlBasicTypeNameSpec(SqlTypeName.DECIMAL, type.precision(), type.scale(), place)
                : new SqlBasicTypeNameSpec(name(type), place);
        return new SqlDataTypeSpec(spec, place);
    }

    /** The type of {@code java.sql.Types}. */
    public static int jdbcType(ValueType type) {
        return switch (type.kind()) {
            case UUID, UNKNOWN -> Types.OTHER;
            default -> name(type).getJdbcOrdinal();
        };
    }

    /** The types of the columns of rows. */
    public static List<RelDataType> ofFields(RelDataType rowType) {
        return rowType.getFieldList().stream().map(RelDataTypeField::getType).toList();
    }

    /** A value of a row of the client as the engine computes with it. */
    public static @Nullable Object toEngine(@Nullable Object value, RelDataType type) {
        if (value == null) {
            return null;
        }
        return switch (type.getSqlTypeName()) {
            case TINYINT -> ((Number) value).byteValue();
            case SMALLINT -> ((Number) value).shortValue();
            case INTEGER -> ((Number) value).intValue();
            // Bricks add up integers as decimal numbers.
            case BIGINT -> value instanceof BigDecimal sum ? sum.longValueExact() : ((Number) value).longValue();
            case REAL -> ((Number) value).floatValue();
            case DOUBLE, FLOAT -> ((Number) value).doubleValue();
            case DECIMAL -> scaled(value, type.getScale());
            case DATE ->
                (int) (value instanceof LocalDateTime time ? time.toLocalDate() : (LocalDate) value).toEpochDay();
            case TIME -> (int) (((LocalTime) value).toNanoOfDay() / NANOS_OF_MILLI);
            case TIMESTAMP -> millis((LocalDateTime) value);
            case VARBINARY, BINARY -> new ByteString((byte[]) value);
            default -> value;
        };
    }

    /** A value of the client as the engine sees it: times have milliseconds. */
    public static @Nullable Object seen(@Nullable Object value) {
        if (value instanceof LocalTime time) {
            return time.truncatedTo(ChronoUnit.MILLIS);
        }
        return value instanceof LocalDateTime time ? time.truncatedTo(ChronoUnit.MILLIS) : value;
    }

    private static BigDecimal scaled(Object value, int scale) {
        BigDecimal number = value instanceof BigDecimal decimal ? decimal : new BigDecimal(value.toString());
        return number.scale() == scale ? number : number.setScale(scale, RoundingMode.HALF_UP);
    }

    private static long millis(LocalDateTime value) {
        return value.toEpochSecond(ZoneOffset.UTC) * MILLIS_OF_SECOND + value.getNano() / NANOS_OF_MILLI;
    }

    /** A value of the engine as rows of the client have it, for a column of the type. */
    public static @Nullable Object toClient(@Nullable Object value, ValueType type) {
        if (value == null) {
            return null;
        }
        return switch (type.kind()) {
            case INTEGER -> ((Number) value).intValue();
            case BIGINT -> ((Number) value).longValue();
            case DOUBLE -> ((Number) value).doubleValue();
            case DECIMAL -> scaled(value, type.scale());
            // A parameter for a date may be a time of a day, of which a column takes the day.
            case DATE ->
                value instanceof Long millis
                        ? dateTime(millis).toLocalDate()
                        : LocalDate.ofEpochDay(((Number) value).longValue());
            case TIME -> LocalTime.ofNanoOfDay(((Number) value).longValue() * NANOS_OF_MILLI);
            case TIMESTAMP -> dateTime(((Number) value).longValue());
            case VARBINARY -> value instanceof ByteString bytes ? bytes.getBytes() : value;
            case VARCHAR -> value.toString();
            default -> value;
        };
    }

    private static LocalDateTime dateTime(long millis) {
        return LocalDateTime.ofEpochSecond(
                Math.floorDiv(millis, MILLIS_OF_SECOND),
                Math.floorMod(millis, MILLIS_OF_SECOND) * NANOS_OF_MILLI,
                ZoneOffset.UTC);
    }
}
