package io.sdds.sql.local;

import java.lang.reflect.Type;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.prepare.Prepare;
import org.apache.calcite.rel.core.TableModify;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.runtime.Bindable;
import org.apache.calcite.runtime.Typed;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement that the engine's optimizer has not seen.
 *
 * @param run gives the rows: values alone of one column, else arrays
 * @param columns of the rows
 * @param change what a statement that writes does; null: it reads
 */
public record LocalResult(
        Bindable<@Nullable Object> run,
        int columns,
        RelDataType parameters,
        List<? extends List<String>> origins,
        TableModify.@Nullable Operation change)
        implements Prepare.PreparedResult, Typed {

    /** Of a result of one column that is none of a table. */
    @SuppressWarnings("NullAway") // the engine takes null for no origin
    public static final List<List<String>> NO_ORIGIN = java.util.Collections.singletonList(null);

    /** A query. */
    public static LocalResult of(LocalQuery query, RelDataType parameters, List<? extends List<String>> origins) {
        boolean isOneValue = query.columns().size() == 1;
        Bindable<@Nullable Object> run = context -> rows(query, context, isOneValue);
        return new LocalResult(run, query.columns().size(), parameters, origins, null);
    }

    private static Enumerable<@Nullable Object> rows(LocalQuery query, DataContext context, boolean isOneValue) {
        Enumerable<@Nullable Object[]> rows = query.rows(context);
        return isOneValue ? rows.select(row -> row[0]) : rows.select(row -> row);
    }

    @Override
    public Type getElementType() {
        return columns == 1 ? Object.class : Object[].class;
    }

    @Override
    public Bindable<?> getBindable(Meta.CursorFactory cursor) {
        return run;
    }

    @Override
    public String getCode() {
        throw new UnsupportedOperationException("no code is generated for the statement");
    }

    @Override
    public boolean isDml() {
        return change != null;
    }

    @Override
    public TableModify.@Nullable Operation getTableModOp() {
        return change;
    }

    @Override
    public List<? extends List<String>> getFieldOrigins() {
        return origins;
    }

    @Override
    public RelDataType getParameterRowType() {
        return parameters;
    }
}
