package io.sdds.client;

/**
 * A query or an update has no result, because a value that it uses is an error for some record: an overflow, a division
 * by zero, a cast that is not possible, a row that cannot be read, a value that does not fit its column. The message
 * names the error and the key of the record. Also a query that needs too much memory at the client fails so. The same
 * query fails again. A failed update has changed nothing.
 */
public final class QueryException extends SddsException {
    private static final long serialVersionUID = 1;

    /** Made by the client. */
    public QueryException(String message) {
        super(message, false);
    }
}
