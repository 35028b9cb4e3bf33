package io.sdds.sql.join;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/**
 * The columns that an equality of a join compares, and their values in one form for both sides.
 *
 * @param left positions in the rows of the left side
 * @param right positions in the rows of the right side
 * @param kinds for each pair how its values are brought into one form
 */
record JoinKeys(List<Integer> left, List<Integer> right, List<Kind> kinds) {
    private static final int DIGITS_MAX = 38;
    private static final int BIGINT_DIGITS = 19;

    /** The form in which values of both sides are equal if SQL takes them for equal. */
    enum Kind {
        SAME,
        WHOLE,
        DECIMAL,
        DOUBLE
    }

    /** The keys of a join; null: a pair of them cannot be compared here. */
    static @Nullable JoinKeys of(Join join) {
        var info = join.analyzeCondition();
        if (info.leftKeys.isEmpty() || info.nullExclusionFlags.contains(false)) {
            return null;
        }
        List<Kind> kinds = new ArrayList<>();
        for (int k = 0; k < info.leftKeys.size(); k++) {
            Kind kind = kind(
                    type(join.getLeft().getRowType(), info.leftKeys.get(k)),
                    type(join.getRight().getRowType(), info.rightKeys.get(k)));
            if (kind == null) {
                return null;
            }
            kinds.add(kind);
        }
        return new JoinKeys(List.copyOf(info.leftKeys), List.copyOf(info.rightKeys), kinds);
    }

    private static RelDataType type(RelDataType row, int column) {
        return row.getFieldList().get(column).getType();
    }

    private static @Nullable Kind kind(RelDataType one, RelDataType other) {
        if (isWhole(one) && isWhole(other)) {
            return one.getSqlTypeName() == other.getSqlTypeName() ? Kind.SAME : Kind.WHOLE;
        }
        if (SqlTypeUtil.isNumeric(one) && SqlTypeUtil.isNumeric(other)) {
            return SqlTypeUtil.isApproximateNumeric(one) || SqlTypeUtil.isApproximateNumeric(other)
                    ? Kind.DOUBLE
                    : Kind.DECIMAL;
        }
        boolean areTexts = SqlTypeUtil.inCharFamily(one) && SqlTypeUtil.inCharFamily(other);
        return areTexts || one.getSqlTypeName() == other.getSqlTypeName() ? Kind.SAME : null;
    }

    /** Whether bricks can bring decimal numbers of both sides to one scale, whatever their values are. */
    boolean haveRoom(Join join) {
        for (int k = 0; k < kinds.size(); k++) {
            RelDataType one = type(join.getLeft().getRowType(), left.get(k));
            RelDataType other = type(join.getRight().getRowType(), right.get(k));
            int scale = Math.max(scale(one), scale(other));
            if (kinds.get(k) == Kind.DECIMAL && Math.max(whole(one), whole(other)) + scale > DIGITS_MAX) {
                return false;
            }
        }
        return true;
    }

    private static int scale(RelDataType type) {
        return SqlTypeUtil.isDecimal(type) ? type.getScale() : 0;
    }

    /** Digits before the point. */
    private static int whole(RelDataType type) {
        return SqlTypeUtil.isDecimal(type) ? type.getPrecision() - type.getScale() : BIGINT_DIGITS;
    }

    private static boolean isWhole(RelDataType type) {
        return type.getSqlTypeName() == SqlTypeName.INTEGER || type.getSqlTypeName() == SqlTypeName.BIGINT;
    }

    /** The key of a row of the left side; null: a value is NULL or NaN, which equals nothing. */
    @Nullable
    Object ofLeft(@Nullable Object[] row) {
        return key(row, left);
    }

    /** The key of a row of the right side, like that of the left one. */
    @Nullable
    Object ofRight(@Nullable Object[] row) {
        return key(row, right);
    }

    private @Nullable Object key(@Nullable Object[] row, List<Integer> columns) {
        if (columns.size() == 1) {
            return value(row[columns.get(0)], kinds.get(0));
        }
        Object[] values = new Object[columns.size()];
        for (int k = 0; k < values.length; k++) {
            Object value = value(row[columns.get(k)], kinds.get(k));
            if (value == null) {
                return null;
            }
            values[k] = value;
        }
        return List.of(values);
    }

    private static @Nullable Object value(@Nullable Object value, Kind kind) {
        if (value == null || kind == Kind.SAME) {
            return value;
        }
        Number number = (Number) value;
        return switch (kind) {
            case WHOLE -> number.longValue();
            case DECIMAL -> new BigDecimal(number.toString()).stripTrailingZeros();
            default -> doubleOf(number.doubleValue());
        };
    }

    private static @Nullable Double doubleOf(double value) {
        return Double.isNaN(value) ? null : value == 0 ? 0.0 : value;
    }
}
