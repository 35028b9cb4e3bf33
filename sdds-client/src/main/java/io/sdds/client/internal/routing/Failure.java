package io.sdds.client.internal.routing;

/**
 * The reason why an operation failed. The public API converts it to an exception.
 *
 * @param outcomeUnknown whether it was a write of which a copy may have taken effect
 */
public record Failure(Kind kind, String text, boolean outcomeUnknown) {

    /** The kinds of failures. Each kind has its exception in the public API. */
    public enum Kind {
        TIMEOUT,
        OVERLOADED,
        /** The client refused the operation because its window is full. */
        WINDOW_FULL,
        UNAVAILABLE,
        /** A partition is lost with the only memory that held it, so that retries do not help. */
        LOST,
        NO_SUCH_TABLE,
        TABLE_EXISTS,
        MEMORY_FULL,
        NOT_A_NUMBER,
        STALE_REQUEST,
        /** A value that a query uses is an error. */
        QUERY_FAILED,
        PROTOCOL
    }

    /** A failure of an operation that certainly had no effect. */
    static Failure of(Kind kind, String text) {
        return new Failure(kind, text, false);
    }
}
