package io.sdds.sql.jdbc;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.run.BatchWrite;
import io.sdds.sql.run.Deadline;
import io.sdds.sql.run.PendingWrites;
import io.sdds.sql.run.WriteWindow;
import io.sdds.sql.statement.ParameterValue;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs a batch of a prepared statement whose keys are known. The requests of many runs are under way at a time; those
 * for one key are sent one after another, so that the records are as after one run after another.
 */
final class BatchRun {
    private final BatchWrite statement;
    private final WriteWindow window;

    BatchRun(BatchWrite statement, Deadline deadline) {
        this.statement = statement;
        this.window = new WriteWindow(deadline);
    }

    /**
     * Runs the statement once for each set of parameters.
     *
     * @return the number of rows of each run
     */
    long[] run(List<@Nullable Object[]> parameters) throws SQLException {
        List<PendingWrites> runs = new ArrayList<>(parameters.size());
        for (int k = 0; k < parameters.size() && !window.isBroken(); k++) {
            PendingWrites writes = PendingWrites.ofBatch(window);
            begin(parameters.get(k), writes);
            runs.add(writes);
        }
        window.finish();
        window.drain();
        BatchResult result = new BatchResult(parameters.size());
        for (int k = 0; k < runs.size(); k++) {
            StatementEnd end = runs.get(k).end();
            if (end == null) {
                result.written(k, runs.get(k).written());
            } else {
                result.failed(k, SqlErrors.translated(end));
            }
        }
        return result.counts();
    }

    private void begin(@Nullable Object[] values, PendingWrites writes) {
        int unset = Arrays.asList(values).indexOf(ParameterValue.UNSET);
        if (unset >= 0) {
            writes.fail(new StatementEnd("parameter " + (unset + 1) + " has no value", PreparedProxy.NO_VALUE));
            return;
        }
        try {
            statement.begin(index -> ParameterValue.ofEngine(values[index]), writes);
        } catch (RuntimeException e) {
            writes.fail(e);
        }
    }
}
