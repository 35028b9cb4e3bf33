package io.sdds.sql.error;

import java.sql.SQLException;

/** A statement fails with an SQLState. */
public final class StatementEnd extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String state;

    public StatementEnd(String message, String state) {
        super(message);
        this.state = state;
    }

    public StatementEnd(String message, String state, Throwable cause) {
        super(message, cause);
        this.state = state;
    }

    /** The end of a statement that has taken effect in part. */
    public static StatementEnd after(RuntimeException failure, String effect) {
        SQLException known = SqlErrors.translated(failure);
        return new StatementEnd(known.getMessage() + "; " + effect, String.valueOf(known.getSQLState()), failure);
    }

    String state() {
        return state;
    }
}
