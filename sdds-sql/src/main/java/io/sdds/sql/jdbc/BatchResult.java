package io.sdds.sql.jdbc;

import io.sdds.sql.error.SqlErrors;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Collects the outcomes of the statements of a batch. A batch goes on behind a statement that fails, unless the
 * statements that follow would fail for the same reason.
 */
final class BatchResult {
    /** Failures whose exceptions are kept; the others are counted. */
    private static final int EXCEPTIONS_MAX = 100;

    private final long[] counts;
    private final List<SQLException> failures = new ArrayList<>();
    private int failed;
    private boolean isOver;
    private String place = "";

    BatchResult(int size) {
        counts = new long[size];
        Arrays.fill(counts, Statement.EXECUTE_FAILED);
    }

    /** Whether no other statement is to begin. */
    boolean isOver() {
        return isOver;
    }

    /** A statement has written rows. */
    void written(int number, long rows) {
        counts[number] = rows;
    }

    /** A statement has failed. */
    void failed(int number, SQLException failure) {
        isOver |= SqlErrors.endsBatch(failure);
        if (failures.isEmpty()) {
            place = "statement " + (number + 1) + " of the batch of " + counts.length;
        }
        if (failures.size() < EXCEPTIONS_MAX) {
            failures.add(failure);
        }
        failed++;
    }

    /** The number of rows of each statement. */
    long[] counts() throws BatchUpdateException {
        if (failed == 0) {
            return counts;
        }
        SQLException first = failures.get(0);
        String more = failed > 1 ? "; " + failed + " statements failed" : "";
        BatchUpdateException thrown = new BatchUpdateException(
                place + ": " + first.getMessage() + more, first.getSQLState(), 0, counts, first);
        failures.subList(1, failures.size()).forEach(thrown::setNextException);
        throw thrown;
    }
}
