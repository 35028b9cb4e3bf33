package io.sdds.sql.local;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.run.Planning;
import io.sdds.sql.schema.SddsSchema;
import io.sdds.sql.statement.BalancedTree;
import io.sdds.sql.statement.Nodes;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlTableRef;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/**
 * Puts shipments in the place of tables, and writes what DuckDB computes otherwise than SQL does in other words:
 * comparisons of rows by their columns, averages of whole numbers, casts, and correlated {@code IN}, {@code ANY} and
 * {@code ALL}.
 */
final class LocalRewrite extends SqlShuttle {
    private static final SqlParserPos PLACE = SqlParserPos.ZERO;

    /** A name that no statement has for its own. */
    private static final String ROWS = "sdds$rows";

    private final Map<SqlParserPos, Integer> shipments;
    private final Map<SqlParserPos, SqlBasicTypeNameSpec> casts;
    private final Set<SqlParserPos> quantifiers;
    private final Set<SqlParserPos> unfilled;

    /**
     * @param shipments by the places of the tables' names
     * @param casts by the places of expressions
     * @param quantifiers the places of comparisons with the rows of a correlated subquery
     * @param unfilled the places of casts to {@code CHAR(n)} whose blanks are not seen
     */
    LocalRewrite(
            Map<SqlParserPos, Integer> shipments,
            Map<SqlParserPos, SqlBasicTypeNameSpec> casts,
            Set<SqlParserPos> quantifiers,
            Set<SqlParserPos> unfilled) {
        this.shipments = shipments;
        this.casts = casts;
        this.quantifiers = quantifiers;
        this.unfilled = unfilled;
    }

    @Override
    public SqlNode visit(SqlIdentifier id) {
        Integer number = shipments.get(id.getParserPosition());
        if (number != null) {
            return as(number, id);
        }
        boolean namesSchema = id.names.size() > 2 && id.names.get(0).equalsIgnoreCase(SddsSchema.NAME);
        return namesSchema ? id.getComponent(1, id.names.size()) : id;
    }

    private static SqlNode as(int number, SqlIdentifier table) {
        SqlIdentifier alias = table.getComponent(table.names.size() - 1);
        SqlParserPos place = table.getParserPosition();
        return SqlStdOperatorTable.AS.createCall(place, Dialect.shipment(number, place), alias);
    }

    @Override
    public @Nullable SqlNode visit(SqlCall call) {
        Planning.check();
        if (call instanceof SqlTableRef) {
            return ((SqlNode) call.operand(0)).accept(this);
        }
        if (call.getKind() == SqlKind.AS) {
            SqlNode named = call.operand(0) instanceof SqlTableRef hinted ? hinted.operand(0) : call.operand(0);
            Integer number = named instanceof SqlIdentifier ? shipments.get(named.getParserPosition()) : null;
            if (number != null) {
                SqlBasicCall copy = (SqlBasicCall) call.clone(call.getParserPosition());
                copy.setOperand(0, Dialect.shipment(number, named.getParserPosition()));
                return copy;
            }
        }
        SqlNode rewritten = super.visit(call);
        if (rewritten instanceof SqlSelect select && select.hasHints()) {
            select.setHints(null);
        }
        if (!(rewritten instanceof SqlCall made)) {
            return rewritten;
        }
        return quantifiers.contains(call.getParserPosition()) && Quantifiers.isQuantified(made)
                ? Quantifiers.aggregated(made)
                : cast(call, withoutRows(made));
    }

    private SqlNode cast(SqlCall call, SqlNode rewritten) {
        if (call.getKind() == SqlKind.CAST && unfilled.contains(call.getParserPosition())) {
            return call(Functions.UNFILLED, rewritten);
        }
        SqlBasicTypeNameSpec type = casts.get(call.getParserPosition());
        if (type == TypedCasts.HEXADECIMAL && call.getKind() == SqlKind.CAST) {
            return call(Functions.HEXADECIMAL, ((SqlCall) rewritten).operand(0));
        }
        if (type == null || !isOfKind(call)) {
            return rewritten;
        }
        if (type == TypedCasts.WHOLE_AVERAGE) {
            SqlCall average = (SqlCall) rewritten;
            return call(
                    Functions.AVERAGE,
                    aggregate(SqlStdOperatorTable.SUM, average),
                    aggregate(SqlStdOperatorTable.COUNT, average));
        }
        return call(SqlStdOperatorTable.CAST, decimal(type, rewritten), new SqlDataTypeSpec(type, PLACE));
    }

    /** A quotient or average that DuckDB's cast of a DOUBLE would make another number of. */
    private static SqlNode decimal(SqlBasicTypeNameSpec type, SqlNode rewritten) {
        if (type == TypedCasts.ROUNDED_AVERAGE) {
            return call(Functions.DIGITS, rewritten);
        }
        if (!(type instanceof TypedCasts.ExactQuotient exact) || !(rewritten instanceof SqlCall quotient)) {
            return rewritten;
        }
        SqlNode units =
                SqlLiteral.createExactNumeric(BigInteger.TEN.pow(exact.digits()).toString(), PLACE);
        SqlFunction function = exact.isLarge() ? Functions.LARGE_QUOTIENT : Functions.QUOTIENT;
        return call(function, quotient.operand(0), quotient.operand(1), units);
    }

    /** An aggregate in the place of an average, of the same rows. */
    private static SqlNode aggregate(SqlAggFunction aggregate, SqlCall average) {
        if (average.getKind() == SqlKind.FILTER || average.getKind() == SqlKind.OVER) {
            return call(average.getOperator(), aggregate(aggregate, average.operand(0)), average.operand(1));
        }
        SqlNode argument = average.operand(0);
        return aggregate.createCall(average.getFunctionQuantifier(), PLACE, argument);
    }

    private static boolean isOfKind(SqlCall call) {
        return switch (call.getKind()) {
            case PLUS, MINUS, TIMES, DIVIDE, OVER, FILTER -> true;
            default -> {
                String name = call.getOperator().getName();
                yield name.equalsIgnoreCase("SUM") || name.equalsIgnoreCase("AVG") || TypedCasts.isRounding(call);
            }
        };
    }

    // ---- rows

    private static SqlNode withoutRows(SqlCall call) {
        if (call.operandCount() < 2 || !(call.getOperandList().get(0) instanceof SqlCall left) || !isRow(left)) {
            return call;
        }
        SqlNode right = call.operand(1);
        boolean isPair = isRow(right);
        return switch (call.getKind()) {
            case EQUALS -> isPair ? equal(left, (SqlCall) right) : call;
            case NOT_EQUALS -> isPair ? not(equal(left, (SqlCall) right)) : call;
            case LESS_THAN, GREATER_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN_OR_EQUAL ->
                isPair ? ordered(call.getOperator(), left, (SqlCall) right, 0) : call;
            case IN -> hasAggregate(left) && !(right instanceof SqlNodeList) ? call : in(left, right);
            case NOT_IN -> hasAggregate(left) && !(right instanceof SqlNodeList) ? call : not(in(left, right));
            default -> call;
        };
    }

    private static SqlNode in(SqlCall left, SqlNode rows) {
        return rows instanceof SqlNodeList list ? inList(left, list) : inQuery(left, rows);
    }

    /** An aggregate of this block would be one of another block, if its row were compared there. */
    private static boolean hasAggregate(SqlNode row) {
        return Nodes.hasWindow(row) || Functions.hasAggregate(row);
    }

    private static boolean isRow(@Nullable SqlNode node) {
        return node != null && node.getKind() == SqlKind.ROW;
    }

    private static SqlNode call(SqlOperator operator, SqlNode... operands) {
        return operator.createCall(SqlParserPos.ZERO, operands);
    }

    private static SqlNode not(SqlNode condition) {
        return call(SqlStdOperatorTable.NOT, condition);
    }

    private static SqlNode equal(SqlCall left, SqlCall right) {
        SqlNode all = null;
        for (int k = 0; k < left.operandCount(); k++) {
            SqlNode one = call(SqlStdOperatorTable.EQUALS, left.operand(k), right.operand(k));
            all = all == null ? one : call(SqlStdOperatorTable.AND, all, one);
        }
        return java.util.Objects.requireNonNull(all);
    }

    private static SqlNode inList(SqlCall left, SqlNodeList rows) {
        List<SqlNode> equal = rows.stream().map(row -> equalElement(left, row)).toList();
        return BalancedTree.tree(equal, SqlStdOperatorTable.OR);
    }

    /** A NULL in the place of a row is equal to none, and different from none. */
    private static SqlNode equalElement(SqlCall left, SqlNode element) {
        if (isRow(element)) {
            return equal(left, (SqlCall) element);
        }
        if (SqlUtil.isNullLiteral(element, false)) {
            return SqlLiteral.createNull(element.getParserPosition());
        }
        throw new StatementEnd("a list of rows with another value is not supported", SqlErrors.UNSUPPORTED);
    }

    /** True if a row of a query is equal; else unknown if one may be, because of a NULL. */
    private static SqlNode inQuery(SqlCall left, SqlNode query) {
        List<SqlNode> named = new ArrayList<>(List.of(query, new SqlIdentifier(ROWS, PLACE)));
        List<SqlNode> columns = new ArrayList<>();
        for (int k = 0; k < left.operandCount(); k++) {
            named.add(new SqlIdentifier(ROWS + k, PLACE));
            columns.add(new SqlIdentifier(List.of(ROWS, ROWS + k), PLACE));
        }
        SqlNode rows = SqlStdOperatorTable.AS.createCall(PLACE, named);
        SqlNode equal = equal(left, (SqlCall) SqlStdOperatorTable.ROW.createCall(PLACE, columns));
        return new SqlCase(
                PLACE,
                null,
                SqlNodeList.of(exists(rows, equal), exists(rows, call(SqlStdOperatorTable.IS_NOT_FALSE, equal))),
                SqlNodeList.of(SqlLiteral.createBoolean(true, PLACE), SqlLiteral.createNull(PLACE)),
                SqlLiteral.createBoolean(false, PLACE));
    }

    private static SqlNode exists(SqlNode rows, SqlNode condition) {
        SqlNode query = Selects.of(List.of(SqlLiteral.createExactNumeric("1", PLACE)), rows, condition);
        return call(SqlStdOperatorTable.EXISTS, query);
    }

    /** The first columns decide, unless they are equal. */
    private static SqlNode ordered(SqlOperator operator, SqlCall left, SqlCall right, int column) {
        SqlNode a = left.operand(column);
        SqlNode b = right.operand(column);
        if (column == left.operandCount() - 1) {
            return call(operator, a, b);
        }
        boolean isLess = operator.getKind() == SqlKind.LESS_THAN || operator.getKind() == SqlKind.LESS_THAN_OR_EQUAL;
        SqlOperator strict = isLess ? SqlStdOperatorTable.LESS_THAN : SqlStdOperatorTable.GREATER_THAN;
        SqlNode rest = call(
                SqlStdOperatorTable.AND,
                call(SqlStdOperatorTable.EQUALS, a, b),
                ordered(operator, left, right, column + 1));
        return call(SqlStdOperatorTable.OR, call(strict, a, b), rest);
    }
}
