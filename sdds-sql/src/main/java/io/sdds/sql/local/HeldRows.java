package io.sdds.sql.local;

import io.sdds.core.row.Column;
import io.sdds.sql.duckdb.RowReader;
import io.sdds.sql.duckdb.RowSource;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a table that were read before the statement runs.
 *
 * @param columns of the table
 * @param held for each row the values of all columns, as the client has them
 */
record HeldRows(List<Column> columns, List<@Nullable Object[]> held) implements RowSource {
    @Override
    public long rows() {
        return held.size();
    }

    @Override
    public RowReader read(List<Integer> chosen) {
        Iterator<@Nullable Object[]> rows = held.iterator();
        return to -> {
            while (to.hasRoom() && rows.hasNext()) {
                to.add(chosen(rows.next(), chosen));
            }
        };
    }

    private static @Nullable Object[] chosen(@Nullable Object[] row, List<Integer> columns) {
        @Nullable Object[] values = new @Nullable Object[columns.size()];
        for (int k = 0; k < values.length; k++) {
            values[k] = row[columns.get(k)];
        }
        return values;
    }
}
