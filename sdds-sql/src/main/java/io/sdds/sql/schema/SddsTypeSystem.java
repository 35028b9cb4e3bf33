package io.sdds.sql.schema;

import io.sdds.core.row.ValueType;
import java.math.RoundingMode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * The types of SQL as bricks compute them: decimal numbers of 38 digits, sums of integers that do not overflow, and
 * averages of integers that have a fraction.
 */
public final class SddsTypeSystem extends RelDataTypeSystemImpl {
    public static final SddsTypeSystem INSTANCE = new SddsTypeSystem();

    /** Digits behind the point of an average of exact numbers, as bricks compute it. */
    private static final int AVERAGE_SCALE_MIN = 6;

    private SddsTypeSystem() {}

    @Override
    public int getMaxPrecision(SqlTypeName typeName) {
        return switch (typeName) {
            case DECIMAL -> ValueType.DECIMAL_DIGITS_MAX;
            case VARCHAR, CHAR, VARBINARY, BINARY -> Integer.MAX_VALUE;
            default -> super.getMaxPrecision(typeName);
        };
    }

    @Override
    public int getMaxScale(SqlTypeName typeName) {
        return typeName == SqlTypeName.DECIMAL ? ValueType.DECIMAL_DIGITS_MAX : super.getMaxScale(typeName);
    }

    /** What the engine computes with: milliseconds. */
    @Override
    public int getDefaultPrecision(SqlTypeName typeName) {
        return typeName == SqlTypeName.TIMESTAMP || typeName == SqlTypeName.TIME
                ? SqlTypes.TIME_DIGITS
                : super.getDefaultPrecision(typeName);
    }

    @Override
    public RoundingMode roundingMode() {
        return RoundingMode.HALF_UP;
    }

    /** A sum of INTEGER is BIGINT and divides as integers do; a sum of BIGINT is DECIMAL, as in PostgreSQL and H2. */
    @Override
    public RelDataType deriveSumType(RelDataTypeFactory factory, RelDataType argument) {
        if (!SqlTypeUtil.isExactNumeric(argument)) {
            return super.deriveSumType(factory, argument);
        }
        if (SqlTypeUtil.isDecimal(argument) || argument.getSqlTypeName() == SqlTypeName.BIGINT) {
            return decimal(factory, SqlTypeUtil.isDecimal(argument) ? argument.getScale() : 0, argument);
        }
        return factory.createTypeWithNullability(factory.createSqlType(SqlTypeName.BIGINT), argument.isNullable());
    }

    @Override
    public RelDataType deriveAvgAggType(RelDataTypeFactory factory, RelDataType argument) {
        if (!SqlTypeUtil.isExactNumeric(argument)) {
            return super.deriveAvgAggType(factory, argument);
        }
        int scale = SqlTypeUtil.isDecimal(argument) ? argument.getScale() : 0;
        return decimal(factory, Math.max(AVERAGE_SCALE_MIN, scale), argument);
    }

    /** A decimal number of all digits that may be NULL if the argument may. */
    public static RelDataType decimal(RelDataTypeFactory factory, int scale, RelDataType argument) {
        RelDataType type = factory.createSqlType(SqlTypeName.DECIMAL, ValueType.DECIMAL_DIGITS_MAX, scale);
        return factory.createTypeWithNullability(type, argument.isNullable());
    }

    /** Texts of a CASE, a UNION or a VALUES keep their length instead of getting blanks. */
    @Override
    public boolean shouldConvertRaggedUnionTypesToVarying() {
        return true;
    }
}
