package io.sdds.sql.run;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.DataContexts;
import org.apache.calcite.linq4j.function.Function1;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexExecutorImpl;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.jspecify.annotations.Nullable;

/** The conditions and columns of a scan, computed at the client for records that are read by key. */
public final class RecordRows {
    private static final String RECORD = "inputRecord";

    private final List<Integer> columns = new ArrayList<>();
    private final @Nullable Function1<DataContext, @Nullable Object[]> program;

    /**
     * @param type of the rows of the table
     * @param values expressions over them
     */
    public RecordRows(RexBuilder rex, RelDataType type, List<RexNode> conditions, List<RexNode> values) {
        boolean arePlain = conditions.isEmpty() && values.stream().allMatch(RexInputRef.class::isInstance);
        if (arePlain) {
            values.forEach(value -> columns.add(((RexInputRef) value).getIndex()));
            program = null;
        } else {
            List<RexNode> all = new ArrayList<>();
            all.add(RexUtil.composeConjunction(rex, conditions));
            all.addAll(values);
            program = RexExecutorImpl.getExecutable(rex, all, type).getFunction();
        }
    }

    public Computation begin(DataContext context) {
        return new Computation(context);
    }

    /** For the records of one statement. */
    public final class Computation {
        private final DataContext context;
        private @Nullable Object[] record = new @Nullable Object[0];

        Computation(DataContext of) {
            this.context = DataContexts.of(name -> name.equals(RECORD) ? record : of.get(name));
        }

        /** The row of a record; null: the conditions are not true. */
        @Nullable
        public Object @Nullable [] row(@Nullable Object[] of) {
            if (program == null) {
                return columns.stream().map(column -> of[column]).toArray();
            }
            record = of;
            @Nullable Object[] computed = program.apply(context);
            if (!Boolean.TRUE.equals(computed[0])) {
                return null;
            }
            @Nullable Object[] row = new @Nullable Object[computed.length - 1];
            System.arraycopy(computed, 1, row, 0, row.length);
            return row;
        }
    }
}
