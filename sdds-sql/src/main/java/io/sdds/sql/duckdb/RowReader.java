package io.sdds.sql.duckdb;

/** Gives the rows of a {@link RowSource}, to one thread of DuckDB at a time. */
@FunctionalInterface
public interface RowReader {
    /** Adds the next rows while there is room; waits for them. Adds none if there are no more. */
    void next(RowVectors to);
}
