package io.sdds.sql.local;

import io.sdds.sql.statement.Nodes;
import io.sdds.sql.statement.OwnNames;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlTableRef;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Comparisons with all rows of a correlated subquery: {@code IN}, {@code ANY} and {@code ALL}.
 *
 * <p>DuckDB joins such a subquery by a mark join. In some plans the mark join takes a NULL in the rows of one outer row
 * for a NULL in the rows of every outer row. So the text has an aggregate of the comparisons instead.
 */
final class Quantifiers {
    private static final SqlParserPos PLACE = SqlParserPos.ZERO;

    /** Names that no statement has for its own. */
    private static final String ROWS = "sdds$compared";

    private static final String COLUMN = "sdds$value";

    private Quantifiers() {}

    /** The places of such comparisons in a validated statement, in which each column has the name of its table. */
    static Set<SqlParserPos> correlated(SqlNode validated) {
        Set<SqlParserPos> places = new HashSet<>();
        Nodes.each(validated, SqlCall.class, call -> {
            if (isCorrelated(call)) {
                places.add(call.getParserPosition());
            }
        });
        return places;
    }

    /** Whether a validated call compares a value with the rows of a subquery that names columns of outer queries. */
    static boolean isCorrelated(SqlCall call) {
        return isQuantified(call) && Correlation.of(call.operand(1));
    }

    /** Whether a call compares a value, and no row of values, with the rows of a subquery. */
    static boolean isQuantified(SqlCall call) {
        return switch (call.getKind()) {
            case IN, NOT_IN, SOME, ALL ->
                call.operandCount() == 2 && call.operand(0).getKind() != SqlKind.ROW && Nodes.isQuery(call.operand(1));
            default -> false;
        };
    }

    /** Whether a value has an aggregate of its own block, which would be one of the subquery in {@link #aggregated}. */
    static boolean isOfAggregate(SqlCall call) {
        SqlNode value = call.operand(0);
        return Functions.hasAggregate(value) || Nodes.hasWindow(value);
    }

    /** The comparison as an aggregate. */
    static SqlNode aggregated(SqlCall call) {
        SqlNode left = call.operand(0);
        SqlNode compared =
                comparison(call.getOperator()).createCall(PLACE, left, new SqlIdentifier(List.of(ROWS, COLUMN), PLACE));
        boolean isAll = call.getKind() == SqlKind.ALL;
        SqlNode counted = isAll ? not(compared) : compared;
        SqlNode rows = SqlStdOperatorTable.AS.createCall(
                PLACE, call.operand(1), new SqlIdentifier(ROWS, PLACE), new SqlIdentifier(COLUMN, PLACE));
        SqlNode any = SqlStdOperatorTable.SCALAR_QUERY.createCall(
                PLACE, Selects.of(List.of(Functions.ANY.createCall(PLACE, counted)), rows, null));
        return isAll || call.getKind() == SqlKind.NOT_IN ? not(any) : any;
    }

    private static SqlNode not(SqlNode condition) {
        return SqlStdOperatorTable.NOT.createCall(PLACE, condition);
    }

    private static SqlOperator comparison(SqlOperator operator) {
        SqlKind kind = operator instanceof SqlQuantifyOperator quantified ? quantified.comparisonKind : SqlKind.EQUALS;
        return switch (kind) {
            case NOT_EQUALS -> SqlStdOperatorTable.NOT_EQUALS;
            case LESS_THAN -> SqlStdOperatorTable.LESS_THAN;
            case LESS_THAN_OR_EQUAL -> SqlStdOperatorTable.LESS_THAN_OR_EQUAL;
            case GREATER_THAN -> SqlStdOperatorTable.GREATER_THAN;
            case GREATER_THAN_OR_EQUAL -> SqlStdOperatorTable.GREATER_THAN_OR_EQUAL;
            default -> SqlStdOperatorTable.EQUALS;
        };
    }

    /** Whether a query names a table that none of its own blocks has. */
    private static final class Correlation extends SqlBasicVisitor<@Nullable Void> {
        private final Deque<OwnNames> blocks = new ArrayDeque<>();
        private boolean isFound;

        static boolean of(SqlNode query) {
            Correlation correlation = new Correlation();
            query.accept(correlation);
            return correlation.isFound;
        }

        @Override
        public @Nullable Void visit(SqlIdentifier id) {
            isFound |= !blocks.isEmpty() && blocks.stream().allMatch(block -> block.isOuter(id));
            return null;
        }

        @Override
        public @Nullable Void visit(SqlCall call) {
            if (!(call instanceof SqlSelect block)) {
                return super.visit(call);
            }
            blocks.push(OwnNames.of(block));
            from(block.getFrom());
            for (SqlNode part : block.getOperandList()) {
                if (part != null && part != block.getFrom()) {
                    part.accept(this);
                }
            }
            blocks.pop();
            return null;
        }

        /** The name of a table is no column. */
        private void from(@Nullable SqlNode from) {
            if (from instanceof SqlJoin join) {
                from(join.getLeft());
                from(join.getRight());
                if (join.getCondition() != null) {
                    join.getCondition().accept(this);
                }
            } else if (from instanceof SqlCall call && call.getKind() == SqlKind.AS) {
                from(call.operand(0));
            } else if (from instanceof SqlCall query && !(from instanceof SqlTableRef)) {
                query.accept(this);
            }
        }
    }
}
