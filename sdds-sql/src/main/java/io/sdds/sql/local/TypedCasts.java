package io.sdds.sql.local;

import io.sdds.sql.statement.Nodes;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.validate.SqlValidator;
import org.jspecify.annotations.Nullable;

/**
 * Finds where a validated statement and DuckDB give an expression different types: a sum of BIGINT is a decimal number,
 * which divides with a fraction, and a date some days later is a date. Bytes as text are hexadecimal digits.
 */
final class TypedCasts extends SqlBasicVisitor<@Nullable Void> {
    static final int DIGITS_MAX = 38;
    private static final int BIGINT_DIGITS = 19;

    /** Digits of the number of rows of a sum. */
    private static final int COUNT_DIGITS = 9;

    private static final int SUM_DIGITS = BIGINT_DIGITS + COUNT_DIGITS;

    /** The remainder of a division, less than the divisor, is multiplied by 2 * 10^16 in a HUGEINT. */
    private static final int DIVISOR_DIGITS_MAX = 21;

    private static final int SCALE_OF_OPERANDS_MAX = 9;

    /** Digits behind the point that PostgreSQL gives averages, and quotients at least. */
    private static final int AVERAGE_SCALE = 16;

    private static final int QUOTIENT_SCALE_MIN = 6;

    private static final Set<SqlKind> REPEATABLE = EnumSet.of(
            SqlKind.MINUS_PREFIX,
            SqlKind.PLUS_PREFIX,
            SqlKind.MOD,
            SqlKind.CAST,
            SqlKind.CAST_NOT_NULL,
            SqlKind.CASE, // also COALESCE and NULLIF, which the validator rewrites
            SqlKind.GREATEST,
            SqlKind.LEAST,
            SqlKind.AND,
            SqlKind.OR,
            SqlKind.NOT,
            SqlKind.BETWEEN,
            SqlKind.IS_NULL,
            SqlKind.IS_NOT_NULL,
            SqlKind.WINDOW,
            SqlKind.DESCENDING,
            SqlKind.NULLS_FIRST,
            SqlKind.NULLS_LAST,
            SqlKind.PRECEDING,
            SqlKind.FOLLOWING);

    /** Functions besides CEIL and FLOOR. */
    private static final Set<String> ROUNDING = Set.of("ROUND", "TRUNCATE", "TRUNC");

    /** Stands for the digits of bytes. */
    static final SqlBasicTypeNameSpec HEXADECIMAL = new SqlBasicTypeNameSpec(SqlTypeName.VARBINARY, SqlParserPos.ZERO);

    /**
     * Marks an average that is written as an exact quotient of a sum and a number, because DuckDB's AVG is a DOUBLE.
     */
    static final SqlBasicTypeNameSpec WHOLE_AVERAGE = decimal(DIGITS_MAX, AVERAGE_SCALE);

    /** Marks an average that is rounded at once: its last digits are not certain. */
    static final SqlBasicTypeNameSpec ROUNDED_AVERAGE = decimal(DIGITS_MAX, AVERAGE_SCALE);

    /** Marks a quotient that is computed exactly, because DuckDB's is a DOUBLE. */
    static final class ExactQuotient extends SqlBasicTypeNameSpec {
        private final int digits;
        private final boolean isLarge;

        private ExactQuotient(int scale, int digits, boolean isLarge) {
            super(SqlTypeName.DECIMAL, DIGITS_MAX, scale, SqlParserPos.ZERO);
            this.digits = digits;
            this.isLarge = isLarge;
        }

        /** Whether the quotient has room for few digits behind the point. */
        boolean isLarge() {
            return isLarge;
        }

        /** Digits behind the point of both numbers, at most. */
        int digits() {
            return digits;
        }
    }

    private final SqlValidator validator;
    private final Map<SqlParserPos, SqlBasicTypeNameSpec> found = new HashMap<>();
    private final CommonDigits common;

    private TypedCasts(SqlValidator validator) {
        this.validator = validator;
        this.common = new CommonDigits(validator, found);
    }

    /** The types that expressions are cast to, by their places in the text. */
    static Map<SqlParserPos, SqlBasicTypeNameSpec> of(SqlNode statement, SqlValidator validator) {
        TypedCasts casts = new TypedCasts(validator);
        statement.accept(casts);
        return casts.found;
    }

    @Override
    public @Nullable Void visit(SqlCall call) {
        SqlCall function = unwrapped(call);
        if (function.getKind() == SqlKind.SUM && is(call, SqlTypeName.DECIMAL) && !hasParameter(function)) {
            add(call, decimal(sumDigits(function), scale(call)));
        } else if (function.getKind() == SqlKind.AVG && is(call, SqlTypeName.DECIMAL)) {
            add(call, isOfWholeNumbers(call, function) ? WHOLE_AVERAGE : decimal(DIGITS_MAX, averageScale(function)));
        } else if ((call.getKind() == SqlKind.PLUS || call.getKind() == SqlKind.MINUS) && is(call, SqlTypeName.DATE)) {
            add(call, new SqlBasicTypeNameSpec(SqlTypeName.DATE, SqlParserPos.ZERO));
        } else if (call.getKind() == SqlKind.CAST && isBytes(call.operand(0)) && is(call, SqlTypeName.VARCHAR)) {
            add(call, HEXADECIMAL);
        }
        if (function == call) {
            super.visit(call);
            divides(call);
            roundsNumber(call);
            multipliesSum(call);
            common.leaveTo(call);
            return null;
        }
        // The function inside is cast with what is around it.
        Stream.concat(call.getOperandList().stream().skip(1), function.getOperandList().stream())
                .filter(Objects::nonNull)
                .forEach(operand -> operand.accept(this));
        return null;
    }

    /**
     * Whether an aggregate is of whole numbers, and may stand twice in the text.
     *
     * @param call the aggregate, or the FILTER or OVER around it
     */
    private boolean isOfWholeNumbers(SqlCall call, SqlCall aggregate) {
        RelDataType type = validator.getValidatedNodeTypeIfKnown(aggregate.operand(0));
        return type != null
                && SqlTypeName.INT_TYPES.contains(type.getSqlTypeName())
                && !hasParameter(call)
                && !Nodes.has(
                        call,
                        node -> node instanceof SqlCall part
                                && part != call
                                && part != aggregate
                                && !isRepeatable(part));
    }

    /** The function inside of OVER or FILTER. */
    private static SqlCall unwrapped(SqlCall call) {
        boolean isWrapped = call.getKind() == SqlKind.OVER || call.getKind() == SqlKind.FILTER;
        return isWrapped && call.operand(0) instanceof SqlCall inner ? inner : call;
    }

    /** Whether a call has the same value wherever it stands, and costs little. */
    private static boolean isRepeatable(SqlCall call) {
        return SqlKind.BINARY_ARITHMETIC.contains(call.getKind())
                || SqlKind.COMPARISON.contains(call.getKind())
                || REPEATABLE.contains(call.getKind())
                || call.getOperator().getName().equalsIgnoreCase("ABS");
    }

    /** Whether a parameter, which may have more digits than its type, is in an expression. */
    private static boolean hasParameter(SqlNode node) {
        return Nodes.has(node, SqlDynamicParam.class::isInstance);
    }

    /**
     * A rounded sum, quotient or average has no more digits than it needs. DuckDB leaves it all digits before and
     * behind the point, and the common type with another number then has none behind the point.
     */
    private void roundsNumber(SqlCall call) {
        int scale = roundedScale(call);
        markRoundedAverage(call, scale);
        if (scale < 0 || !is(call, SqlTypeName.DECIMAL) || isLargeAverage(call.operand(0))) {
            return;
        }
        SqlBasicTypeNameSpec argument = decimalCast(call.operand(0));
        if (argument != null) {
            int kept = Math.min(scale, argument.getScale());
            int digits = argument.getPrecision() - argument.getScale() + 1 + kept;
            add(call, decimal(Math.min(DIGITS_MAX, digits), kept));
        }
    }

    private void divides(SqlCall call) {
        if (call.getKind() != SqlKind.DIVIDE || !is(call, SqlTypeName.DECIMAL)) {
            return;
        }
        int scale = Math.min(AVERAGE_SCALE, Math.max(QUOTIENT_SCALE_MIN, scale(call)));
        Digits dividend = digits(call.operand(0));
        Digits divisor = digits(call.operand(1));
        if (dividend == null || divisor == null || !areFew(dividend, divisor) || !mayRepeat(call)) {
            add(call, decimal(DIGITS_MAX, scale));
        } else {
            boolean isLarge = dividend.before() + divisor.behind() > DIGITS_MAX - AVERAGE_SCALE;
            int behind = Math.max(dividend.behind(), divisor.behind());
            add(call, new ExactQuotient(isLarge ? QUOTIENT_SCALE_MIN : scale, behind, isLarge));
        }
    }

    /** Whether the text may have the operands of a call more than once: their values are the same each time. */
    private static boolean mayRepeat(SqlCall call) {
        return !hasParameter(call)
                && !Nodes.has(
                        call,
                        node -> node instanceof SqlCall part
                                && (Nodes.isQuery(part)
                                        || !part.getOperator().isDeterministic()
                                        || part.getOperator().isDynamicFunction()));
    }

    /** The decimal type that an expression is cast to; null: none. */
    private @Nullable SqlBasicTypeNameSpec decimalCast(SqlNode node) {
        SqlBasicTypeNameSpec type = found.get(node.getParserPosition());
        return type != null && type.getTypeName().getSimple().equals(SqlTypeName.DECIMAL.getName()) ? type : null;
    }

    /** Digits of a number before the point and behind it. */
    private record Digits(int before, int behind) {}

    /** The digits of a decimal or whole number as DuckDB has it; null: it is another number. */
    private @Nullable Digits digits(SqlNode node) {
        SqlBasicTypeNameSpec cast = node instanceof SqlCall ? decimalCast(node) : null;
        if (cast != null) {
            return new Digits(cast.getPrecision() - Math.max(0, cast.getScale()), Math.max(0, cast.getScale()));
        }
        RelDataType type = validator.getValidatedNodeTypeIfKnown(node);
        if (type == null || !SqlTypeName.EXACT_TYPES.contains(type.getSqlTypeName())) {
            return null;
        }
        return new Digits(type.getPrecision() - type.getScale(), type.getScale());
    }

    /** Whether the exact quotient of two numbers, and what comes between, has no more digits than a HUGEINT. */
    private static boolean areFew(Digits dividend, Digits divisor) {
        int behind = Math.max(dividend.behind(), divisor.behind());
        return behind <= SCALE_OF_OPERANDS_MAX
                && dividend.before() + 2 * behind <= DIGITS_MAX
                && divisor.before() + behind <= DIVISOR_DIGITS_MAX
                && dividend.before() + divisor.behind() <= DIGITS_MAX - QUOTIENT_SCALE_MIN;
    }

    /**
     * A product with a sum has room for the digits of another number behind the point, as the sum has: see
     * {@link #sumDigits}. DuckDB's has 38 digits before the point.
     */
    private void multipliesSum(SqlCall call) {
        if (call.getKind() != SqlKind.TIMES || !is(call, SqlTypeName.DECIMAL) || hasParameter(call)) {
            return;
        }
        int scale = Math.max(0, scale(call));
        boolean isOfSum = call.getOperandList().stream().anyMatch(this::isWideDecimal);
        if (isOfSum && scale <= DIGITS_MAX - SUM_DIGITS) {
            add(call, decimal(SUM_DIGITS + scale, scale));
        }
    }

    /** Whether an operand is cast to the digits of a sum. Quotients and averages have more. */
    private boolean isWideDecimal(SqlNode operand) {
        SqlBasicTypeNameSpec type = decimalCast(operand);
        return type != null
                && type.getPrecision() < DIGITS_MAX
                && type.getPrecision() - Math.max(0, type.getScale()) >= BIGINT_DIGITS;
    }

    /** DuckDB's cast of a DOUBLE to a decimal number may be below the half that is rounded up. */
    private void markRoundedAverage(SqlCall call, int scale) {
        if (scale >= 0 && call.operand(0) instanceof SqlCall rounded) {
            SqlBasicTypeNameSpec type = found.get(rounded.getParserPosition());
            if (unwrapped(rounded).getKind() == SqlKind.AVG
                    && type != null
                    && type != WHOLE_AVERAGE
                    && !isLargeAverage(rounded)) {
                add(rounded, ROUNDED_AVERAGE);
            }
        }
    }

    /** Digits behind the point of an average, which leave room for those that it has before the point. */
    private int averageScale(SqlCall average) {
        return Math.min(AVERAGE_SCALE, DIGITS_MAX - digitsBeforePoint(average.operand(0)));
    }

    /**
     * Digits that a number has before the point; 0 if they are not known. Calcite gives sums and other results the most
     * digits that there are, which tells nothing about their values.
     */
    private int digitsBeforePoint(SqlNode number) {
        RelDataType type = validator.getValidatedNodeTypeIfKnown(number);
        return type == null || type.getPrecision() >= DIGITS_MAX
                ? 0
                : type.getPrecision() - Math.max(0, type.getScale());
    }

    /** Whether an average may have more digits before the point than are left beside those that it has behind it. */
    private boolean isLargeAverage(SqlNode node) {
        return node instanceof SqlCall call
                && unwrapped(call).getKind() == SqlKind.AVG
                && digitsBeforePoint(unwrapped(call).operand(0)) >= DIGITS_MAX - AVERAGE_SCALE;
    }

    /** Digits behind the point after a call that rounds; -1 if it does not round, or nobody knows how. */
    private static int roundedScale(SqlCall call) {
        if (!isRounding(call)) {
            return -1;
        }
        if (call.operandCount() == 1) {
            return 0;
        }
        return call.operand(1) instanceof SqlNumericLiteral digits && digits.isInteger()
                ? Math.max(0, digits.intValue(true))
                : -1;
    }

    /** Whether a call is one of the functions that round numbers. */
    static boolean isRounding(SqlCall call) {
        return switch (call.getKind()) {
            case CEIL, FLOOR -> true;
            default -> ROUNDING.contains(call.getOperator().getName().toUpperCase(Locale.ROOT));
        };
    }

    /**
     * Digits of a sum. All that a type can have would leave no room for those of another number behind the point, when
     * DuckDB looks for the common type of the two.
     */
    private int sumDigits(SqlCall sum) {
        RelDataType type = validator.getValidatedNodeTypeIfKnown(sum.operand(0));
        boolean isDecimal = type != null && type.getSqlTypeName() == SqlTypeName.DECIMAL;
        return isDecimal ? Math.min(DIGITS_MAX, type.getPrecision() + COUNT_DIGITS) : SUM_DIGITS;
    }

    /** Whether a type is an ordinary decimal type, and stands for no computation. */
    static boolean isPlainDecimal(SqlBasicTypeNameSpec type) {
        return type.getClass() == SqlBasicTypeNameSpec.class
                && type != WHOLE_AVERAGE
                && type != ROUNDED_AVERAGE
                && type.getTypeName().getSimple().equals(SqlTypeName.DECIMAL.getName());
    }

    static SqlBasicTypeNameSpec decimal(int digits, int scale) {
        return new SqlBasicTypeNameSpec(SqlTypeName.DECIMAL, digits, scale, SqlParserPos.ZERO);
    }

    private void add(SqlCall call, SqlBasicTypeNameSpec type) {
        // A call that was made here has no place of its own.
        if (!call.getParserPosition().equals(SqlParserPos.ZERO)) {
            found.put(call.getParserPosition(), type);
        }
    }

    private boolean isBytes(SqlNode node) {
        RelDataType type = validator.getValidatedNodeTypeIfKnown(node);
        return type != null && SqlTypeName.BINARY_TYPES.contains(type.getSqlTypeName());
    }

    private boolean is(SqlCall call, SqlTypeName name) {
        RelDataType type = validator.getValidatedNodeTypeIfKnown(call);
        return type != null && type.getSqlTypeName() == name;
    }

    private int scale(SqlCall call) {
        return validator.getValidatedNodeType(call).getScale();
    }
}
