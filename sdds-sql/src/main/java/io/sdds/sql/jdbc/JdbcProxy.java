package io.sdds.sql.jdbc;

import io.sdds.sql.error.SqlErrors;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import org.apache.calcite.jdbc.CalciteFactory;
import org.apache.calcite.jdbc.CalciteJdbc41Factory;
import org.jspecify.annotations.Nullable;

/**
 * Stands before one of the engine's objects of {@code java.sql}, whose classes cannot be extended: turns all exceptions
 * into {@link SQLException} with an SQLState. Subclasses answer the methods that the engine lacks, or answers wrongly.
 */
abstract class JdbcProxy implements InvocationHandler {
    /** Makes the engine's objects. */
    static final CalciteFactory ENGINE = new CalciteJdbc41Factory();

    private static final Object[] NOTHING = {};

    final JdbcSession session;

    JdbcProxy(JdbcSession session) {
        this.session = session;
    }

    static <T> T made(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(JdbcProxy.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** The engine's object. */
    abstract Object target();

    /** The answer to a call. */
    @Nullable
    Object answer(Object proxy, Method method, @Nullable Object[] arguments) throws SQLException {
        Object result = engine(method, arguments);
        return result instanceof ResultSet rows && method.getReturnType() == ResultSet.class
                ? made(ResultSet.class, new ResultProxy(session, rows, proxy, 0))
                : result;
    }

    @Override
    public final @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] given)
            throws SQLException {
        @Nullable Object[] arguments = given == null ? NOTHING : given;
        if (method.getDeclaringClass() == Object.class && method.getName().equals("equals")) {
            return proxy == arguments[0];
        }
        if (method.getDeclaringClass() == java.sql.Wrapper.class
                && arguments[0] instanceof Class<?> wanted
                && wanted.isInstance(proxy)) {
            return method.getName().equals("unwrap") ? proxy : Boolean.TRUE;
        }
        try {
            return answer(proxy, method, arguments);
        } catch (SQLException e) {
            throw e;
        } catch (RuntimeException | StackOverflowError | ExceptionInInitializerError | AssertionError e) {
            throw SqlErrors.translated(e);
        }
    }

    /** Whether an error is one of a statement that the engine cannot plan or run, and not of the process. */
    private static boolean isOfStatement(Throwable error) {
        return error instanceof StackOverflowError
                || error instanceof ExceptionInInitializerError
                || error instanceof AssertionError;
    }

    /** What the engine answers. */
    final @Nullable Object engine(Method method, @Nullable Object[] arguments) throws SQLException {
        try {
            return method.invoke(target(), arguments);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (cause instanceof Error error && !isOfStatement(error)) {
                throw error;
            }
            throw SqlErrors.translated(
                    cause instanceof UnsupportedOperationException ? unsupported(method.getName()) : cause);
        } catch (IllegalAccessException e) {
            throw new SQLException(SqlErrors.line(e), e);
        }
    }

    static SQLFeatureNotSupportedException unsupported(String what) {
        return new SQLFeatureNotSupportedException(what + " is not supported", SqlErrors.UNSUPPORTED);
    }
}
