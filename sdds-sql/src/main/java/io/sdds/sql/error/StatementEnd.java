package io.sdds.sql.error;

import java.sql.SQLException;

/** A statement fails with an SQLState. */
public final class StatementEnd extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String state;
    private final boolean mayHaveWritten;

    public StatementEnd(String message, String state) {
        super(message);
        this.state = state;
        this.mayHaveWritten = false;
    }

    public StatementEnd(String message, String state, Throwable cause) {
        this(message, state, cause, false);
    }

    private StatementEnd(String message, String state, Throwable cause, boolean mayHaveWritten) {
        super(message, cause);
        this.state = state;
        this.mayHaveWritten = mayHaveWritten;
    }

    /**
     * The end of a statement that writes.
     *
     * @param written rows that were written
     * @param unknown rows that may have been written, or not
     */
    public static StatementEnd after(RuntimeException failure, long written, long unknown) {
        SQLException known = SqlErrors.translated(failure);
        String doubt = unknown == 0 ? "" : ", of " + unknown + " it is unknown";
        return new StatementEnd(
                known.getMessage() + "; " + written + " rows were written" + doubt,
                String.valueOf(known.getSQLState()),
                failure,
                written + unknown > 0);
    }

    /** Whether the statement that failed may have written rows: it must not run again. */
    public static boolean mayHaveWritten(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof StatementEnd end && end.mayHaveWritten) {
                return true;
            }
        }
        return false;
    }

    String state() {
        return state;
    }
}
