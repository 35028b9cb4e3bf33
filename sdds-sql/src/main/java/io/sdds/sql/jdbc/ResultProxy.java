package io.sdds.sql.jdbc;

import io.sdds.core.row.ValueType;
import io.sdds.sql.schema.SqlTypes;
import java.lang.reflect.Method;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.LocalDateTime;
import java.util.Calendar;
import org.jspecify.annotations.Nullable;

/** The rows of a result: at most as many as were wanted, with times in the application's zone. */
final class ResultProxy extends JdbcProxy {
    private final ResultSet target;
    private final Object parent;
    private final long rowsMax;
    /** The engine's statement; null: it is closed already. */
    private final @Nullable Statement statement;

    private long rows;

    /**
     * @param parent the statement, or who else made it
     * @param rowsMax 0: all
     */
    ResultProxy(JdbcSession session, ResultSet target, Object parent, long rowsMax) throws SQLException {
        super(session);
        this.statement = target.isClosed() ? null : target.getStatement();
        this.target = target;
        this.parent = parent;
        this.rowsMax = rowsMax;
    }

    @Override
    Object target() {
        return target;
    }

    @Override
    @Nullable
    Object answer(Object proxy, Method method, @Nullable Object[] arguments) throws SQLException {
        closeBehindStatement();
        return switch (method.getName()) {
            case "next" -> next(method, arguments);
            case "getStatement" -> parent instanceof Statement ? parent : engine(method, arguments);
            case "getTimestamp" -> LocalTimes.timestamp(dateTime(column(arguments[0])), calendar(arguments));
            case "getDate" -> LocalTimes.date(dateTime(column(arguments[0])), calendar(arguments));
            case "getTime" -> LocalTimes.time(dateTime(column(arguments[0])), calendar(arguments));
            case "getObject" -> object(method, arguments);
            default -> super.answer(proxy, method, arguments);
        };
    }

    /** The result of a look-up is not known to its statement, which therefore does not close it. */
    private void closeBehindStatement() throws SQLException {
        if (statement != null && statement.isClosed() && !target.isClosed()) {
            target.close();
        }
    }

    private Object next(Method method, @Nullable Object[] arguments) throws SQLException {
        if (rowsMax > 0 && rows == rowsMax) {
            return false;
        }
        rows++;
        return java.util.Objects.requireNonNull(engine(method, arguments));
    }

    private int column(@Nullable Object name) throws SQLException {
        return name instanceof Integer number ? number : target.findColumn(String.valueOf(name));
    }

    private static @Nullable Calendar calendar(@Nullable Object[] arguments) {
        return arguments.length > 1 && arguments[1] instanceof Calendar calendar ? calendar : null;
    }

    private @Nullable Object object(Method method, @Nullable Object[] arguments) throws SQLException {
        int column = column(arguments[0]);
        Object value = value(column);
        return arguments.length > 1 && arguments[1] instanceof Class<?> wanted
                ? ResultValue.as(value, wanted, column)
                : ResultValue.ofSql(value);
    }

    /** The value of a column: of a time without its zone. */
    private @Nullable Object value(int column) throws SQLException {
        ValueType time = timeType(column);
        if (time == null) {
            return target.getObject(column);
        }
        Object number = time.equals(ValueType.DATE) ? (Object) target.getInt(column) : (Object) target.getLong(column);
        return target.wasNull() ? null : SqlTypes.toClient(number, time);
    }

    /** The type of a column of dates or times, which the engine has as numbers; null: it has another type. */
    private @Nullable ValueType timeType(int column) throws SQLException {
        ResultSetMetaData data = target.getMetaData();
        return switch (column < 1 || column > data.getColumnCount() ? Types.NULL : data.getColumnType(column)) {
            case Types.DATE -> ValueType.DATE;
            case Types.TIME -> ValueType.TIME;
            case Types.TIMESTAMP -> ValueType.TIMESTAMP;
            default -> null;
        };
    }

    private @Nullable LocalDateTime dateTime(int column) throws SQLException {
        return ResultValue.dateTime(timeType(column) == null ? target.getString(column) : value(column), column);
    }
}
