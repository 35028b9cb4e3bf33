package io.sdds.sql.shipped;

import io.sdds.core.row.Column;
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
 * Writes an expression over the columns of a table in the language of bricks, if the two mean the same; else it says
 * so, and the client evaluates the expression. Times are the subtle case: bricks see microseconds and the engine sees
 * milliseconds, so that times ship in comparisons with constants only, whose borders are moved to the next millisecond.
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

    /** The text of a condition or a value that is computed with; null: the client evaluates it. */
    @Nullable
    public ShippedText ship(RexNode node) {
        try {
            return write(RexUtil.expandSearch(rex, null, node));
        } catch (NotShipped e) {
            return null;
        }
    }

    /** As {@link #ship}, of a value that is only given back, so that it may be a column of times. */
    @Nullable
    public ShippedText shipOutput(RexNode node) {
        return node instanceof RexInputRef ref ? column(ref) : isTime(node.getType()) ? null : ship(node);
    }

    private ShippedText column(RexInputRef ref) {
        return ShippedText.of(name(columns.get(ref.getIndex())));
    }

    /** A name in double quotes. */
    public static String name(Column column) {
        return '"' + column.name().replace("\"", "\"\"") + '"';
    }

    private ShippedText write(RexNode node) {
        if (node instanceof RexInputRef ref) {
            checked(!isTime(ref.getType()));
            return column(ref);
        }
        if (node instanceof RexLiteral literal) {
            return constant(literal);
        }
        if (node instanceof RexDynamicParam parameter) {
            checked(Literals.type(parameter.getType()) != null && !isTime(parameter.getType()));
            checked(!hasLongValues || !isTextOrBytes(parameter.getType()));
            return new ShippedText().parameter(parameter.getIndex(), parameter.getType());
        }
        checked(node instanceof RexCall);
        return call((RexCall) node);
    }

    private ShippedText constant(RexLiteral literal) {
        checked(Literals.type(literal.getType()) != null && !isTime(literal.getType()));
        Object value = Literals.value(literal);
        checked(value != null || literal.isNull());
        return ShippedText.of(Literals.text(value, literal.getType()));
    }

    private static void checked(boolean holds) {
        if (!holds) {
            throw new NotShipped();
        }
    }

    private ShippedText call(RexCall call) {
        List<RexNode> operands = call.getOperands();
        return switch (call.getKind()) {
            case AND -> joined(operands, " and ");
            case OR -> joined(operands, " or ");
            case NOT -> of("(not ", operands.get(0), ")");
            case IS_NULL -> of("(", operands.get(0), " is null)", true);
            case IS_NOT_NULL -> of("(", operands.get(0), " is not null)", true);
            case IS_TRUE -> of("(", operands.get(0), " is true)");
            case IS_FALSE -> of("(", operands.get(0), " is false)");
            case IS_NOT_TRUE -> of("(not ", operands.get(0), " is true)");
            case IS_NOT_FALSE -> of("(not ", operands.get(0), " is false)");
            case EQUALS, NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
                comparison(call);
            case PLUS, CHECKED_PLUS -> arithmetic(call, " + ");
            case MINUS, CHECKED_MINUS -> arithmetic(call, " - ");
            case TIMES, CHECKED_TIMES -> arithmetic(call, " * ");
            case MINUS_PREFIX, CHECKED_MINUS_PREFIX -> negation(call);
            case DIVIDE, CHECKED_DIVIDE -> ofWhole(call, " / ");
            case MOD -> ofWhole(call, " % ");
            case CASE -> cases(call);
            case CAST -> cast(call);
            case LIKE -> like(call);
            default -> function(call);
        };
    }

    private ShippedText of(String before, RexNode operand, String behind) {
        return of(before, operand, behind, false);
    }

    private ShippedText of(String before, RexNode operand, String behind, boolean timesToo) {
        ShippedText text = timesToo && operand instanceof RexInputRef ref ? column(ref) : write(operand);
        return ShippedText.of(before).add(text).add(behind);
    }

    private ShippedText joined(List<RexNode> operands, String between) {
        ShippedText text = ShippedText.of("(");
        for (int k = 0; k < operands.size(); k++) {
            text.add(k == 0 ? "" : between).add(write(operands.get(k)));
        }
        return text.add(")");
    }

    // ---- comparisons

    private ShippedText comparison(RexCall call) {
        RexNode left = call.getOperands().get(0);
        RexNode right = call.getOperands().get(1);
        if (isTime(left.getType()) || isTime(right.getType())) {
            return timeComparison(call.getKind(), left, right);
        }
        checked(areComparable(left.getType(), right.getType()));
        return ShippedText.of("(")
                .add(write(left))
                .add(" " + sign(call.getKind()) + " ")
                .add(write(right))
                .add(")");
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

    private static String sign(SqlKind kind) {
        return switch (kind) {
            case EQUALS -> "=";
            case NOT_EQUALS -> "<>";
            case LESS_THAN -> "<";
            case LESS_THAN_OR_EQUAL -> "<=";
            case GREATER_THAN -> ">";
            default -> ">=";
        };
    }

    private ShippedText timeComparison(SqlKind kind, RexNode left, RexNode right) {
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
        ShippedText column = column((RexInputRef) left);
        String at = timeText(millis.longValue(), right.getType());
        String next = timeText(millis.longValue() + 1, right.getType());
        ShippedText text = ShippedText.of("(").add(column);
        return switch (kind) {
            case EQUALS -> text.add(" >= " + at + " and ").add(column).add(" < " + next + ")");
            case NOT_EQUALS -> text.add(" < " + at + " or ").add(column).add(" >= " + next + ")");
            case LESS_THAN -> text.add(" < " + at + ")");
            case LESS_THAN_OR_EQUAL -> text.add(" < " + next + ")");
            case GREATER_THAN -> text.add(" >= " + next + ")");
            default -> text.add(" >= " + at + ")");
        };
    }

    private static String timeText(long millis, RelDataType type) {
        checked(type.getSqlTypeName() == SqlTypeName.TIMESTAMP || millis < 24L * 60 * 60 * 1000);
        return Literals.text(millis, type);
    }

    private static boolean isTextOrBytes(RelDataType type) {
        return SqlTypeName.STRING_TYPES.contains(type.getSqlTypeName());
    }

    public static boolean isTime(RelDataType type) {
        SqlTypeName name = type.getSqlTypeName();
        return name == SqlTypeName.TIME || name == SqlTypeName.TIMESTAMP;
    }

    // ---- numbers

    private ShippedText arithmetic(RexCall call, String sign) {
        List<RexNode> operands = call.getOperands();
        checked(operands.size() == 2 && isShippedNumber(call.getType()));
        operands.forEach(operand -> checked(isShippedNumber(operand.getType())));
        if (SqlTypeUtil.isDecimal(call.getType())) {
            checked(call.getType().getPrecision() < DECIMAL_DIGITS);
        }
        return joined(operands, sign);
    }

    private static boolean isShippedNumber(RelDataType type) {
        return switch (type.getSqlTypeName()) {
            case INTEGER, BIGINT, DOUBLE, DECIMAL -> true;
            default -> false;
        };
    }

    private ShippedText negation(RexCall call) {
        checked(isShippedNumber(call.getType()));
        return of("(- ", call.getOperands().get(0), ")");
    }

    /** Division of whole numbers alone: other quotients have another number of digits at the client. */
    private ShippedText ofWhole(RexCall call, String sign) {
        checked(isWhole(call.getType()));
        call.getOperands().forEach(operand -> checked(isWhole(operand.getType())));
        return joined(call.getOperands(), sign);
    }

    private static boolean isWhole(RelDataType type) {
        return type.getSqlTypeName() == SqlTypeName.INTEGER || type.getSqlTypeName() == SqlTypeName.BIGINT;
    }

    // ---- choice and conversion

    private ShippedText cases(RexCall call) {
        List<RexNode> operands = call.getOperands();
        ShippedText text = ShippedText.of("(case");
        int last = operands.size() - 1;
        for (int k = 0; k < last; k += 2) {
            checked(isOfType(operands.get(k + 1), call.getType()));
            text.add(" when ").add(write(operands.get(k))).add(" then ").add(write(operands.get(k + 1)));
        }
        checked(isOfType(operands.get(last), call.getType()));
        return text.add(" else ").add(write(operands.get(last))).add(" end)");
    }

    private static boolean isOfType(RexNode node, RelDataType type) {
        return SqlTypeUtil.equalSansNullability(node.getType(), type)
                || family(node.getType()) == SqlTypeFamily.CHARACTER && family(type) == SqlTypeFamily.CHARACTER;
    }

    /** Conversions that lose nothing. */
    private ShippedText cast(RexCall call) {
        RexNode operand = call.getOperands().get(0);
        RelDataType from = operand.getType();
        RelDataType to = call.getType();
        if (SqlTypeUtil.equalSansNullability(from, to) || isLongerText(from, to)) {
            return write(operand);
        }
        if (to.getSqlTypeName() == SqlTypeName.BIGINT && from.getSqlTypeName() == SqlTypeName.INTEGER
                || to.getSqlTypeName() == SqlTypeName.DOUBLE && isShippedNumber(from)
                || SqlTypeUtil.isDecimal(to) && hasRoom(from, to)) {
            return of("cast(", operand, " as " + Literals.type(to) + ")");
        }
        throw new NotShipped();
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

    private ShippedText like(RexCall call) {
        List<RexNode> operands = call.getOperands();
        checked(call.getOperator() == SqlStdOperatorTable.LIKE && isText(operands.get(0)));
        for (int k = 1; k < operands.size(); k++) {
            checked(operands.get(k) instanceof RexLiteral && isText(operands.get(k)));
        }
        ShippedText text =
                ShippedText.of("(").add(write(operands.get(0))).add(" like ").add(write(operands.get(1)));
        return operands.size() == 2
                ? text.add(")")
                : text.add(" escape ").add(write(operands.get(2))).add(")");
    }

    private static boolean isText(RexNode node) {
        return family(node.getType()) == SqlTypeFamily.CHARACTER;
    }

    private ShippedText function(RexCall call) {
        if (call.getOperator().getName().equalsIgnoreCase(Functions.UTF8)) {
            return of("cast(", call.getOperands().get(0), " as varchar)");
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
        return of(name + "(", operand, ")");
    }
}
