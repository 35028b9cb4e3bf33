package io.sdds.sql.local;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlTypeNameSpec;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** Types of SQL as DuckDB names them. */
final class LocalTypes {
    private static final int DIGITS_MAX = 38;

    private static final List<SqlTypeName> WIDE_NUMBERS = List.of(SqlTypeName.BIGINT, SqlTypeName.DECIMAL);

    private LocalTypes() {}

    /**
     * The type of a parameter; empty: that of its value, because a DATE may also be compared with a TIMESTAMP, and a
     * decimal number with one of more digits.
     */
    static String ofParameter(RelDataType type) {
        return switch (type.getSqlTypeName()) {
            case DATE, DECIMAL, NULL, ANY -> "";
            case CHAR, VARCHAR -> "VARCHAR";
            default -> name(type.getSqlTypeName());
        };
    }

    /** The type of a cast. Texts have no length here: the cast cuts them. */
    static String ofCast(SqlDataTypeSpec spec) {
        SqlTypeNameSpec name = spec.getTypeNameSpec();
        if (!(name instanceof SqlBasicTypeNameSpec basic) || spec.getCollectionsTypeName() != null) {
            return name(typeName(name.getTypeName().toString()));
        }
        SqlTypeName type = typeName(basic.getTypeName().getSimple());
        if (type == SqlTypeName.DECIMAL) {
            int digits = basic.getPrecision() < 0 ? DIGITS_MAX : basic.getPrecision();
            return "DECIMAL(" + digits + ", " + Math.max(0, basic.getScale()) + ")";
        }
        return name(type);
    }

    /**
     * Whether Calcite makes another value of a call: casts do not cut texts there, constants are rounded to whole
     * numbers half up, a constant 0.25 as text is .25, and a constant -0.0 is less than 0.
     */
    static boolean isCastOtherwise(SqlCall call) {
        if (call.getKind() != SqlKind.CAST || !(call.operand(1) instanceof SqlDataTypeSpec type)) {
            return false;
        }
        SqlNode operand = call.operand(0);
        boolean isExact = operand instanceof SqlIdentifier
                || operand instanceof SqlDynamicParam
                || operand instanceof SqlNumericLiteral number && number.getScale() != null;
        boolean isText = operand instanceof SqlCharStringLiteral;
        boolean isNumber = operand instanceof SqlNumericLiteral || operand instanceof SqlCall;
        return textLength(type) >= 0
                || !isExact && isOf(SqlTypeName.INT_TYPES, type)
                || isNumber && isOf(SqlTypeName.CHAR_TYPES, type)
                || isText && isOf(SqlTypeName.APPROX_TYPES, type);
    }

    private static boolean isOf(List<SqlTypeName> types, SqlDataTypeSpec type) {
        SqlTypeName basic = basic(type);
        return basic != null && types.contains(basic);
    }

    /** Whether all whole numbers of a column can be cast to a type. */
    static boolean isOfWholeNumbers(SqlNode type) {
        return type instanceof SqlDataTypeSpec spec && isOf(WIDE_NUMBERS, spec);
    }

    /** The most characters of a text of a type; -1: any. */
    static int textLength(SqlDataTypeSpec spec) {
        return isOf(SqlTypeName.CHAR_TYPES, spec)
                ? Math.max(-1, ((SqlBasicTypeNameSpec) spec.getTypeNameSpec()).getPrecision())
                : -1;
    }

    /** Whether a type fills texts up with blanks. */
    static boolean isFilled(SqlDataTypeSpec spec) {
        return basic(spec) == SqlTypeName.CHAR;
    }

    /** The type itself; null: it is made of others. */
    private static @Nullable SqlTypeName basic(SqlDataTypeSpec spec) {
        return spec.getTypeNameSpec() instanceof SqlBasicTypeNameSpec basic
                ? typeName(basic.getTypeName().getSimple())
                : null;
    }

    private static SqlTypeName typeName(String name) {
        SqlTypeName type = SqlTypeName.get(name);
        if (type == null) {
            throw new StatementEnd("the type " + name + " is not supported", SqlErrors.UNSUPPORTED);
        }
        return type;
    }

    private static String name(SqlTypeName type) {
        return switch (type) {
            case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, REAL, DATE, TIME, TIMESTAMP, UUID -> type.getName();
            case FLOAT, DOUBLE -> "DOUBLE";
            case CHAR, VARCHAR -> "VARCHAR";
            case BINARY, VARBINARY -> "BLOB";
            default -> throw new StatementEnd("the type " + type + " is not supported", SqlErrors.UNSUPPORTED);
        };
    }
}
