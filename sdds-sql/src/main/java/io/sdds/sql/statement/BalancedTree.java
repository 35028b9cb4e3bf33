package io.sdds.sql.statement;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Makes long rows of AND, OR and {@code ||} shallow: the parser gives a tree that is as deep as the row is long, and
 * all that comes behind it descends by recursion. The operators are associative, so that the meaning stays.
 */
public final class BalancedTree extends SqlBasicVisitor<@Nullable Void> {
    private static final int LONG_ROW = 16;

    private BalancedTree() {}

    /** Changes a statement that was parsed. */
    public static void balance(SqlNode statement) {
        statement.accept(new BalancedTree());
    }

    @Override
    public @Nullable Void visit(SqlCall call) {
        if (!isAssociative(call)) {
            return super.visit(call);
        }
        List<SqlNode> row = row(call);
        if (row.size() > LONG_ROW) {
            int middle = row.size() / 2;
            call.setOperand(0, tree(row.subList(0, middle), call.getOperator()));
            call.setOperand(1, tree(row.subList(middle, row.size()), call.getOperator()));
        }
        row.forEach(operand -> operand.accept(this));
        return null;
    }

    private static boolean isAssociative(SqlCall call) {
        boolean isJoined = call.getKind() == SqlKind.AND
                || call.getKind() == SqlKind.OR
                || call.getOperator().getName().equals("||");
        return isJoined && call instanceof SqlBasicCall && call.operandCount() == 2;
    }

    /** The operands of operators in a row, from left to right, without recursion. */
    private static List<SqlNode> row(SqlCall call) {
        List<SqlNode> row = new ArrayList<>();
        ArrayDeque<SqlNode> rest = new ArrayDeque<>(List.of(call));
        while (!rest.isEmpty()) {
            SqlNode node = rest.pop();
            if (node instanceof SqlCall inner && isAssociative(inner) && inner.getOperator() == call.getOperator()) {
                rest.push(inner.operand(1));
                rest.push(inner.operand(0));
            } else {
                row.add(node);
            }
        }
        return row;
    }

    /** Operands joined by an associative operator. */
    public static SqlNode tree(List<SqlNode> row, SqlOperator operator) {
        if (row.size() == 1) {
            return row.get(0);
        }
        int middle = row.size() / 2;
        return new SqlBasicCall(
                operator,
                List.of(tree(row.subList(0, middle), operator), tree(row.subList(middle, row.size()), operator)),
                SqlParserPos.ZERO);
    }
}
