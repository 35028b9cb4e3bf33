package io.sdds.sql.plan;

import io.sdds.sql.run.Parameters;
import io.sdds.sql.run.ScanRun;
import io.sdds.sql.shipped.Explanation;
import io.sdds.sql.shipped.ScanLimit;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.runtime.Bindable;
import org.jspecify.annotations.Nullable;

/**
 * A query that bricks run: the client passes on the rows of one scan. Statements and the plan cache keep it, so that it
 * does not refer to the plan.
 *
 * @param columns of the scan that are columns of the result
 * @param isWhole whether these are all columns in their order
 * @param skipped rows before the first of the result; null: none
 * @param isGrouped whether the rows are groups
 * @param explained what EXPLAIN shows
 */
public record DirectScan(
        ScanRun run,
        int[] columns,
        boolean isWhole,
        @Nullable ScanLimit skipped,
        boolean isGrouped,
        Explanation explained)
        implements Bindable<@Nullable Object> {

    /** Null if the plan is more than a scan. */
    public static @Nullable DirectScan of(RelRoot root) {
        int[] columns = root.fields.leftList().stream().mapToInt(k -> k).toArray();
        RelNode node = root.rel;
        if (node instanceof Project project) {
            for (int k = 0; k < columns.length; k++) {
                RexNode value = project.getProjects().get(columns[k]);
                if (!(value instanceof RexInputRef ref)) {
                    return null;
                }
                columns[k] = ref.getIndex();
            }
            node = project.getInput();
        }
        ScanLimit skipped = null;
        if (node instanceof Sort sort && sort.offset != null && sort.getInput() instanceof SddsScan) {
            skipped = ScanLimit.of(sort.offset, null);
            node = sort.getInput();
            if (skipped == null || !((SddsScan) node).isOrderedAs(sort)) {
                return null;
            }
        }
        return node instanceof SddsScan scan
                ? new DirectScan(
                        scan.run(),
                        columns,
                        isWhole(columns, scan),
                        skipped,
                        scan.spec().isGrouped(),
                        scan.explained())
                : null;
    }

    private static boolean isWhole(int[] columns, RelNode scan) {
        boolean isWhole = columns.length == scan.getRowType().getFieldCount();
        for (int k = 0; k < columns.length; k++) {
            isWhole &= columns[k] == k;
        }
        return isWhole;
    }

    /** A row of one column is the value alone. */
    @Override
    public Enumerable<@Nullable Object> bind(DataContext context) {
        Enumerable<@Nullable Object[]> rows = rows(context);
        return columns.length == 1 ? rows.select(row -> row[0]) : rows.select(row -> row);
    }

    /** The rows of the result, each an {@code Object[]} of the engine's values. */
    public Enumerable<@Nullable Object[]> rows(DataContext context) {
        Enumerable<@Nullable Object[]> all = run.rows(context);
        long first = skipped == null ? 0 : skipped.rows(Parameters.of(context));
        Enumerable<@Nullable Object[]> rows = first == 0 ? all : all.skip((int) Math.min(Integer.MAX_VALUE, first));
        return isWhole ? rows : rows.select(this::chosen);
    }

    private @Nullable Object[] chosen(@Nullable Object[] row) {
        @Nullable Object[] chosen = new @Nullable Object[columns.length];
        for (int k = 0; k < chosen.length; k++) {
            chosen[k] = row[columns[k]];
        }
        return chosen;
    }
}
