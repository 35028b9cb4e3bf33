package io.sdds.sql.statement;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Makes the numbers of a column of VALUES, and of a list behind IN, DOUBLE, if one of them is. Their common type is
 * DOUBLE anyway, and the engine fails when it compares constants of different kinds, such as 1 and 1e3.
 */
public final class MixedNumbers extends SqlBasicVisitor<@Nullable Void> {
    private MixedNumbers() {}

    /** Changes the constants of a statement that was parsed. */
    public static void even(SqlNode statement) {
        statement.accept(new MixedNumbers());
    }

    @Override
    public @Nullable Void visit(SqlCall call) {
        if (call.getKind() == SqlKind.VALUES) {
            List<SqlNode> rows = call.getOperandList();
            int columns = rows.stream().mapToInt(MixedNumbers::width).min().orElse(0);
            for (int k = 0; k < columns; k++) {
                int column = k;
                even(
                        rows.size(),
                        row -> ((SqlCall) rows.get(row)).operand(column),
                        (row, value) -> ((SqlCall) rows.get(row)).setOperand(column, value));
            }
        }
        boolean isIn = call.getKind() == SqlKind.IN || call.getKind() == SqlKind.NOT_IN;
        if (isIn && call.operand(1) instanceof SqlNodeList list) {
            even(list.size(), list::get, list::set);
        }
        return super.visit(call);
    }

    private static int width(SqlNode row) {
        return row.getKind() == SqlKind.ROW && row instanceof SqlCall call ? call.operandCount() : 0;
    }

    private static void even(int size, IntFunction<SqlNode> get, BiConsumer<Integer, SqlNode> set) {
        boolean hasDouble = false;
        for (int k = 0; k < size && !hasDouble; k++) {
            hasDouble = get.apply(k) instanceof SqlNumericLiteral number && isDouble(number);
        }
        for (int k = 0; k < size && hasDouble; k++) {
            if (get.apply(k) instanceof SqlNumericLiteral number && !isDouble(number)) {
                set.accept(k, SqlLiteral.createApproxNumeric(number.toValue(), number.getParserPosition()));
            }
        }
    }

    private static boolean isDouble(SqlNumericLiteral number) {
        return number.getScale() == null;
    }
}
