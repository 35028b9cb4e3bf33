package io.sdds.sql.jdbc;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.run.BatchWrite;
import io.sdds.sql.run.PendingWrites;
import io.sdds.sql.run.Planning;
import io.sdds.sql.schema.SddsSchema;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.statement.ParameterValue;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A prepared statement. It keeps the values of its parameters, and is prepared again when the schema of one of its
 * tables has changed.
 */
final class PreparedProxy extends StatementProxy {
    static final String NO_VALUE = "07001";

    /** As {@link #written}: what was executed last, was executed by the engine. */
    private static final long BY_ENGINE = -2;

    private static final long NO_MORE_RESULTS = -1;

    private final String sql;
    private final int resultSetType;
    private SddsSchema.Planned plan;
    private @Nullable LookupRun lookup;
    private ParameterValue[] types;
    private @Nullable Object[] values;
    private final List<@Nullable Object[]> batch = new ArrayList<>();

    /** Rows of the last write that did not go through the engine. */
    private long written = BY_ENGINE;

    /** Whether the plan is for values that bricks' programs have no room for. */
    private boolean hasLongValues;

    PreparedProxy(JdbcSession session, Connection connection, String sql, int resultSetType) throws SQLException {
        super(session, connection, prepared(session, sql, resultSetType, Planning.begin(null, 0)));
        this.sql = sql;
        this.resultSetType = resultSetType;
        plan = session.schema().planned();
        lookup = plan.read() == null ? null : new LookupRun(plan.read());
        types = types();
        values = unset(types.length);
    }

    private static PreparedStatement prepared(JdbcSession session, String sql, int resultSetType, Planning begun)
            throws SQLException {
        try (begun) {
            return session.connection().prepareStatement(sql, resultSetType, ResultSet.CONCUR_READ_ONLY);
        } catch (SQLException | RuntimeException e) {
            throw SqlErrors.translated(e);
        }
    }

    private PreparedStatement statement() {
        return (PreparedStatement) target();
    }

    private ParameterValue[] types() throws SQLException {
        ParameterMetaData data = statement().getParameterMetaData();
        ParameterValue[] made = new ParameterValue[data.getParameterCount()];
        for (int k = 0; k < made.length; k++) {
            made[k] = new ParameterValue(k + 1, data.getParameterType(k + 1), data.getParameterTypeName(k + 1));
        }
        return made;
    }

    private static @Nullable Object[] unset(int count) {
        @Nullable Object[] values = new @Nullable Object[count];
        java.util.Arrays.fill(values, ParameterValue.UNSET);
        return values;
    }

    @Override
    @Nullable
    Object answer(Object proxy, Method method, @Nullable Object[] arguments) throws SQLException {
        if (method.getDeclaringClass() == PreparedStatement.class) {
            switch (method.getName()) {
                case "addBatch" -> {
                    batch.add(values.clone());
                    return null;
                }
                case "clearParameters" -> {
                    values = unset(types.length);
                    return null;
                }
                case "getMetaData" -> {
                    prepareAgainIfChanged();
                    return statement().getMetaData();
                }
                default -> {
                    if (method.getName().startsWith("set")) {
                        set(method, arguments);
                        return null;
                    }
                }
            }
        }
        return switch (method.getName()) {
            case "getUpdateCount", "getLargeUpdateCount", "getResultSet", "getMoreResults" -> {
                boolean isByEngine = lookup == null && written == BY_ENGINE;
                yield isByEngine
                        ? super.answer(proxy, method, arguments)
                        : wrapped(proxy, afterRun(method.getName(), lookup));
            }
            case "close" -> {
                if (lookup != null) {
                    lookup.close();
                }
                yield super.answer(proxy, method, arguments);
            }
            default -> super.answer(proxy, method, arguments);
        };
    }

    /**
     * Answers a question about the result of a run without the engine: the only result of a look-up has rows, that of a
     * write is a count.
     */
    private @Nullable Object afterRun(String method, @Nullable LookupRun run) throws SQLException {
        open();
        long count = run == null ? written : NO_MORE_RESULTS;
        return switch (method) {
            case "getUpdateCount" -> count(count);
            case "getLargeUpdateCount" -> count;
            case "getMoreResults" -> {
                written = NO_MORE_RESULTS;
                if (run != null) {
                    run.close();
                }
                yield false;
            }
            default -> run == null ? null : run.result();
        };
    }

    private void set(Method method, @Nullable Object[] arguments) throws SQLException {
        int number = (Integer) java.util.Objects.requireNonNull(arguments[0]);
        if (number < 1 || number > types.length) {
            throw new SQLException("there is no parameter " + number + ", only " + types.length, NO_VALUE);
        }
        values[number - 1] = types[number - 1].of(GivenValue.of(method.getName(), arguments));
    }

    // ---- executions

    @Override
    @Nullable
    Object execute(String method, String ignored) throws SQLException {
        if (!ignored.isEmpty()) {
            throw new SQLException("the statement is prepared: it takes no text", SqlErrors.SYNTAX);
        }
        return execute(method, values);
    }

    private @Nullable Object execute(String method, @Nullable Object[] given) throws SQLException {
        prepareAgainIfChanged();
        prepareAgainForLength(areLong(given));
        try {
            return executeOnce(method, given);
        } catch (SQLException e) {
            throwUnlessTablesAreOthers(method, e);
            prepareAgain(hasLongValues);
            return executeOnce(method, given);
        }
    }

    private @Nullable Object executeOnce(String method, @Nullable Object[] given) throws SQLException {
        LookupRun run = lookup;
        BatchWrite write = plan.write();
        boolean isQuery = method.equals("executeQuery");
        written = NO_MORE_RESULTS;
        try {
            for (int k = 0; k < types.length; k++) {
                requireValue(k, given[k]);
            }
            if (run != null && (isQuery || method.equals("execute"))) {
                ResultSet rows = run.run(open(), index -> ParameterValue.ofEngine(given[index]), deadline());
                return isQuery ? rows : (Object) true;
            }
            if (write != null && !isQuery) {
                written = written(write, given);
                return method.equals("execute")
                        ? (Object) false
                        : method.equals("executeUpdate") ? (Object) count(written) : (Object) written;
            }
            written = BY_ENGINE;
            return executeByEngine(method, given);
        } catch (RuntimeException e) {
            throw SqlErrors.translated(e);
        }
    }

    /** Runs a statement whose keys are known. Its parameters go to the requests without the engine. */
    private long written(BatchWrite write, @Nullable Object[] given) throws SQLException {
        PendingWrites writes = PendingWrites.ofStatement(deadline());
        write.begin(index -> ParameterValue.ofEngine(given[index]), writes);
        return writes.finish();
    }

    private static void requireValue(int index, @Nullable Object value) throws SQLException {
        if (value == ParameterValue.UNSET) {
            throw new SQLException("parameter " + (index + 1) + " has no value", NO_VALUE);
        }
    }

    private @Nullable Object executeByEngine(String method, @Nullable Object[] given) throws SQLException {
        PreparedStatement statement = statement();
        try (Planning time = planning()) {
            for (int k = 0; k < types.length; k++) {
                types[k].bind(statement, given[k]);
            }
            return switch (method) {
                case "execute" -> statement.execute();
                case "executeQuery" -> rows(statement);
                case "executeUpdate" -> count(updated(statement.executeLargeUpdate()));
                default -> updated(statement.executeLargeUpdate());
            };
        } catch (SQLException e) {
            throw SqlErrors.translated(e);
        }
    }

    private static ResultSet rows(PreparedStatement statement) throws SQLException {
        ResultSet rows = statement.executeQuery();
        if (rows == null) {
            throw new SQLException("the statement has no rows for a result: use executeUpdate", SqlErrors.SYNTAX);
        }
        return rows;
    }

    @Override
    @Nullable
    Object clearBatch() {
        batch.clear();
        return null;
    }

    @Override
    long[] executeBatch() throws SQLException {
        List<@Nullable Object[]> runs = new ArrayList<>(batch);
        batch.clear();
        prepareAgainIfChanged();
        boolean areLong = runs.stream().anyMatch(this::areLong);
        if (!areLong) {
            prepareAgainForLength(false);
        }
        BatchWrite write = plan.write();
        if (write != null && !areLong) {
            begin();
            written = NO_MORE_RESULTS;
            return new BatchRun(write, deadline()).run(runs);
        }
        return executeBatch(runs.size(), k -> (Long) execute("executeLargeUpdate", runs.get(k)));
    }

    private void prepareAgainIfChanged() throws SQLException {
        for (SddsTable table : plan.tables()) {
            if (!session.schema().shared().isCurrent(table)) {
                prepareAgain(hasLongValues);
                return;
            }
        }
    }

    /** Values that are long have a plan of their own: the program that a brick gets has little room. */
    private void prepareAgainForLength(boolean areLong) throws SQLException {
        if (areLong != hasLongValues) {
            prepareAgain(areLong);
        }
    }

    private boolean areLong(@Nullable Object[] given) {
        return (hasLongValues || plan.shipsInPrograms()) && ValueBytes.areLong(given);
    }

    private void prepareAgain(boolean areLong) throws SQLException {
        AtomicBoolean cancelled = cancelFlag(open());
        replace(prepared(session, sql, resultSetType, planning(areLong)));
        hasLongValues = areLong;
        begin();
        if (cancelled.get()) {
            cancelFlag(open()).set(true);
        }
        plan = session.schema().planned();
        lookup = plan.read() == null ? null : new LookupRun(plan.read());
        types = types();
        for (int k = 0; k < values.length && k < types.length; k++) {
            if (values[k] != null && values[k] != ParameterValue.UNSET) {
                values[k] = types[k].of(values[k]);
            }
        }
    }
}
