package io.sdds.sql.local;

import io.sdds.sql.duckdb.LocalDatabase;
import io.sdds.sql.shipped.Explanation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.runtime.Bindable;
import org.jspecify.annotations.Nullable;

/**
 * A query that the database at the client evaluates over rows that bricks ship. It has no state, so that statements may
 * share it.
 *
 * @param text in the language of DuckDB, cut where each shipment is named
 * @param shipments in the order of the text
 * @param reductions in the order in which they are done
 * @param columns the types of the result
 * @param parameters in the order in which the text numbers them
 */
public record LocalQuery(
        LocalDatabase database,
        List<String> text,
        List<Shipment> shipments,
        List<Reduction> reductions,
        List<RelDataType> columns,
        List<LocalParameter> parameters)
        implements Bindable<@Nullable Object> {

    /** What EXPLAIN shows: the text, and below what bricks ship for its tables. */
    public Explanation explained() {
        StringBuilder shown = new StringBuilder(text.get(0));
        for (int k = 0; k < shipments.size(); k++) {
            shown.append(shipments.get(k).table().name()).append(text.get(k + 1));
        }
        Explanation explained = new Explanation("SddsLocal", new LinkedHashMap<>(), new ArrayList<>())
                .with("query", shown.toString().replace('\n', ' '));
        for (int k = 0; k < shipments.size(); k++) {
            explained.over(reduced(k, shipments.get(k).explained()));
        }
        return explained;
    }

    private Explanation reduced(int number, Explanation shipment) {
        for (Reduction reduction : reductions) {
            if (reduction.table() == number) {
                String by = shipments.get(reduction.by()).table().name();
                shipment.with("form", reduction.form().form()).with("by", by);
            }
        }
        return shipment;
    }

    /** A row of one column is the value alone. */
    @Override
    public Enumerable<@Nullable Object> bind(DataContext context) {
        Enumerable<@Nullable Object[]> rows = rows(context);
        return columns.size() == 1 ? rows.select(row -> row[0]) : rows.select(row -> row);
    }

    /** The rows, each an {@code Object[]} of the engine's values. */
    public Enumerable<@Nullable Object[]> rows(DataContext context) {
        return new AbstractEnumerable<>() {
            @Override
            public Enumerator<@Nullable Object[]> enumerator() {
                return new LocalRun(LocalQuery.this, context);
            }
        };
    }
}
