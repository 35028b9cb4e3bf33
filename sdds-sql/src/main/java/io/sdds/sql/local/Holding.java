package io.sdds.sql.local;

import io.sdds.sql.duckdb.MemoryBudget;
import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import org.jspecify.annotations.Nullable;

/**
 * Rows that a statement cannot do without, held in the heap.
 *
 * @param what they are, for the message
 */
record Holding(MemoryBudget budget, MemoryBudget.Share share, String what) {
    /** Takes the memory of a row. 53200 if there is none. */
    void require(@Nullable Object[] row) {
        if (!share.take(row)) {
            throw new StatementEnd(
                    "the client has no memory for the " + what
                            + ": all statements together hold a quarter of maxMemory (" + (budget.bytes() >> 20)
                            + "m) in the heap; narrow the statement, or give the URL a larger maxMemory",
                    SqlErrors.MEMORY);
        }
    }
}
