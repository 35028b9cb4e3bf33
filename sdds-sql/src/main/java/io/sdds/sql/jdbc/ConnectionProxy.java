package io.sdds.sql.jdbc;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.schema.SddsSchema;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A connection. It says that there are no transactions. */
public final class ConnectionProxy extends JdbcProxy {
    private static final String WARNING = "01000";

    /** {@link Connection#getWarnings} returns this warning. */
    private @Nullable SQLWarning warning;

    private ConnectionProxy(JdbcSession session) {
        super(session);
    }

    public static Connection of(JdbcSession session) {
        return made(Connection.class, new ConnectionProxy(session));
    }

    @Override
    Object target() {
        return session.connection();
    }

    @Override
    @Nullable
    Object answer(Object proxy, Method method, @Nullable Object[] arguments) throws SQLException {
        return switch (method.getName()) {
            case "createStatement" ->
                made(
                        Statement.class,
                        new StatementProxy(session, (Connection) proxy, statement(engine(method, arguments))));
            case "prepareStatement" -> prepared((Connection) proxy, method, arguments);
            case "getMetaData" ->
                made(DatabaseMetaData.class, new MetaDataProxy(session, (Connection) proxy, metaData(method)));
            case "isValid" -> session.isValid((Integer) java.util.Objects.requireNonNull(arguments[0]));
            case "nativeSQL" -> arguments[0];
            case "getTypeMap" -> new TreeMap<String, Class<?>>();
            case "setTypeMap" -> refuseIf(arguments[0] instanceof Map<?, ?> map && !map.isEmpty(), "a map of types");
            case "setSchema" ->
                refuseIf(!SddsSchema.NAME.equals(arguments[0]), "another schema than " + SddsSchema.NAME);
            case "prepareCall" -> throw unsupported("CALL");
            case "close", "abort" -> {
                session.close();
                yield null;
            }
            case "getAutoCommit" -> true;
            case "getTransactionIsolation" -> Connection.TRANSACTION_NONE;
            case "setAutoCommit" -> noTransactionIf(Boolean.FALSE.equals(arguments[0]) && !ignores());
            case "commit" -> commit();
            case "setTransactionIsolation" ->
                noTransactionIf(!Integer.valueOf(Connection.TRANSACTION_NONE).equals(arguments[0]) && !ignores());
            case "rollback" -> arguments.length == 0 ? rollback() : noTransactionIf(true);
            case "setSavepoint", "releaseSavepoint" -> noTransactionIf(true);
            case "getWarnings" -> warning();
            case "clearWarnings" -> clearWarnings();
            default -> super.answer(proxy, method, arguments);
        };
    }

    private static Statement statement(@Nullable Object made) {
        return (Statement) java.util.Objects.requireNonNull(made);
    }

    private DatabaseMetaData metaData(Method method) throws SQLException {
        return (DatabaseMetaData) java.util.Objects.requireNonNull(engine(method, new Object[0]));
    }

    private PreparedStatement prepared(Connection proxy, Method method, @Nullable Object[] arguments)
            throws SQLException {
        String sql = String.valueOf(arguments[0]);
        int type = ResultSet.TYPE_FORWARD_ONLY;
        if (arguments.length == 2) {
            refuseIf(!Integer.valueOf(Statement.NO_GENERATED_KEYS).equals(arguments[1]), "a generated key");
        } else if (arguments.length > 2) {
            type = (Integer) java.util.Objects.requireNonNull(arguments[1]);
        }
        return made(PreparedStatement.class, new PreparedProxy(session, proxy, sql, type));
    }

    /**
     * Undoes nothing and says so by a warning. An application rolls back when something else has failed, so an
     * exception here would take the place of that failure.
     */
    private @Nullable Object rollback() throws SQLException {
        session.requireOpen();
        warning = new SQLWarning(
                "nothing was undone: there are no transactions, each record is written by itself", WARNING);
        return null;
    }

    /** Does nothing, since each record is written already. */
    private @Nullable Object commit() throws SQLException {
        session.requireOpen();
        return null;
    }

    private @Nullable SQLWarning warning() throws SQLException {
        session.requireOpen();
        return warning;
    }

    private @Nullable Object clearWarnings() throws SQLException {
        session.requireOpen();
        warning = null;
        return null;
    }

    private boolean ignores() {
        return session.ignoresTransactions();
    }

    private static @Nullable Object refuseIf(boolean refused, String what) throws SQLException {
        if (refused) {
            throw unsupported(what);
        }
        return null;
    }

    private static @Nullable Object noTransactionIf(boolean refused) throws SQLException {
        if (refused) {
            throw noTransactions();
        }
        return null;
    }

    static SQLFeatureNotSupportedException noTransactions() {
        return new SQLFeatureNotSupportedException(
                "there are no transactions: each record is written by itself; the option transactions=ignore of the URL"
                        + " makes setAutoCommit(false) do nothing",
                SqlErrors.UNSUPPORTED);
    }
}
