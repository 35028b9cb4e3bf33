package io.sdds.sql;

import io.sdds.client.SddsClient;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Stands before the engine's objects of {@code java.sql}, whose classes cannot be extended: turns all exceptions into
 * {@link SQLException} with an SQLState, and says that there are no transactions.
 */
final class JdbcProxy implements InvocationHandler {
    private final Object target;
    /** The object that made this one: of a result its statement, of a statement its connection. */
    private final @Nullable Object parent;

    private final @Nullable SddsClient client;
    private final boolean ignoresTransactions;

    private JdbcProxy(
            Object target, @Nullable Object parent, @Nullable SddsClient client, boolean ignoresTransactions) {
        this.target = target;
        this.parent = parent;
        this.client = client;
        this.ignoresTransactions = ignoresTransactions;
    }

    /** A connection, which closes its client. */
    static Connection connection(Connection target, SddsClient client, boolean ignoresTransactions) {
        return made(Connection.class, new JdbcProxy(target, null, client, ignoresTransactions));
    }

    private static <T> T made(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(JdbcProxy.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getDeclaringClass() == Object.class && method.getName().equals("equals")) {
            return arguments != null && proxy == arguments[0];
        }
        if (target instanceof Connection && isTransaction(method.getName())) {
            return transaction(method.getName(), arguments);
        }
        if (target instanceof DatabaseMetaData) {
            Object answer = Capabilities.answer(method.getName());
            if (answer != null) {
                return answer;
            }
        }
        if (parent != null && isParent(method)) {
            return parent;
        }
        Object result = called(method, arguments);
        if (client != null && method.getName().equals("close")) {
            client.close();
        }
        return wrapped(proxy, result);
    }

    private @Nullable Object called(Method method, Object @Nullable [] arguments) throws SQLException {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            boolean isOfStatement = cause instanceof StackOverflowError || cause instanceof ExceptionInInitializerError;
            if (cause instanceof Error error && !isOfStatement) {
                throw error;
            }
            throw SqlErrors.translated(cause);
        } catch (IllegalAccessException e) {
            throw new SQLException(SqlErrors.line(e), e);
        }
    }

    private boolean isParent(Method method) {
        return switch (method.getName()) {
            case "getConnection" -> target instanceof Statement || target instanceof DatabaseMetaData;
            case "getStatement" -> target instanceof ResultSet && parent instanceof Statement;
            default -> false;
        };
    }

    private @Nullable Object wrapped(Object proxy, @Nullable Object result) {
        if (result == null || Proxy.isProxyClass(result.getClass())) {
            return result;
        }
        JdbcProxy handler = new JdbcProxy(result, proxy, null, ignoresTransactions);
        if (result instanceof CallableStatement) {
            return result;
        }
        if (result instanceof PreparedStatement) {
            return made(PreparedStatement.class, handler);
        }
        if (result instanceof Statement) {
            return made(Statement.class, handler);
        }
        if (result instanceof ResultSet) {
            return made(ResultSet.class, handler);
        }
        return result instanceof DatabaseMetaData ? made(DatabaseMetaData.class, handler) : result;
    }

    // ---- transactions

    private static boolean isTransaction(String method) {
        return switch (method) {
            case "setAutoCommit",
                    "getAutoCommit",
                    "commit",
                    "rollback",
                    "setSavepoint",
                    "releaseSavepoint",
                    "setTransactionIsolation",
                    "getTransactionIsolation" -> true;
            default -> false;
        };
    }

    private @Nullable Object transaction(String method, Object @Nullable [] arguments) throws SQLException {
        Object argument = arguments == null || arguments.length == 0 ? null : arguments[0];
        switch (method) {
            case "getAutoCommit" -> {
                return true;
            }
            case "getTransactionIsolation" -> {
                return Connection.TRANSACTION_NONE;
            }
            case "setAutoCommit" -> refuseIf(Boolean.FALSE.equals(argument) && !ignoresTransactions);
            case "commit" -> refuseIf(!ignoresTransactions);
            case "setTransactionIsolation" ->
                refuseIf(!Integer.valueOf(Connection.TRANSACTION_NONE).equals(argument) && !ignoresTransactions);
            default -> refuseIf(true);
        }
        return null;
    }

    private static void refuseIf(boolean refused) throws SQLException {
        if (refused) {
            throw new SQLFeatureNotSupportedException(
                    "there are no transactions: each record is written by itself; the option transactions=ignore of the"
                            + " URL makes setAutoCommit(false) and commit do nothing",
                    SqlErrors.UNSUPPORTED);
        }
    }
}
