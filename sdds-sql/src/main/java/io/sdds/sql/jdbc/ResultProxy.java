package io.sdds.sql.jdbc;

import java.lang.reflect.Method;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Calendar;
import org.jspecify.annotations.Nullable;

/** The rows of a result: at most as many as were wanted, with times in the application's zone. */
final class ResultProxy extends JdbcProxy {
    private static final int NANOS_OF_MILLI = 1_000_000;
    private static final int MILLIS_OF_SECOND = 1_000;

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
        int type = type(column);
        boolean isTime = type == Types.DATE || type == Types.TIME || type == Types.TIMESTAMP;
        if (!isTime) {
            return target.getObject(column);
        }
        LocalDateTime time = dateTime(column);
        if (time == null || type == Types.TIMESTAMP) {
            return time;
        }
        return type == Types.DATE ? time.toLocalDate() : time.toLocalTime();
    }

    private int type(int column) throws SQLException {
        ResultSetMetaData data = target.getMetaData();
        return column < 1 || column > data.getColumnCount() ? Types.NULL : data.getColumnType(column);
    }

    private @Nullable LocalDateTime dateTime(int column) throws SQLException {
        int type = type(column);
        boolean isNumber = type == Types.DATE || type == Types.TIME || type == Types.TIMESTAMP;
        if (!isNumber) {
            return ResultValue.dateTime(target.getString(column), column);
        }
        long number = target.getLong(column);
        if (target.wasNull()) {
            return null;
        }
        return switch (type) {
            case Types.DATE -> LocalDate.ofEpochDay(number).atStartOfDay();
            case Types.TIME -> LocalTime.ofNanoOfDay(number * NANOS_OF_MILLI).atDate(LocalDate.EPOCH);
            default -> ofMillis(number);
        };
    }

    private static LocalDateTime ofMillis(long millis) {
        return LocalDateTime.ofEpochSecond(
                Math.floorDiv(millis, MILLIS_OF_SECOND),
                Math.floorMod(millis, MILLIS_OF_SECOND) * NANOS_OF_MILLI,
                ZoneOffset.UTC);
    }
}
