package io.sdds.sql.plan;

import io.sdds.sql.run.ScanRun;
import java.lang.reflect.Type;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.prepare.Prepare;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.runtime.Bindable;
import org.jspecify.annotations.Nullable;

/**
 * A statement whose plan is one scan. It runs without generated code, because the first compilation of a process takes
 * longer than such a statement, and each further one as long as many look-ups.
 */
public final class DirectScan extends Prepare.PreparedResultImpl {
    private final Rows rows;

    private DirectScan(
            RelRoot root,
            RunnableScan scan,
            RelDataType parameters,
            List<? extends List<String>> origins,
            int[] columns) {
        super(
                root.rel.getRowType(),
                parameters,
                origins,
                root.collation.getFieldCollations().isEmpty() ? List.of() : List.of(root.collation),
                root.rel,
                null,
                false);
        rows = new Rows(scan.run(), columns, isWhole(columns, root.rel));
    }

    /** Null if the plan is more than a scan. */
    public static @Nullable DirectScan of(RelRoot root, RelDataType parameters, List<? extends List<String>> origins) {
        if (!(root.rel instanceof RunnableScan scan)) {
            return null;
        }
        int[] columns = root.fields.leftList().stream().mapToInt(k -> k).toArray();
        return new DirectScan(root, scan, parameters, origins, columns);
    }

    private static boolean isWhole(int[] columns, RelNode scan) {
        boolean isWhole = columns.length == scan.getRowType().getFieldCount();
        for (int k = 0; k < columns.length; k++) {
            isWhole &= columns[k] == k;
        }
        return isWhole;
    }

    @Override
    public Bindable<?> getBindable(Meta.CursorFactory cursor) {
        return rows;
    }

    /**
     * Yields the rows. Statements and the plan cache keep it, so that it does not refer to the plan.
     *
     * @param columns of the scan that are columns of the result
     * @param isWhole whether these are all columns in their order
     */
    private record Rows(ScanRun run, int[] columns, boolean isWhole) implements Bindable<@Nullable Object> {
        /** A row of one column is the value alone. */
        @Override
        public Enumerable<@Nullable Object> bind(DataContext context) {
            Enumerable<@Nullable Object[]> rows = run.rows(context);
            if (columns.length > 1) {
                return rows.select(isWhole ? row -> row : this::chosen);
            }
            int column = columns[0];
            return rows.select(row -> row[column]);
        }

        private @Nullable Object[] chosen(@Nullable Object[] row) {
            @Nullable Object[] chosen = new @Nullable Object[columns.length];
            for (int k = 0; k < chosen.length; k++) {
                chosen[k] = row[columns[k]];
            }
            return chosen;
        }
    }

    @Override
    public Type getElementType() {
        return rows.columns().length == 1 ? Object.class : Object[].class;
    }

    @Override
    public String getCode() {
        throw new UnsupportedOperationException("no code is generated for a scan");
    }
}
