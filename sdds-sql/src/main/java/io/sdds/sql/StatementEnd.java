package io.sdds.sql;

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

    String state() {
        return state;
    }
}
