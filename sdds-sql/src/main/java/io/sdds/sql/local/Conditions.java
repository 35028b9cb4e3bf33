package io.sdds.sql.local;

import io.sdds.sql.statement.Nodes;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** Derives conditions about the rows of one table from the validated conditions of a query block. */
final class Conditions {
    private Conditions() {}

    /** A condition about the columns of one table that each row fulfils if it fulfils all conditions; null: none. */
    static @Nullable SqlNode ofTable(List<SqlNode> conditions, String alias) {
        SqlNode all = null;
        for (SqlNode condition : conditions) {
            all = both(SqlKind.AND, all, implied(condition, alias));
        }
        return all;
    }

    private static @Nullable SqlNode both(SqlKind kind, @Nullable SqlNode some, @Nullable SqlNode other) {
        if (some == null || other == null) {
            return some == null ? other : some;
        }
        var operator = kind == SqlKind.AND ? SqlStdOperatorTable.AND : SqlStdOperatorTable.OR;
        return new SqlBasicCall(operator, List.of(some, other), SqlParserPos.ZERO);
    }

    private static @Nullable SqlNode implied(SqlNode condition, String alias) {
        if (condition.getKind() == SqlKind.AND) {
            return ofTable(((SqlCall) condition).getOperandList(), alias);
        }
        if (condition.getKind() == SqlKind.OR) {
            SqlNode any = null;
            for (SqlNode operand : ((SqlCall) condition).getOperandList()) {
                SqlNode one = implied(operand, alias);
                if (one == null) {
                    return null;
                }
                any = both(SqlKind.OR, any, one);
            }
            return any;
        }
        return isAbout(condition, alias) ? condition : null;
    }

    /** The equalities of columns of a table with those of others that hold if all conditions do. */
    static List<TableReference.Equality> equalities(List<SqlNode> conditions, String alias) {
        List<TableReference.Equality> found = new ArrayList<>();
        for (SqlNode condition : conditions) {
            List<SqlNode> operands = condition instanceof SqlCall call ? call.getOperandList() : List.of();
            if (condition.getKind() == SqlKind.AND) {
                found.addAll(equalities(operands, alias));
            } else if (condition.getKind() == SqlKind.OR) {
                found.addAll(ofAll(operands, alias));
            } else if (condition.getKind() == SqlKind.EQUALS) {
                boolean isCast = operands.get(0).getKind() == SqlKind.CAST
                        || operands.get(1).getKind() == SqlKind.CAST;
                SqlIdentifier left = column(operands.get(0));
                SqlIdentifier right = column(operands.get(1));
                add(left, right, isCast, alias, found);
                add(right, left, isCast, alias, found);
            }
        }
        return found;
    }

    /** The equalities that each of some conditions has. */
    private static List<TableReference.Equality> ofAll(List<SqlNode> conditions, String alias) {
        List<TableReference.Equality> common = equalities(conditions.subList(0, 1), alias);
        for (SqlNode condition : conditions) {
            common.retainAll(equalities(List.of(condition), alias));
        }
        return common;
    }

    /** A column alone, or in a cast of exact numbers; null: another expression. */
    private static @Nullable SqlIdentifier column(SqlNode node) {
        if (node instanceof SqlIdentifier id) {
            return id.names.size() == 2 ? id : null;
        }
        return node.getKind() == SqlKind.CAST && LocalTypes.isOfWholeNumbers(((SqlCall) node).operand(1))
                ? column(((SqlCall) node).operand(0))
                : null;
    }

    private static void add(
            @Nullable SqlIdentifier own,
            @Nullable SqlIdentifier other,
            boolean isCast,
            String alias,
            List<TableReference.Equality> found) {
        if (own != null
                && other != null
                && own.names.get(0).equals(alias)
                && !other.names.get(0).equals(alias)) {
            found.add(new TableReference.Equality(own.names.get(1), other.names.get(0), other.names.get(1), isCast));
        }
    }

    /** Whether a condition names columns of one table and nothing else. */
    private static boolean isAbout(SqlNode condition, String alias) {
        boolean hasOther = Nodes.has(
                condition,
                node -> node instanceof SqlIdentifier id
                        ? id.names.size() != 2 || !id.names.get(0).equals(alias) || id.isStar()
                        : node instanceof SqlCall call && !isPlain(call));
        return !hasOther && Nodes.has(condition, SqlIdentifier.class::isInstance);
    }

    private static boolean isPlain(SqlCall call) {
        return !Nodes.isQuery(call)
                && call.getKind() != SqlKind.OVER
                && !LocalTypes.isCastOtherwise(call)
                && call.getOperator().isDeterministic()
                && !call.getOperator().isDynamicFunction();
    }
}
