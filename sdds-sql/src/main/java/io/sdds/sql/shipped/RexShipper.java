package io.sdds.sql.shipped;

import io.sdds.client.internal.query.lang.Expression;
import io.sdds.client.internal.query.lang.NoProgramException;
import io.sdds.core.row.Column;
import io.sdds.core.row.ValueType;
import io.sdds.sql.schema.Functions;
import io.sdds.sql.schema.Literals;
import io.sdds.sql.schema.SqlTypes;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/**
 * Translates an expression over the columns of a table to the language of bricks, if the two mean the same; else it
 * says so, and the client evaluates the expression. Times are the subtle case: bricks see microseconds and the engine
 * sees milliseconds, so that times ship in comparisons with constants only, whose borders are moved to the next
 * millisecond.
 */
public final class RexShipper {
    private static final int INTEGER_DIGITS = 10;
    private static final int BIGINT_DIGITS = 19;
    private static final int DECIMAL_DIGITS = 38;

    /** The expression has no equal in the language. */
    private static final class NotShipped extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotShipped() {
            super(null, null, false, false);
        }
    }

    private final RexBuilder rex;
    private final List<Column> columns;
    private final boolean hasLongValues;

    /** @param hasLongValues whether texts and bytes of parameters are too long for programs */
    public RexShipper(RexBuilder rex, List<Column> columns, boolean hasLongValues) {
        this.rex = rex;
        this.columns = columns;
        this.hasLongValues = hasLongValues;
    }

    /** A condition or a value that is computed with; null: the client evaluates it. */
    @Nullable
    public Expression ship(RexNode node) {
        try {
            return translated(RexUtil.expandSearch(rex, null, node));
        } catch (NotShipped | NoProgramException e) {
            return null;
        }
    }

    /** As {@link #ship}, of a value that is only given back, so that it may be a column of times. */
    @Nullable
    public Expression shipOutput(RexNode node) {
        return node instanceof RexInputRef ref ? column(ref) : isTime(node.getType()) ? null : ship(node);
    }

    private Expression column(RexInputRef ref) {
        return name(columns.get(ref.getIndex()));
    }

    public static Expression.Name name(Column column) {
        return new Expression.Name(column.name(), true, Expression.NOWHERE);
    }

    private Expression translated(RexNode node) {
        if (node instanceof RexInputRef ref) {
            checked(!isTime(ref.getType()));
            return column(ref);
        }
        if (node instanceof RexLiteral literal) {
            Object value = Literals.value(literal);
            checked(value != null || literal.isNull());
            return Literals.constant(value, computed(literal.getType()));
        }
        if (node instanceof RexDynamicParam parameter) {
            checked(!hasLongValues || !isTextOrBytes(parameter.getType()));
            return new Expression.Parameter(parameter.getIndex(), computed(parameter.getType()));
        }
        checked(node instanceof RexCall);
        return call((RexCall) node);
    }

    /** The type of the language for a type that bricks compute with. */
    private static ValueType computed(RelDataType type) {
        ValueType computed = isTime(type) ? null : Literals.type(type);
        if (computed == null) {
            throw new NotShipped();
        }
        return computed;
    }

    private static void checked(boolean holds) {
        if (!holds) {
            throw new NotShipped();
        }
    }

    private Expression call(RexCall call) {
        return switch (call.getKind()) {
            case AND -> of("and", call);
            case OR -> of("or", call);
            case NOT -> of("not", call);
            case IS_NULL -> isNull(call.getOperands().get(0));
            case IS_NOT_NULL -> Expression.call("not", isNull(call.getOperands().get(0)));
            case IS_TRUE -> of("is true", call);
            case IS_FALSE -> Expression.call("is true", of("not", call));
            case IS_NOT_TRUE -> Expression.call("not", of("is true", call));
            case IS_NOT_FALSE -> Expression.call("not", Expression.call("is true", of("not", call)));
            case EQUALS, NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
                comparison(call);
            case PLUS, CHECKED_PLUS -> arithmetic("+", call);
            case MINUS, CHECKED_MINUS -> arithmetic("-", call);
            case TIMES, CHECKED_TIMES -> arithmetic("*", call);
            case MINUS_PREFIX, CHECKED_MINUS_PREFIX -> negation(call);
            case DIVIDE, CHECKED_DIVIDE -> ofWhole("/", call);
            case MOD -> ofWhole("%", call);
            case CASE -> cases(call);
            case CAST -> cast(call);
            case LIKE -> like(call);
            default -> function(call);
        };
    }

    /** A function of the operands of a call. */
    private Expression of(String function, RexCall call) {
        return new Expression.Call(
                function, call.getOperands().stream().map(this::translated).toList(), Expression.NOWHERE);
    }

    /** Bricks need not compute with a time to tell whether it is NULL. */
    private Expression isNull(RexNode operand) {
        return Expression.call("is null", operand instanceof RexInputRef ref ? column(ref) : translated(operand));
    }

    // ---- comparisons

    private Expression comparison(RexCall call) {
        RexNode left = call.getOperands().get(0);
        RexNode right = call.getOperands().get(1);
        if (isTime(left.getType()) || isTime(right.getType())) {
            return timeComparison(call.getKind(), left, right);
        }
        checked(areComparable(left.getType(), right.getType()));
        return of(call.getKind().sql, call);
    }

    private static boolean areComparable(RelDataType one, RelDataType other) {
        SqlTypeFamily a = family(one);
        return a != null && a == family(other);
    }

    private static @Nullable SqlTypeFamily family(RelDataType type) {
        SqlTypeName name = type.getSqlTypeName();
        if (SqlTypeUtil.isNumeric(type)) {
            return SqlTypeFamily.NUMERIC;
        }
        // Texts of fixed length have blanks at their end; only constants are such texts here.
        return name == SqlTypeName.CHAR ? SqlTypeFamily.CHARACTER : name.getFamily();
    }

    private Expression timeComparison(SqlKind kind, RexNode left, RexNode right) {
        if (left instanceof RexLiteral) {
            checked(!(right instanceof RexLiteral));
            return timeComparison(kind.reverse(), right, left);
        }
        checked(left instanceof RexInputRef && right instanceof RexLiteral);
        checked(left.getType().getSqlTypeName() == right.getType().getSqlTypeName());
        Number millis = (Number) Literals.value((RexLiteral) right);
        if (millis == null || right.getType().getPrecision() > SqlTypes.TIME_DIGITS) {
            throw new NotShipped();
        }
        Expression column = column((RexInputRef) left);
        Expression at = time(millis.longValue(), right.getType());
        Expression next = time(millis.longValue() + 1, right.getType());
        return switch (kind) {
            case EQUALS ->
                Expression.call("and", Expression.call(">=", column, at), Expression.call("<", column, next));
            case NOT_EQUALS ->
                Expression.call("or", Expression.call("<", column, at), Expression.call(">=", column, next));
            case LESS_THAN -> Expression.call("<", column, at);
            case LESS_THAN_OR_EQUAL -> Expression.call("<", column, next);
            case GREATER_THAN -> Expression.call(">=", column, next);
            default -> Expression.call(">=", column, at);
        };
    }

    private static Expression time(long millis, RelDataType type) {
        boolean isTimestamp = type.getSqlTypeName() == SqlTypeName.TIMESTAMP;
        checked(isTimestamp || millis < 24L * 60 * 60 * 1000);
        return Literals.constant(millis, isTimestamp ? ValueType.TIMESTAMP : ValueType.TIME);
    }

    private static boolean isTextOrBytes(RelDataType type) {
        return SqlTypeName.STRING_TYPES.contains(type.getSqlTypeName());
    }

    public static boolean isTime(RelDataType type) {
        SqlTypeName name = type.getSqlTypeName();
        return name == SqlTypeName.TIME || name == SqlTypeName.TIMESTAMP;
    }

    // ---- numbers

    private Expression arithmetic(String sign, RexCall call) {
        checked(call.getOperands().size() == 2 && isShippedNumber(call.getType()));
        call.getOperands().forEach(operand -> checked(isShippedNumber(operand.getType())));
        if (SqlTypeUtil.isDecimal(call.getType())) {
            checked(call.getType().getPrecision() < DECIMAL_DIGITS);
        }
        return of(sign, call);
    }

    private static boolean isShippedNumber(RelDataType type) {
        return switch (type.getSqlTypeName()) {
            case INTEGER, BIGINT, DOUBLE, DECIMAL -> true;
            default -> false;
        };
    }

    private Expression negation(RexCall call) {
        checked(isShippedNumber(call.getType()));
        return of("negate", call);
    }

    /** Division of whole numbers alone: other quotients have another number of digits at the client. */
    private Expression ofWhole(String sign, RexCall call) {
        checked(isWhole(call.getType()));
        call.getOperands().forEach(operand -> checked(isWhole(operand.getType())));
        return of(sign, call);
    }

    private static boolean isWhole(RelDataType type) {
        return type.getSqlTypeName() == SqlTypeName.INTEGER || type.getSqlTypeName() == SqlTypeName.BIGINT;
    }

    // ---- choice and conversion

    private Expression cases(RexCall call) {
        List<RexNode> operands = call.getOperands();
        for (int k = 1; k < operands.size(); k += 2) {
            checked(isOfType(operands.get(k), call.getType()));
        }
        checked(isOfType(operands.get(operands.size() - 1), call.getType()));
        return of("case", call);
    }

    private static boolean isOfType(RexNode node, RelDataType type) {
        return SqlTypeUtil.equalSansNullability(node.getType(), type)
                || family(node.getType()) == SqlTypeFamily.CHARACTER && family(type) == SqlTypeFamily.CHARACTER;
    }

    /** Conversions that lose nothing. */
    private Expression cast(RexCall call) {
        RexNode operand = call.getOperands().get(0);
        RelDataType from = operand.getType();
        RelDataType to = call.getType();
        if (SqlTypeUtil.equalSansNullability(from, to) || isLongerText(from, to)) {
            return translated(operand);
        }
        if (to.getSqlTypeName() == SqlTypeName.BIGINT && from.getSqlTypeName() == SqlTypeName.INTEGER
                || to.getSqlTypeName() == SqlTypeName.DOUBLE && isShippedNumber(from)
                || SqlTypeUtil.isDecimal(to) && hasRoom(from, to)) {
            return cast(operand, computed(to));
        }
        throw new NotShipped();
    }

    private Expression cast(RexNode operand, ValueType type) {
        return new Expression.Cast(translated(operand), type, Expression.NOWHERE);
    }

    private static boolean isLongerText(RelDataType from, RelDataType to) {
        SqlTypeName name = to.getSqlTypeName();
        boolean varies = name == SqlTypeName.VARCHAR || name == SqlTypeName.VARBINARY;
        boolean isAlike = family(from) == family(to);
        int room = to.getPrecision();
        boolean fits = room == RelDataType.PRECISION_NOT_SPECIFIED
                || from.getPrecision() != RelDataType.PRECISION_NOT_SPECIFIED && from.getPrecision() <= room;
        return varies && isAlike && fits;
    }

    private static boolean hasRoom(RelDataType from, RelDataType to) {
        int room = to.getPrecision() - to.getScale();
        return switch (from.getSqlTypeName()) {
            case INTEGER -> room >= INTEGER_DIGITS;
            case BIGINT -> room >= BIGINT_DIGITS;
            case DECIMAL -> to.getScale() >= from.getScale() && room >= from.getPrecision() - from.getScale();
            default -> false;
        };
    }

    // ---- texts

    private Expression like(RexCall call) {
        List<RexNode> operands = call.getOperands();
        checked(call.getOperator() == SqlStdOperatorTable.LIKE && isText(operands.get(0)));
        for (int k = 1; k < operands.size(); k++) {
            checked(operands.get(k) instanceof RexLiteral && isText(operands.get(k)));
        }
        return of("like", call);
    }

    private static boolean isText(RexNode node) {
        return family(node.getType()) == SqlTypeFamily.CHARACTER;
    }

    private Expression function(RexCall call) {
        if (call.getOperator().getName().equalsIgnoreCase(Functions.UTF8)) {
            return cast(call.getOperands().get(0), ValueType.VARCHAR);
        }
        String name = switch (call.getOperator().getName()) {
            case "UPPER" -> "upper";
            case "LOWER" -> "lower";
            case "CHAR_LENGTH", "CHARACTER_LENGTH" -> "length";
            case "ABS" -> "abs";
            default -> throw new NotShipped();
        };
        RexNode operand = call.getOperands().get(0);
        checked(name.equals("abs") ? isShippedNumber(operand.getType()) : isText(operand));
        return of(name, call);
    }
}
