package io.sdds.sql.duckdb;

import org.jspecify.annotations.Nullable;

/** Gives the rows of a {@link RowSource}, to one thread of DuckDB at a time. */
public interface RowReader {
    /**
     * The next rows; waits for them.
     *
     * @param rowsMax at most so many
     * @return for each row the values of the columns that are read, as the client has them; empty: there are no more
     */
    Iterable<@Nullable Object[]> next(int rowsMax);
}
