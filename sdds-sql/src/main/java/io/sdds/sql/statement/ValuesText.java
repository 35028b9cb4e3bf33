package io.sdds.sql.statement;

import io.sdds.core.row.Column;
import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.run.Planning;
import io.sdds.sql.schema.SddsTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.jspecify.annotations.Nullable;

/**
 * Reads an INSERT or UPSERT of rows of constants and parameters. Others are left to the engine, and wrong ones, too.
 */
public final class ValuesText {
    /** Rows with expressions, which the database at the client computes. */
    private static final int COMPUTED_ROWS_MAX = 10_000;

    private final List<Column> columns;
    /** For each value of a row, the position of its column. */
    private final int[] targets;
    /** What a column has that is not named. */
    private final @Nullable Object[] defaults;

    private final List<Integer> parameters = new ArrayList<>();

    private ValuesText(SddsTable table, int[] targets) {
        this.columns = table.columns();
        this.targets = targets;
        this.defaults = table.defaults();
    }

    /** What runs an INSERT that was parsed; null: the engine has to read it. */
    public static @Nullable ValuesInsert read(SqlInsert insert, SddsTable table) {
        return insert.getSource().getKind() == SqlKind.VALUES && insert.getSource() instanceof SqlCall values
                ? of(insert, values.getOperandList(), table)
                : null;
    }

    private static @Nullable ValuesInsert of(SqlInsert insert, List<SqlNode> rows, SddsTable table) {
        int width = width(rows.get(0));
        int[] targets = targets(insert.getTargetColumnList(), width, table);
        if (targets.length != width || !isComplete(targets, table.columns())) {
            return null;
        }
        ValuesText text = new ValuesText(table, targets);
        List<@Nullable Object[]> values = new ArrayList<>(rows.size());
        for (SqlNode row : rows) {
            Planning.check();
            @Nullable Object @Nullable [] read = width(row) == width ? text.row((SqlCall) row) : null;
            if (read == null) {
                checkSize(rows.size(), row);
                return null;
            }
            values.add(read);
        }
        return new ValuesInsert(table, insert.isUpsert(), values, text.parameters);
    }

    private static void checkSize(int rows, SqlNode computed) {
        if (rows > COMPUTED_ROWS_MAX) {
            throw new StatementEnd(
                    StatementText.place(computed) + "more than " + COMPUTED_ROWS_MAX + " rows of VALUES may have only"
                            + " constants of the types of their columns, and parameters; there are " + rows + " rows",
                    SqlErrors.TOO_LARGE);
        }
    }

    /** The number of values of a row; 0: the node is none. */
    private static int width(SqlNode row) {
        return row.getKind() == SqlKind.ROW && row instanceof SqlCall call ? call.operandCount() : 0;
    }

    /** Positions of the columns of the values: those that are named, else the first; none if a name is wrong. */
    private static int[] targets(@Nullable SqlNodeList names, int width, SddsTable table) {
        if (names == null || names.isEmpty()) {
            return IntStream.range(0, Math.min(width, table.columns().size())).toArray();
        }
        int[] targets = names.stream()
                .mapToInt(name -> name instanceof SqlIdentifier id && id.isSimple() ? table.column(id.getSimple()) : -1)
                .distinct()
                .toArray();
        boolean areKnown =
                targets.length == names.size() && Arrays.stream(targets).allMatch(target -> target >= 0);
        return areKnown ? targets : new int[0];
    }

    /** Whether all columns that are not named may have their default. */
    private static boolean isComplete(int[] targets, List<Column> columns) {
        for (int k = 0; k < columns.size(); k++) {
            int at = k;
            boolean needsValue = columns.get(k).notNull() && !columns.get(k).hasDefault();
            if (needsValue && Arrays.stream(targets).noneMatch(target -> target == at)) {
                return false;
            }
        }
        return true;
    }

    /** The values of a row; null: it has others than constants and parameters. */
    private @Nullable Object @Nullable [] row(SqlCall row) {
        @Nullable Object[] values = defaults.clone();
        for (int k = 0; k < targets.length; k++) {
            SqlNode given = row.operand(k);
            Column column = columns.get(targets[k]);
            Object value = value(given, targets[k]);
            if (value == LiteralValue.OTHER) {
                return null;
            }
            if (value == null && column.notNull()) {
                throw new StatementEnd(
                        StatementText.place(given) + "column '" + column.name() + "' takes no NULL",
                        SqlErrors.NOT_NULL);
            }
            values[targets[k]] = value;
        }
        return values;
    }

    private @Nullable Object value(SqlNode given, int column) {
        if (given instanceof SqlDynamicParam parameter) {
            parameters.add(column);
            return new ValuesInsert.Parameter(parameter.getIndex());
        }
        return given.getKind() == SqlKind.DEFAULT ? defaults[column] : LiteralValue.of(given, columns.get(column));
    }
}
