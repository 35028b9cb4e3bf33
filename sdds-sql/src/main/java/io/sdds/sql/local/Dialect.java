package io.sdds.sql.local;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.statement.Nodes;
import java.util.ArrayList;
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
        write(
                writer,
                isMonths
                        ? "to_months(" + number + ")"
                        : isDays ? "to_days(" + days + ")" : "to_milliseconds(" + number + ")");
    }

    @Override
    public void unparseCall(SqlWriter writer, SqlCall call, int left, int right) {
        if (call.getOperator() == SHIPMENT) {
            write(writer, mark + call.operand(0) + END);
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
                    operand(writer, call);
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
        String name = call.getOperator().getName();
        if (name.equals("IS UNKNOWN") || name.equals("IS NOT UNKNOWN")) {
            write(writer, "(", call.operand(0), ")", name.equals("IS UNKNOWN") ? "IS NULL" : "IS NOT NULL");
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
            case "TIMESTAMPADD" ->
                write(writer, "(", operands.get(2), " + to_" + unit(operands.get(0)) + "s(", operands.get(1), "))");
            case "TIMESTAMPDIFF" ->
                write(
                        writer,
                        "date_sub('" + unit(operands.get(0)) + "', ",
                        operands.get(1),
                        ", ",
                        operands.get(2),
                        ")");
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
            operand(writer, operands.get(number));
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
            operand(writer, operands.get(k));
            writer.print(") IS NOT NULL");
        }
        writer.print(" THEN ");
        list(writer, "row", operands);
        writer.print(" END)");
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
        write(writer, "date_trunc('" + unit(operands.get(1)) + "', ", operands.get(0), ")");
    }

    /** {@code LISTAGG(x, ',') WITHIN GROUP (ORDER BY y)}. */
    private static void ordered(SqlWriter writer, SqlCall call) {
        SqlCall aggregate = call.operand(0);
        SqlNodeList order = call.operand(1);
        String name = aggregate.getOperator().getName().toUpperCase(Locale.ROOT);
        if (!name.equals("LISTAGG")) {
            throw unsupported(name + " WITHIN GROUP");
        }
        String distinct = aggregate.getFunctionQuantifier() == null ? "" : "DISTINCT ";
        Object separator = aggregate.operandCount() > 1 ? aggregate.operand(1) : "''";
        write(writer, "string_agg(" + distinct, aggregate.operand(0), ", ", separator, " ORDER BY ");
        items(writer, order);
        write(writer, ")");
    }

    private static void nulls(SqlWriter writer, SqlCall call) {
        SqlCall function = call.operand(0);
        writer.print(function.getOperator().getName() + "(");
        items(writer, function.getOperandList());
        write(writer, call.getKind() == SqlKind.IGNORE_NULLS ? " IGNORE NULLS)" : ")");
    }

    /** Writes texts and operands. */
    private static void write(SqlWriter writer, Object... parts) {
        for (Object part : parts) {
            if (part instanceof SqlNode operand) {
                operand(writer, operand);
            } else {
                writer.print(part.toString());
                writer.setNeedWhitespace(false);
            }
        }
        writer.setNeedWhitespace(true);
    }

    /** Writes operands with commas between. */
    private static void items(SqlWriter writer, List<? extends SqlNode> operands) {
        String comma = "";
        for (SqlNode operand : operands) {
            writer.print(comma);
            writer.setNeedWhitespace(false);
            operand(writer, operand);
            comma = ", ";
        }
    }

    /** Writes an operand, with parentheses around a query. */
    private static void operand(SqlWriter writer, SqlNode node) {
        if (Nodes.isQuery(node)) {
            writer.print("(");
            writer.setNeedWhitespace(false);
            node.unparse(writer, 0, 0);
            writer.print(")");
            writer.setNeedWhitespace(true);
        } else if (node instanceof SqlIdentifier star && star.isStar() && star.names.size() == 1) {
            writer.print("*");
        } else {
            node.unparse(writer, 0, 0);
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
        items(writer, operands);
        writer.print(")");
        writer.setNeedWhitespace(true);
    }

    private static void cases(SqlWriter writer, SqlCase cases) {
        List<Object> parts = new ArrayList<>(List.of("CASE "));
        if (cases.getValueOperand() != null) {
            parts.add(cases.getValueOperand());
        }
        for (int k = 0; k < cases.getWhenOperands().size(); k++) {
            SqlNode when = cases.getWhenOperands().get(k);
            parts.addAll(
                    List.of(" WHEN ", when, " THEN ", cases.getThenOperands().get(k)));
        }
        parts.addAll(List.of(" ELSE ", Objects.requireNonNull(cases.getElseOperand()), " END"));
        write(writer, parts.toArray());
    }

    // ---- casts

    /** A text is cut to its length, as PostgreSQL does. */
    private static void cast(SqlWriter writer, SqlCall call) {
        SqlDataTypeSpec type = call.operand(1);
        int length = LocalTypes.textLength(type);
        boolean isFilled = LocalTypes.isFilled(type);
        String end = isFilled ? ", " + Math.max(1, length) + ", ' ')" : length >= 0 ? ", " + length + ")" : "";
        write(
                writer,
                (isFilled ? "rpad(" : length >= 0 ? "left(" : "") + "CAST(",
                call.operand(0),
                " AS " + LocalTypes.ofCast(type) + ")" + end);
    }

    private static StatementEnd unsupported(String what) {
        return new StatementEnd(what + " is not supported", SqlErrors.UNSUPPORTED);
    }
}
