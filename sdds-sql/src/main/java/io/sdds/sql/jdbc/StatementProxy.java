package io.sdds.sql.jdbc;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.run.Deadline;
import io.sdds.sql.run.Planning;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.NoSuchStatementException;
import org.jspecify.annotations.Nullable;

/** A statement: its batches, and what begins anew with each execution. */
class StatementProxy extends JdbcProxy {
    private final Connection connection;
    private Statement target;
    private int fetchSize;
    private final List<String> batch = new ArrayList<>();

    StatementProxy(JdbcSession session, Connection connection, Statement target) {
        super(session);
        this.connection = connection;
        this.target = target;
    }

    @Override
    final Statement target() {
        return target;
    }

    /** Another object of the engine takes the place of this one, which is closed. */
    final void replace(Statement other) throws SQLException {
        other.setQueryTimeout(target.getQueryTimeout());
        other.setLargeMaxRows(target.getLargeMaxRows());
        if (target.isCloseOnCompletion()) {
            other.closeOnCompletion();
        }
        target.close();
        target = other;
    }

    @Override
    @Nullable
    Object answer(Object proxy, Method method, @Nullable Object[] arguments) throws SQLException {
        return switch (method.getName()) {
            case "execute", "executeQuery", "executeUpdate", "executeLargeUpdate" ->
                executed(proxy, method, withoutKeys(arguments));
            case "getConnection" -> connection;
            case "getFetchSize" -> fetchSize;
            case "setFetchSize" -> {
                fetchSize = notNegative((Integer) java.util.Objects.requireNonNull(arguments[0]));
                yield null;
            }
            case "getGeneratedKeys" -> throw unsupported("a generated key");
            case "setEscapeProcessing" -> null;
            case "addBatch" -> {
                batch.add(String.valueOf(arguments[0]));
                yield null;
            }
            case "clearBatch" -> clearBatch();
            case "executeBatch" -> counts(executeBatch());
            case "executeLargeBatch" -> executeBatch();
            case "cancel" -> {
                // The engine hears it only once there is a result.
                cancelFlag(open()).set(true);
                yield engine(method, arguments);
            }
            default -> wrapped(proxy, engine(method, arguments));
        };
    }

    /** An application may say that it wants no generated keys; others there are none. */
    private static @Nullable Object[] withoutKeys(@Nullable Object[] arguments) throws SQLException {
        if (arguments.length < 2) {
            return arguments;
        }
        if (!Integer.valueOf(Statement.NO_GENERATED_KEYS).equals(arguments[1])) {
            throw unsupported("a generated key");
        }
        return new @Nullable Object[] {arguments[0]};
    }

    private @Nullable Object executed(Object proxy, Method method, @Nullable Object[] arguments) throws SQLException {
        begin();
        if (arguments.length == 0) {
            return wrapped(proxy, execute(method.getName(), ""));
        }
        return wrapped(proxy, execute(method.getName(), String.valueOf(arguments[0])));
    }

    /**
     * Executes the statement by a method of {@link Statement}. Another client may have dropped a table and made it anew
     * since this one has listed the tables. A statement that has not written then runs again.
     */
    @Nullable
    Object execute(String method, String sql) throws SQLException {
        try {
            return executeOnce(method, sql);
        } catch (SQLException e) {
            throwUnlessTablesAreOthers(method, e);
            return executeOnce(method, sql);
        }
    }

    /**
     * Throws the failure of an execution, unless tables are others than those that the statement was planned for and
     * nothing was written. Then the tables are listed anew.
     */
    final void throwUnlessTablesAreOthers(String method, SQLException failure) throws SQLException {
        boolean isGone = SqlErrors.NO_TABLE.equals(failure.getSQLState());
        if (isGone) {
            session.schema().shared().refresh();
        }
        boolean mayRunAgain = isGone ? !StatementEnd.mayHaveWritten(failure) : method.equals("executeQuery");
        if (!mayRunAgain || !isGone && !isOfOldTables(failure)) {
            throw failure;
        }
    }

    /** Whether a statement that did not fit the rows was planned for tables that are others by now. */
    private boolean isOfOldTables(SQLException failure) throws SQLException {
        return SqlErrors.isOfPlan(failure) && session.schema().shared().renewTables();
    }

    private @Nullable Object executeOnce(String method, String sql) throws SQLException {
        try (Planning time = planning()) {
            return switch (method) {
                case "execute" -> target.execute(sql);
                case "executeQuery" -> target.executeQuery(sql);
                case "executeUpdate" -> count(updated(target.executeLargeUpdate(sql)));
                default -> updated(target.executeLargeUpdate(sql));
            };
        } catch (SQLException | RuntimeException e) {
            throw SqlErrors.translated(e);
        }
    }

    /** The number of rows of a statement that was executed. */
    final long updated(long count) throws SQLException {
        ResultSet rows = target.getResultSet();
        if (rows != null) {
            rows.close();
            throw new SQLException("the statement has rows for a result: use executeQuery", SqlErrors.SYNTAX);
        }
        return Math.max(0, count);
    }

    private static int notNegative(int rows) throws SQLException {
        if (rows < 0) {
            throw new SQLException("a fetch size of " + rows + " rows is negative", SqlErrors.SYNTAX);
        }
        return rows;
    }

    /** A cancel of an earlier execution is not one of this. */
    final void begin() throws SQLException {
        if (target instanceof AvaticaStatement statement && !statement.isClosed()) {
            AtomicBoolean cancelFlag = cancelFlag(statement);
            cancelFlag.set(false);
            session.schema().shared().fetchSize(cancelFlag, fetchSize);
        }
    }

    final AtomicBoolean cancelFlag(AvaticaStatement statement) throws SQLException {
        try {
            return session.connection().getCancelFlag(statement.handle);
        } catch (NoSuchStatementException e) {
            throw new SQLException("the statement is closed", SqlErrors.SYNTAX, e);
        }
    }

    /** Begins the time of an execution by the engine. */
    final Planning planning() throws SQLException {
        return planning(false);
    }

    /** @param hasLongValues whether a plan is made for values that bricks' programs have no room for */
    final Planning planning(boolean hasLongValues) throws SQLException {
        AvaticaStatement statement = open();
        return Planning.begin(cancelFlag(statement), statement.getQueryTimeout(), hasLongValues);
    }

    /** The deadline of a batch or a write of this statement that begins now. */
    final Deadline deadline() throws SQLException {
        AvaticaStatement statement = open();
        return Deadline.ofBatch(cancelFlag(statement), statement.getQueryTimeout());
    }

    /** The engine's statement, which must not be closed. */
    final AvaticaStatement open() throws SQLException {
        if (!(target instanceof AvaticaStatement statement) || statement.isClosed()) {
            throw new SQLException("the statement is closed", SqlErrors.SYNTAX);
        }
        return statement;
    }

    final @Nullable Object wrapped(Object proxy, @Nullable Object result) throws SQLException {
        return result instanceof ResultSet rows
                ? made(ResultSet.class, new ResultProxy(session, rows, proxy, target.getLargeMaxRows()))
                : result;
    }

    // ---- batches

    @Nullable
    Object clearBatch() {
        batch.clear();
        return null;
    }

    long[] executeBatch() throws SQLException {
        List<String> statements = List.copyOf(batch);
        batch.clear();
        return executeBatch(statements.size(), k -> (Long) execute("executeLargeUpdate", statements.get(k)));
    }

    /** One statement of a batch. */
    interface Step {
        @Nullable
        Long run(int number) throws SQLException;
    }

    /** Runs the statements of a batch, one after another. */
    final long[] executeBatch(int size, Step step) throws SQLException {
        BatchResult result = new BatchResult(size);
        begin();
        for (int k = 0; k < size && !result.isOver(); k++) {
            try {
                Long count = step.run(k);
                result.written(k, count == null ? 0 : count);
            } catch (SQLException e) {
                result.failed(k, e);
            }
        }
        return result.counts();
    }

    static int[] counts(long[] counts) {
        return Arrays.stream(counts).mapToInt(StatementProxy::count).toArray();
    }

    /** A number of rows as an {@code int}; the largest one for more. */
    static int count(long rows) {
        return (int) Math.min(Integer.MAX_VALUE, rows);
    }
}
