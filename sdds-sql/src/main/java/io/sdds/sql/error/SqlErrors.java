package io.sdds.sql.error;

import io.sdds.client.MemoryFullException;
import io.sdds.client.NoSuchTableException;
import io.sdds.client.OverloadedException;
import io.sdds.client.QueryException;
import io.sdds.client.SddsException;
import io.sdds.client.TableExistsException;
import io.sdds.client.TimeoutException;
import io.sdds.client.UnavailableException;
import io.sdds.core.query.EvaluationError;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientException;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.SqlValidatorException;
import org.jspecify.annotations.Nullable;

/** Exceptions of the engine and of the client as exceptions of {@code java.sql}: one line, with an SQLState. */
public final class SqlErrors {
    public static final String SYNTAX = "42000";
    public static final String CANCELLED = "57014";
    public static final String TIMEOUT = "57014";
    public static final String DUPLICATE_KEY = "23505";
    public static final String NOT_NULL = "23502";
    public static final String LOST_RACES = "40001";

    /**
     * A feature that is not supported: its class, and a subclass of our own. Pools such as HikariCP close a connection
     * that has reported 0A000.
     */
    public static final String UNSUPPORTED = "0A500";

    static final String MANY_ROWS = "21000";
    public static final String DATA = "22000";
    public static final String NUMERIC_RANGE = "22003";
    private static final String DIVISION_BY_ZERO = "22012";
    private static final String INVALID_TEXT = "22018";
    public static final String TOO_LARGE = "54000";
    public static final String NO_TABLE = "42S02";
    private static final String TABLE_EXISTS = "42S01";
    private static final String CONNECTION = "08006";
    private static final String DEADLINE = "HYT00";
    public static final String MEMORY = "53200";
    private static final String GENERAL = "HY000";

    private SqlErrors() {}

    /** The exception for the application. */
    public static SQLException translated(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            SQLException known = known(cause);
            if (known != null) {
                if (known != thrown && known.getCause() == null && cause != known) {
                    known.initCause(thrown);
                }
                return known;
            }
        }
        Throwable inner = innermost(thrown);
        return inner instanceof SQLException sql && sql.getSQLState() != null
                ? sql
                : new SQLException(line(inner), GENERAL, thrown);
    }

    /** Whether a failure may come of a plan that does not fit the tables. */
    public static boolean isOfPlan(SQLException failure) {
        String state = failure.getSQLState();
        return UNSUPPORTED.equals(state) || GENERAL.equals(state);
    }

    /** Whether the statements that follow in a batch would fail for the same reason. */
    public static boolean endsBatch(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            boolean isEnd = cause instanceof StatementEnd end && end.state().equals(CANCELLED)
                    || cause instanceof UnavailableException
                    || cause instanceof TimeoutException
                    || cause instanceof OverloadedException
                    || cause instanceof MemoryFullException
                    || cause instanceof NoSuchTableException;
            if (isEnd) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable SQLException known(Throwable cause) {
        if (cause instanceof SQLFeatureNotSupportedException unsupported) {
            return unsupported;
        }
        if (cause instanceof SQLException sql && sql.getSQLState() != null && sql.getCause() == null) {
            return sql;
        }
        if (cause instanceof SQLException ended && "Statement canceled".equals(ended.getMessage())) {
            return new SQLException("the statement was cancelled", CANCELLED);
        }
        if (cause instanceof UnsupportedOperationException) {
            return new SQLFeatureNotSupportedException(line(cause) + " is not supported", UNSUPPORTED);
        }
        if (cause instanceof StatementEnd end) {
            return ofState(end);
        }
        if (String.valueOf(cause.getMessage()).startsWith("more than one value in agg")) {
            return new SQLException("a subquery for one value has more than one row", MANY_ROWS);
        }
        if (cause instanceof SqlParseException parse) {
            return new SQLException(placed(parse), SYNTAX);
        }
        if (cause instanceof CalciteContextException at) {
            return new SQLException(placed(at), SYNTAX);
        }
        if (cause instanceof SqlValidatorException invalid) {
            return new SQLException(line(invalid), SYNTAX);
        }
        if (String.valueOf(cause.getMessage()).contains("grows beyond 64 KB")) {
            return new SQLException("the statement is too large: the code for it is beyond 64 KB", TOO_LARGE);
        }
        if (cause instanceof ArithmeticException || cause instanceof NumberFormatException) {
            return new SQLException(ofValue(cause), stateOfValue(cause));
        }
        return cause instanceof SddsException failure ? ofClient(failure) : null;
    }

    private static String stateOfValue(Throwable cause) {
        if (cause instanceof NumberFormatException) {
            return INVALID_TEXT;
        }
        return ofValue(cause).equals(EvaluationError.DIVISION_BY_ZERO.text()) ? DIVISION_BY_ZERO : NUMERIC_RANGE;
    }

    /** The state of an error that a program of a brick or of the client has found; the message names the error. */
    private static String stateOfQuery(String message) {
        if (message.contains(EvaluationError.DIVISION_BY_ZERO.text())) {
            return DIVISION_BY_ZERO;
        }
        if (message.contains(EvaluationError.OVERFLOW.text())) {
            return NUMERIC_RANGE;
        }
        return message.contains(EvaluationError.INVALID_TEXT.text()) ? INVALID_TEXT : DATA;
    }

    /** What is wrong with a value, where the engine gives the messages of Java. */
    private static String ofValue(Throwable cause) {
        String message = line(cause);
        if (message.equals("/ by zero") || message.contains("ivision by zero")) {
            return EvaluationError.DIVISION_BY_ZERO.text();
        }
        if (!(cause instanceof NumberFormatException)) {
            return message;
        }
        return message.startsWith("For input string: \"") && message.endsWith("\"")
                ? "'" + message.substring("For input string: \"".length(), message.length() - 1) + "' is no number"
                : "a text is no number: " + message;
    }

    private static SQLException ofState(StatementEnd end) {
        String message = line(end);
        return switch (end.state()) {
            case UNSUPPORTED -> new SQLFeatureNotSupportedException(message, UNSUPPORTED);
            case TIMEOUT ->
                message.contains("timeout")
                        ? new SQLTimeoutException(message, TIMEOUT)
                        : new SQLException(message, CANCELLED);
            default -> new SQLException(message, end.state());
        };
    }

    private static SQLException ofClient(SddsException failure) {
        String message = line(failure);
        if (failure instanceof TimeoutException) {
            return new SQLTimeoutException(message, DEADLINE);
        }
        if (failure instanceof OverloadedException) {
            return new SQLTransientException(message, DEADLINE);
        }
        if (failure instanceof MemoryFullException) {
            return new SQLException(message, MEMORY);
        }
        if (failure instanceof NoSuchTableException) {
            return new SQLException(message, NO_TABLE);
        }
        if (failure instanceof TableExistsException) {
            return new SQLException(message, TABLE_EXISTS);
        }
        if (failure instanceof QueryException) {
            return new SQLException(message, stateOfQuery(message));
        }
        return new SQLException(message, failure instanceof UnavailableException ? CONNECTION : GENERAL);
    }

    private static Throwable innermost(Throwable thrown) {
        Throwable last = thrown;
        while (last.getCause() != null || last.getSuppressed().length > 0) {
            last = last.getCause() != null ? last.getCause() : last.getSuppressed()[0];
        }
        return last;
    }

    /** The first line of a message. */
    public static String line(Throwable thrown) {
        String message = thrown.getMessage();
        if (message == null || message.isBlank()) {
            return thrown.getClass().getSimpleName();
        }
        return message.lines().findFirst().orElse(message).strip();
    }

    /** As {@code line 1, column 15: }. */
    public static String place(int line, int column) {
        return "line " + line + ", column " + column + ": ";
    }

    /** The message of the parser behind its place, as {@code line 1, column 15: }. */
    public static String placed(SqlParseException parse) {
        String found = line(parse).replaceAll("(at|At) line \\d+, column \\d+[.,]? *", "");
        SqlParserPos at = parse.getPos();
        return at == null ? found : place(at.getLineNum(), at.getColumnNum()) + found.strip();
    }

    /** The message of the validator behind its place. */
    public static String placed(CalciteContextException at) {
        Throwable cause = at.getCause();
        String what = cause == null ? line(at) : line(cause);
        return at.getPosLine() == 0 ? what : place(at.getPosLine(), at.getPosColumn()) + what;
    }
}
