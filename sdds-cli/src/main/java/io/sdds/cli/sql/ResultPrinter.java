package io.sdds.cli.sql;

import java.sql.SQLException;

/** Prints the results of statements in one format. */
interface ResultPrinter {
    /** Begins a result with rows. */
    void begin(ResultCells cells) throws SQLException;

    /** Prints the current row. */
    void row(ResultCells cells) throws SQLException;

    /** Ends a result with rows, also one that a failure ends. */
    void end(long rows);

    /** Prints the result of a statement without rows. */
    void updated(long rows);

    /** Prints the failure of a statement into a document; does nothing in a format that has no place for it. */
    default void failed(SqlStatement statement, SqlFailure failure) {}

    /** Ends the result of a statement, whether the statement succeeded or failed. */
    default void endStatement() {}

    /** Number of rows that are kept before the first is printed. */
    default long keptRows() {
        return 0;
    }

    /** Whether people read the output, so that a plan of a statement is printed as the lines that it has. */
    default boolean showsPlansAsLines() {
        return false;
    }

    /** Ends the output. */
    default void close() {}
}
