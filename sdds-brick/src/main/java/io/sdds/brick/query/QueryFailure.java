package io.sdds.brick.query;

/** A program has no result, because of a row or because its result is too large. */
public final class QueryFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** @param message for people, with the key of the row */
    QueryFailure(String message) {
        super(message, null, false, false);
    }
}
