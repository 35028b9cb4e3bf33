package io.sdds.sql.run;

import io.sdds.client.Row;
import io.sdds.client.internal.query.Attempt;
import io.sdds.client.internal.query.RowPlan;
import io.sdds.client.internal.query.RowSpec;
import io.sdds.client.internal.query.lang.Expression;
import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.schema.Literals;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.schema.SqlTypes;
import io.sdds.sql.schema.TableRecords;
import io.sdds.sql.shipped.KeyLookup;
import io.sdds.sql.shipped.ScanLimit;
import io.sdds.sql.shipped.ScanSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;
import org.jspecify.annotations.Nullable;

/** Runs the query of a scan. */
public final class ScanRun {
    private final SddsTable table;
    private final ScanSpec spec;
    private final RowSpec query;
    private final List<RelDataType> types;

    public ScanRun(SddsTable table, ScanSpec spec, List<RelDataType> types) {
        this.table = table;
        this.spec = spec;
        this.query = spec.query();
        this.types = types;
    }

    /** The rows, each an {@code Object[]} of the engine's values. */
    public Enumerable<@Nullable Object[]> rows(DataContext context) {
        KeyLookup lookup = spec.lookup();
        if (lookup != null) {
            return Linq4j.asEnumerable(found(lookup, context));
        }
        if (spec.isSize()) {
            Long size = Deadline.of(context).read(() -> table.open().sizeAsync());
            return Linq4j.singletonEnumerable(new Object[] {size});
        }
        return new AbstractEnumerable<>() {
            @Override
            public Enumerator<@Nullable Object[]> enumerator() {
                IntFunction<@Nullable Object> parameters = Parameters.of(context);
                return feed(require(attempt(Parameters.constants(parameters), parameters), table), context);
            }
        };
    }

    /** The result of an attempt to compile. The statement ends if bricks' programs have no room for it. */
    public static <T> T require(Attempt<T> attempt, SddsTable table) {
        T result = attempt.result();
        if (result == null) {
            throw new StatementEnd("table '" + table.name() + "': " + attempt.problem(), SqlErrors.TOO_LARGE);
        }
        return result;
    }

    private List<@Nullable Object[]> found(KeyLookup lookup, DataContext context) {
        TableRecords records = table.format();
        List<byte[]> keys = lookup.bytes(table, Parameters.of(context));
        List<@Nullable Object[]> rows = new ArrayList<>();
        Deadline.of(context).await(table.open().getAllAsync(keys)).forEach((key, value) -> {
            @Nullable Object[] row = records.row(key, value);
            for (int k = 0; k < row.length; k++) {
                row[k] = SqlTypes.toEngine(row[k], types.get(k));
            }
            rows.add(row);
        });
        return rows;
    }

    /**
     * Why bricks' programs have no room for a scan.
     *
     * @return null: they have
     */
    public static @Nullable String problem(SddsTable table, ScanSpec spec) {
        ScanRun run = new ScanRun(table, spec, List.of());
        String problem = run.attempt(place -> Literals.constant(null, place.type()), index -> null)
                .problem();
        // Different values take more operations than as many NULLs.
        return problem == null ? run.attempt(Literals::sample, index -> null).problem() : problem;
    }

    private RowFeed feed(RowPlan<Row> plan, DataContext context) {
        int fetchSize = table.owner().fetchSize(DataContext.Variable.CANCEL_FLAG.get(context));
        int rowsAhead = fetchSize == 0 ? RowFeed.ROWS_AHEAD : fetchSize;
        return new RowFeed(plan::subscribe, types, Deadline.of(context), rowsAhead);
    }

    /**
     * Compiles the query.
     *
     * @param values of parameters in expressions
     * @param parameters of the limit
     */
    private Attempt<RowPlan<Row>> attempt(
            Function<Expression.Parameter, Expression> values, IntFunction<@Nullable Object> parameters) {
        ScanLimit limit = spec.limit();
        RowSpec limited = limit == null ? query : query.withLimit(limit.rows(parameters));
        return RowPlan.attempt(table.scan(), limited, values);
    }

    /** Rows of the engine of rows of the client. */
    static @Nullable Object[] converted(Row row, List<RelDataType> types) {
        @Nullable Object[] values = new @Nullable Object[types.size()];
        for (int k = 0; k < values.length; k++) {
            values[k] = SqlTypes.toEngine(row.get(k), types.get(k));
        }
        return values;
    }
}
