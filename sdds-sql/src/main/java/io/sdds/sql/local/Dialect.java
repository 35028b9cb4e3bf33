package io.sdds.sql.local;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDialect;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelectKeyword;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** How DuckDB writes what Calcite has parsed. What has no equal there is refused. */
final class Dialect extends SqlDialect {
    /** Ends the number of a shipment. */
    static final String END = "#";

    private static final SqlSpecialOperator SHIPMENT = new SqlSpecialOperator("SHIPMENT", SqlKind.OTHER);

    /** Functions of both languages, by their names there if these differ. */
    private static final Map<String, String> FUNCTIONS = Functions.ALL;

    private final String mark;

    Dialect(String mark) {
        super(EMPTY_CONTEXT.withIdentifierQuoteString("\"").withLiteralQuoteString("'"));
        this.mark = mark;
    }

    /** Stands for a table. */
    static SqlNode shipment(int number, SqlParserPos place) {
        return new SqlBasicCall(
                SHIPMENT, List.of(SqlLiteral.createExactNumeric(Integer.toString(number), place)), place);
    }

    @Override
    public void quoteStringLiteral(StringBuilder out, @Nullable String charset, String value) {
        out.append('\'').append(value.replace("'", "''")).append('\'');
    }

    @Override
    public void unparseOffsetFetch(SqlWriter writer, @Nullable SqlNode offset, @Nullable SqlNode fetch) {
        unparseFetchUsingLimit(writer, offset, fetch);
    }

    @Override
    public void unparseSqlIntervalLiteral(SqlWriter writer, SqlIntervalLiteral literal, int left, int right) {
        SqlIntervalLiteral.IntervalValue value = literal.getValueAs(SqlIntervalLiteral.IntervalValue.class);
        boolean isMonths = value.getIntervalQualifier().isYearMonth();
        Long number = literal.getValueAs(Long.class);
        boolean isDays = value.getIntervalQualifier().toString().equals("DAY");
        long days = number / (24L * 60 * 60 * 1000);
        writer.print(
                isMonths
                        ? "to_months(" + number + ")"
                        : isDays ? "to_days(" + days + ")" : "to_milliseconds(" + number + ")");
        writer.setNeedWhitespace(true);
    }

    @Override
    public void unparseCall(SqlWriter writer, SqlCall call, int left, int right) {
        if (call.getOperator() == SHIPMENT) {
            writer.print(mark + call.operand(0) + END);
            writer.setNeedWhitespace(true);
            return;
        }
        switch (call.getKind()) {
            case CAST, SAFE_CAST -> cast(writer, call);
            case ROW -> list(writer, "", call.getOperandList());
            case VALUES -> {
                writer.print("VALUES ");
                for (int k = 0; k < call.operandCount(); k++) {
                    writer.print(k == 0 ? "" : ", ");
                    list(writer, "", ((SqlCall) call.operand(k)).getOperandList());
                }
            }
            case CASE -> cases(writer, (SqlCase) call);
            case BETWEEN, IN, NOT_IN, EXISTS, AS -> super.unparseCall(writer, call, left, right);
            case EXTRACT, TRIM -> super.unparseCall(writer, withParentheses(call), left, right);
            case ORDER_BY -> {
                if (left > 0 || right > 0) {
                    write(writer, call);
                } else {
                    super.unparseCall(writer, call, left, right);
                }
            }
            case MOD -> list(writer, Functions.REMAINDER, call.getOperandList());
            case FLOOR, CEIL -> rounded(writer, call);
            case WITHIN_GROUP -> ordered(writer, call);
            case IGNORE_NULLS, RESPECT_NULLS -> nulls(writer, call);
            case SIMILAR,
                    UNIQUE,
                    ITEM,
                    ARRAY_VALUE_CONSTRUCTOR,
                    MAP_VALUE_CONSTRUCTOR,
                    MULTISET_VALUE_CONSTRUCTOR,
                    ARRAY_QUERY_CONSTRUCTOR,
                    MAP_QUERY_CONSTRUCTOR,
                    MULTISET_QUERY_CONSTRUCTOR,
                    TABLESAMPLE,
                    MATCH_RECOGNIZE,
                    PIVOT,
                    UNPIVOT,
                    SNAPSHOT,
                    UNNEST,
                    COLLECTION_TABLE,
                    NEXT_VALUE,
                    CURRENT_VALUE -> throw unsupported(call.getOperator().getName());
            default -> other(writer, call, left, right);
        }
    }

    private void other(SqlWriter writer, SqlCall call, int left, int right) {
        if (call.getOperator().getName().equals("IS UNKNOWN")) {
            list(writer, "", call.getOperandList());
            writer.print("IS NULL");
            writer.setNeedWhitespace(true);
        } else if (call.getOperator().getName().equals("IS NOT UNKNOWN")) {
            list(writer, "", call.getOperandList());
            writer.print("IS NOT NULL");
            writer.setNeedWhitespace(true);
        } else if (call.getOperator() instanceof SqlFunction) {
            function(writer, call, left, right);
        } else {
            super.unparseCall(writer, call, left, right);
        }
    }

    // ---- functions

    private void function(SqlWriter writer, SqlCall call, int left, int right) {
        String name = call.getOperator().getName().toUpperCase(Locale.ROOT);
        String there = FUNCTIONS.get(name);
        if (there == null) {
            throw unsupported("the function " + name);
        }
        List<SqlNode> operands = call.getOperandList();
        switch (name) {
            case "POSITION", "OVERLAY" -> super.unparseCall(writer, withParentheses(call), left, right);
            case "TIMESTAMPADD" -> added(writer, operands);
            case "TIMESTAMPDIFF" -> {
                writer.print("date_sub('" + unit(operands.get(0)) + "', ");
                write(writer, operands.get(1));
                writer.print(", ");
                write(writer, operands.get(2));
                writer.print(")");
            }
            case "COUNT" -> count(writer, call);
            case "RAND", "RAND_INTEGER" -> {
                if (operands.size() > (name.equals("RAND") ? 0 : 1)) {
                    throw unsupported(name + " with a seed");
                }
                plain(writer, there, call);
            }
            default -> plain(writer, there, call);
        }
    }

    /** Calcite writes an ordered query as an argument of these calls without parentheses. */
    private static SqlCall withParentheses(SqlCall call) {
        SqlCall copy = (SqlCall) call.clone(call.getParserPosition());
        for (int k = 0; k < call.operandCount(); k++) {
            SqlNode operand = call.getOperandList().get(k);
            if (operand != null && operand.getKind() == SqlKind.ORDER_BY) {
                copy.setOperand(k, SqlStdOperatorTable.ROW.createCall(SqlParserPos.ZERO, operand));
            }
        }
        return copy;
    }

    private static void plain(SqlWriter writer, String there, SqlCall call) {
        if (there.indexOf('(') >= 0) {
            written(writer, there, call.getOperandList());
        } else {
            list(writer, there, call.getFunctionQuantifier(), call.getOperandList());
        }
    }

    /** Writes a text in which {@code {0}} is the first operand. */
    private static void written(SqlWriter writer, String template, List<SqlNode> operands) {
        int from = 0;
        for (int at = template.indexOf('{'); at >= 0; at = template.indexOf('{', from)) {
            writer.print(template.substring(from, at));
            int number = template.charAt(at + 1) - '0';
            if (number >= operands.size()) {
                throw unsupported("a call with " + operands.size() + " arguments");
            }
            writer.setNeedWhitespace(false);
            write(writer, operands.get(number));
            from = at + 3;
        }
        writer.print(template.substring(from));
        writer.setNeedWhitespace(true);
    }

    /** Counts rows in which no column is NULL, as the standard has it. */
    private static void count(SqlWriter writer, SqlCall call) {
        List<SqlNode> operands = call.getOperandList();
        if (operands.size() == 1) {
            list(writer, "count", call.getFunctionQuantifier(), operands);
            return;
        }
        writer.print("count(" + (call.getFunctionQuantifier() == null ? "" : "DISTINCT ") + "CASE WHEN ");
        for (int k = 0; k < operands.size(); k++) {
            writer.print(k == 0 ? "(" : " AND (");
            write(writer, operands.get(k));
            writer.print(") IS NOT NULL");
        }
        writer.print(" THEN ");
        list(writer, "row", operands);
        writer.print(" END)");
    }

    private static void added(SqlWriter writer, List<SqlNode> operands) {
        writer.print("(");
        write(writer, operands.get(2));
        writer.print(" + to_" + unit(operands.get(0)) + "s(");
        write(writer, operands.get(1));
        writer.print("))");
    }

    private static String unit(SqlNode node) {
        String unit = node instanceof SqlIntervalQualifier qualifier
                ? qualifier.timeUnitRange.name()
                : node.toString().toUpperCase(Locale.ROOT).replace("SQL_TSI_", "");
        return switch (unit) {
            case "YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND", "MILLISECOND" ->
                unit.toLowerCase(Locale.ROOT);
            default -> throw unsupported("the unit " + unit);
        };
    }

    private static void rounded(SqlWriter writer, SqlCall call) {
        List<SqlNode> operands = call.getOperandList();
        if (operands.size() == 1) {
            list(writer, call.getKind() == SqlKind.FLOOR ? "floor" : "ceil", operands);
            return;
        }
        if (call.getKind() == SqlKind.CEIL) {
            throw unsupported("CEIL of a time");
        }
        writer.print("date_trunc('" + unit(operands.get(1)) + "', ");
        write(writer, operands.get(0));
        writer.print(")");
    }

    /** {@code LISTAGG(x, ',') WITHIN GROUP (ORDER BY y)}. */
    private static void ordered(SqlWriter writer, SqlCall call) {
        SqlCall aggregate = call.operand(0);
        SqlNodeList order = call.operand(1);
        String name = aggregate.getOperator().getName().toUpperCase(Locale.ROOT);
        if (!name.equals("LISTAGG")) {
            throw unsupported(name + " WITHIN GROUP");
        }
        boolean isDistinct = aggregate.getFunctionQuantifier() != null;
        writer.print("string_agg(" + (isDistinct ? "DISTINCT " : ""));
        write(writer, aggregate.operand(0));
        writer.print(", ");
        if (aggregate.operandCount() > 1) {
            write(writer, aggregate.operand(1));
        } else {
            writer.print("''");
        }
        writer.print(" ORDER BY ");
        for (int k = 0; k < order.size(); k++) {
            writer.print(k == 0 ? "" : ", ");
            write(writer, order.get(k));
        }
        writer.print(")");
    }

    private static void nulls(SqlWriter writer, SqlCall call) {
        SqlCall function = call.operand(0);
        writer.print(function.getOperator().getName() + "(");
        List<SqlNode> operands = function.getOperandList();
        for (int k = 0; k < operands.size(); k++) {
            writer.print(k == 0 ? "" : ", ");
            write(writer, operands.get(k));
        }
        writer.print(call.getKind() == SqlKind.IGNORE_NULLS ? " IGNORE NULLS)" : ")");
    }

    /** Writes an operand, with parentheses around a query. */
    private static void write(SqlWriter writer, SqlNode node) {
        boolean isQuery = node.getKind().belongsTo(SqlKind.QUERY);
        if (isQuery) {
            writer.print("(");
            writer.setNeedWhitespace(false);
        }
        node.unparse(writer, 0, 0);
        if (isQuery) {
            writer.print(")");
            writer.setNeedWhitespace(true);
        }
    }

    private static void list(SqlWriter writer, String name, List<SqlNode> operands) {
        list(writer, name, null, operands);
    }

    private static void list(SqlWriter writer, String name, @Nullable SqlLiteral quantifier, List<SqlNode> operands) {
        writer.print(name + "(");
        writer.setNeedWhitespace(false);
        if (quantifier != null && quantifier.getValue() == SqlSelectKeyword.DISTINCT) {
            writer.print("DISTINCT ");
        }
        for (int k = 0; k < operands.size(); k++) {
            if (k > 0) {
                writer.print(", ");
                writer.setNeedWhitespace(false);
            }
            SqlNode operand = operands.get(k);
            if (operand instanceof SqlIdentifier star && star.isStar() && star.names.size() == 1) {
                writer.print("*");
            } else {
                write(writer, operand);
            }
        }
        writer.print(")");
        writer.setNeedWhitespace(true);
    }

    private static void cases(SqlWriter writer, SqlCase cases) {
        writer.print("CASE ");
        SqlNode value = cases.getValueOperand();
        if (value != null) {
            write(writer, value);
        }
        for (int k = 0; k < cases.getWhenOperands().size(); k++) {
            writer.print(" WHEN ");
            write(writer, cases.getWhenOperands().get(k));
            writer.print(" THEN ");
            write(writer, cases.getThenOperands().get(k));
        }
        writer.print(" ELSE ");
        write(writer, Objects.requireNonNull(cases.getElseOperand()));
        writer.print(" END");
        writer.setNeedWhitespace(true);
    }

    // ---- casts

    /** A text is cut to its length, as PostgreSQL does. */
    private static void cast(SqlWriter writer, SqlCall call) {
        SqlDataTypeSpec type = call.operand(1);
        int length = LocalTypes.textLength(type);
        boolean isFilled = LocalTypes.isFilled(type);
        writer.print((isFilled ? "rpad(" : length >= 0 ? "left(" : "") + "CAST(");
        writer.setNeedWhitespace(false);
        write(writer, call.operand(0));
        writer.print(" AS " + LocalTypes.ofCast(type) + ")");
        if (isFilled) {
            writer.print(", " + Math.max(1, length) + ", ' ')");
        } else if (length >= 0) {
            writer.print(", " + length + ")");
        }
        writer.setNeedWhitespace(true);
    }

    private static StatementEnd unsupported(String what) {
        return new StatementEnd(what + " is not supported", SqlErrors.UNSUPPORTED);
    }
}
