package io.sdds.sql.duckdb;

import io.sdds.core.row.Column;
import java.util.List;

/** Rows that DuckDB reads as a table, once for each run of a statement. */
public interface RowSource {
    /** The columns, in their order. */
    List<Column> columns();

    /** About how many rows there are. */
    long rows();

    /**
     * Begins to read.
     *
     * @param columns positions of the columns that the statement reads; none if it only counts rows
     */
    RowReader read(List<Integer> columns);
}
