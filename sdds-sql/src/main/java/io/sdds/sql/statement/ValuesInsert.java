package io.sdds.sql.statement;

import io.sdds.sql.run.BatchWrite;
import io.sdds.sql.run.Deadline;
import io.sdds.sql.run.InsertRun;
import io.sdds.sql.run.Parameters;
import io.sdds.sql.run.PendingWrites;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.schema.SqlTypes;
import io.sdds.sql.shipped.Explanation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.jspecify.annotations.Nullable;

/**
 * An INSERT or UPSERT of rows of constants and parameters. The engine neither plans nor compiles it, because its plan
 * and its code grow with the number of rows.
 */
public final class ValuesInsert implements BatchWrite {
    /** A value that each run gives. */
    record Parameter(int index) {}

    private final SddsTable table;
    private final boolean isUpsert;
    private final List<@Nullable Object[]> rows;
    /** For each parameter, the position of its column. */
    private final List<Integer> parameters;

    /**
     * @param rows values of the client and {@link Parameter}s, in the order of the columns
     * @param parameters for each parameter, the position of its column
     */
    ValuesInsert(SddsTable table, boolean isUpsert, List<@Nullable Object[]> rows, List<Integer> parameters) {
        this.table = table;
        this.isUpsert = isUpsert;
        this.rows = rows;
        this.parameters = parameters;
    }

    public SddsTable table() {
        return table;
    }

    /** The types of the parameters. */
    public List<RelDataType> parameterTypes(RelDataTypeFactory factory) {
        List<RelDataType> types = new ArrayList<>();
        for (int column : parameters) {
            types.add(SqlTypes.type(factory, table.columns().get(column).type(), true));
        }
        return types;
    }

    /** What EXPLAIN shows. */
    public Explanation explained() {
        return Explanation.of("SddsInsert", table.name())
                .with("operation", isUpsert ? "UPSERT" : "INSERT")
                .with("rows", rows.size());
    }

    /** Writes all rows; the one row of the result is their number. */
    public Enumerable<Object> write(DataContext context) {
        PendingWrites writes = PendingWrites.ofStatement(Deadline.of(context));
        begin(Parameters.of(context), writes);
        return Linq4j.singletonEnumerable(writes.finish());
    }

    @Override
    public void begin(IntFunction<@Nullable Object> values, PendingWrites writes) {
        InsertRun run = new InsertRun(table, isUpsert, writes);
        for (@Nullable Object[] row : rows) {
            run.addValues(parameters.isEmpty() ? row : filled(row, values));
            if (writes.isFailed()) {
                return;
            }
        }
    }

    /** The client encodes the records. */
    @Override
    public boolean shipsInPrograms() {
        return false;
    }

    private @Nullable Object[] filled(@Nullable Object[] row, IntFunction<@Nullable Object> values) {
        @Nullable Object[] filled = row.clone();
        for (int k = 0; k < filled.length; k++) {
            if (filled[k] instanceof Parameter parameter) {
                filled[k] = SqlTypes.toClient(
                        values.apply(parameter.index()), table.columns().get(k).type());
            }
        }
        return filled;
    }
}
