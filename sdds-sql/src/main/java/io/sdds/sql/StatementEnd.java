package io.sdds.sql;

import java.sql.SQLException;

/** A statement fails with an SQLState. */
final class StatementEnd extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String state;

    StatementEnd(String message, String state) {
        super(message);
        this.state = state;
    }

    StatementEnd(String message, String state, Throwable cause) {
        super(message, cause);
        this.state = state;
    }

    /** The end of a statement that has taken effect in part. */
    static StatementEnd after(RuntimeException failure, String effect) {
        SQLException known = SqlErrors.translated(failure);
        return new StatementEnd(known.getMessage() + "; " + effect, String.valueOf(known.getSQLState()), failure);
    }

    String state() {
        return state;
    }
}
