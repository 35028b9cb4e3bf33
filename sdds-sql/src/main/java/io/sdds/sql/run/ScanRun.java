package io.sdds.sql.run;

import io.sdds.client.Row;
import io.sdds.client.RowQuery;
import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.schema.SqlTypes;
import io.sdds.sql.schema.TableRecords;
import io.sdds.sql.shipped.KeyLookup;
import io.sdds.sql.shipped.ScanLimit;
import io.sdds.sql.shipped.ScanSpec;
import io.sdds.sql.shipped.ShippedText;
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
    private final List<RelDataType> types;

    public ScanRun(SddsTable table, ScanSpec spec, List<RelDataType> types) {
        this.table = table;
        this.spec = spec;
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
                try {
                    return feed(query(text -> text.text(parameters), parameters), context);
                } catch (NumberFormatException e) {
                    throw e; // of a value
                } catch (IllegalArgumentException e) {
                    throw noProgram(table.name(), e);
                }
            }
        };
    }

    /** The end of a statement that a program of bricks has no room for. */
    static StatementEnd noProgram(String table, IllegalArgumentException why) {
        return new StatementEnd("table '" + table + "': " + SqlErrors.line(why), SqlErrors.TOO_LARGE, why);
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
     * Whether the language of bricks can say it.
     *
     * @return null, or why not
     */
    public static @Nullable String problem(SddsTable table, ScanSpec spec) {
        ScanRun run = new ScanRun(table, spec, List.of());
        String problem = run.problem(text -> text.text(index -> null));
        // Different values take more operations than as many NULLs.
        return problem == null ? run.problem(ShippedText::sample) : problem;
    }

    private @Nullable String problem(Function<ShippedText, String> texts) {
        try {
            List<String> columns = query(texts, index -> null).columns();
            return columns.size() == spec.outputs().size() ? null : "columns are lost";
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    private RowFeed feed(RowQuery<Row> query, DataContext context) {
        int fetchSize = table.owner().fetchSize(DataContext.Variable.CANCEL_FLAG.get(context));
        int rowsAhead = fetchSize == 0 ? RowFeed.ROWS_AHEAD : fetchSize;
        return new RowFeed(query.publisher(), types, Deadline.of(context), rowsAhead);
    }

    /**
     * @param texts gives parameters their values
     * @param parameters of the limit
     */
    private RowQuery<Row> query(Function<ShippedText, String> texts, IntFunction<@Nullable Object> parameters) {
        RowQuery<Row> query = table.open().scan().rows();
        ShippedText where = spec.whereText();
        if (where != null) {
            query = query.where(texts.apply(where));
        }
        String select = texts.apply(spec.selectText());
        if (!spec.isGrouped()) {
            query = query.select(select);
        } else if (spec.groups() != null && spec.groups().isEmpty()) {
            query = query.aggregate(select);
        } else {
            query = query.groupBy(texts.apply(spec.groupText())).select(select);
        }
        if (!spec.order().isEmpty()) {
            query = query.orderBy(spec.orderText());
        }
        ScanLimit limit = spec.limit();
        return limit == null ? query : query.limit(limit.rows(parameters));
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
