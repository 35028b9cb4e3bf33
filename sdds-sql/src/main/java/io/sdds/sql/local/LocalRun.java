package io.sdds.sql.local;

import io.sdds.core.row.ValueType;
import io.sdds.sql.duckdb.LocalDatabase;
import io.sdds.sql.duckdb.LocalErrors;
import io.sdds.sql.duckdb.LocalValues;
import io.sdds.sql.duckdb.RowSource;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.run.Deadline;
import io.sdds.sql.run.Parameters;
import io.sdds.sql.schema.Literals;
import io.sdds.sql.schema.SqlTypes;
import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.calcite.DataContext;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.rel.type.RelDataType;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of a {@link LocalQuery}. For the thread that takes the rows; its end may come from another one. */
final class LocalRun implements Enumerator<@Nullable Object[]> {
    private static final Logger log = LoggerFactory.getLogger(LocalRun.class);

    private final LocalQuery query;
    private final DataContext context;
    private final IntFunction<@Nullable Object> parameters;
    private final Deadline deadline;
    private final List<LocalDatabase.Lent> lent = new ArrayList<>();
    private volatile @Nullable Sources sources;
    private @Nullable DuckDBConnection connection;
    private final NativeCalls calls;

    private volatile @Nullable PreparedStatement statement;
    private volatile @Nullable ResultSet rows;
    private Watch.@Nullable Watched watched;
    private boolean isWhole;
    private boolean isClosed;
    private @Nullable Object[] current = new @Nullable Object[0];

    LocalRun(LocalQuery query, DataContext context) {
        this.query = query;
        this.context = context;
        this.parameters = Parameters.of(context);
        this.deadline = Deadline.of(context);
        this.calls = new NativeCalls(query.text());
    }

    @Override
    public @Nullable Object[] current() {
        return current;
    }

    @Override
    public boolean moveNext() {
        if (isClosed) {
            return false;
        }
        try {
            ResultSet open = rows == null ? begun() : rows;
            boolean hasRow = open.next();
            // An end that comes from outside leaves rows of tables unread.
            deadline.check();
            if (!hasRow) {
                close();
                return false;
            }
            current = values(open);
            return true;
        } catch (SQLException e) {
            RuntimeException why = why(e);
            close();
            throw why;
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private ResultSet begun() throws SQLException {
        DuckDBConnection taken = query.database().take();
        connection = taken;
        try {
            return begun(taken);
        } catch (SQLException e) {
            if (!LocalErrors.isLost(e) || failure() != null) {
                throw e;
            }
            // The driver tells the error of a result that is computed as a whole.
            endStatement();
            LocalDatabase.computeResults(taken, true);
            isWhole = true;
            return begun(taken);
        }
    }

    private ResultSet begun(DuckDBConnection taken) throws SQLException {
        Sources made = new Sources(query, context, deadline);
        sources = made;
        watched = Watch.begin(deadline, this::interrupt);
        String text = text(made.all());
        PreparedStatement prepared = calls.await(deadline.ofPlan(), () -> {
            PreparedStatement planned = taken.prepareStatement(text);
            statement = planned;
            return planned;
        });
        for (int k = 0; k < query.parameters().size(); k++) {
            LocalParameter parameter = query.parameters().get(k);
            prepared.setObject(k + 1, given(parameters.apply(parameter.index()), parameter.type()));
        }
        return calls.await(deadline, () -> {
            ResultSet opened = prepared.executeQuery();
            rows = opened;
            return opened;
        });
    }

    private String text(List<RowSource> tables) {
        StringBuilder text = new StringBuilder(query.text().get(0));
        for (int k = 0; k < tables.size(); k++) {
            LocalDatabase.Lent number = query.database().lend(tables.get(k));
            lent.add(number);
            text.append(number.text()).append(query.text().get(k + 1));
        }
        return text.toString();
    }

    /** The value of a parameter as DuckDB takes it. */
    private static @Nullable Object given(@Nullable Object value, RelDataType type) {
        ValueType column = Literals.type(type);
        if (column == null || value instanceof BigDecimal) {
            return value instanceof ByteString bytes ? bytes.getBytes() : value;
        }
        boolean isTimeForDate = column.equals(ValueType.DATE) && value instanceof Long;
        return SqlTypes.toClient(value, isTimeForDate ? ValueType.TIMESTAMP : column);
    }

    private @Nullable Object[] values(ResultSet open) throws SQLException {
        @Nullable Object[] values = new @Nullable Object[query.columns().size()];
        // The type of a result is that of the operands beside a parameter, whose value may have more digits.
        boolean keepsDigits = !query.parameters().isEmpty();
        for (int k = 0; k < values.length; k++) {
            values[k] = LocalValues.read(open, k + 1, query.columns().get(k), keepsDigits);
        }
        return values;
    }

    /** Why the statement has ended: its time, a table that could not be read, or an error of DuckDB. */
    private RuntimeException why(SQLException error) {
        try {
            deadline.check();
        } catch (StatementEnd end) {
            return end;
        }
        RuntimeException failure = failure();
        return failure == null ? LocalErrors.of(error) : failure;
    }

    /** Why a table could not be read; null: all could. */
    private @Nullable RuntimeException failure() {
        Sources read = sources;
        return read == null ? null : read.failure();
    }

    /** Ends what DuckDB computes, and its waiting for rows. Another thread calls. */
    private void interrupt() {
        Sources read = sources;
        if (read != null) {
            read.close();
        }
        PreparedStatement open = statement;
        try {
            if (open != null) {
                open.cancel();
            }
        } catch (SQLException e) {
            // The statement is over.
        }
    }

    @Override
    public void reset() {
        throw new UnsupportedOperationException("rows are read once");
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            if (calls.isRunning()) {
                interrupt();
            }
            if (!calls.haveEnded()) {
                abandon();
                return;
            }
            try {
                end();
            } catch (SQLException e) {
                throw LocalErrors.of(e);
            }
        }
    }

    /** Nobody waits for DuckDB any more. It is interrupted until it ends, because it may begin to compute only now. */
    private void abandon() {
        if (watched != null) {
            watched.end();
        }
        watched = Watch.always(this::interrupt);
        calls.whenEnded(this::endLate);
    }

    /** Ends a run for which DuckDB has computed beyond the deadline. */
    private void endLate() {
        try {
            end();
        } catch (SQLException e) {
            log.debug("a statement that had ended was not closed: {}", e.getMessage());
        }
    }

    private void end() throws SQLException {
        endStatement();
        DuckDBConnection taken = connection;
        if (taken != null) {
            if (isWhole) {
                LocalDatabase.computeResults(taken, false);
            }
            query.database().giveBack(taken);
        }
    }

    private void endStatement() throws SQLException {
        if (watched != null) {
            watched.end();
        }
        Sources read = sources;
        if (read != null) {
            read.close();
        }
        lent.forEach(LocalDatabase.Lent::close);
        if (read != null) {
            read.release();
        }
        closeIfOpen(rows);
        closeIfOpen(statement);
        rows = null;
        statement = null;
        lent.clear();
    }

    private static void closeIfOpen(@Nullable AutoCloseable open) throws SQLException {
        try {
            if (open != null) {
                open.close();
            }
        } catch (SQLException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
