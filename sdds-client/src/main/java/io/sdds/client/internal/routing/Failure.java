package io.sdds.client.internal.routing;

/**
 * Why an operation did not end as asked; the public API makes an exception of it.
 *
 * @param outcomeUnknown it was a write, and a copy of it may have taken effect
 */
public record Failure(Kind kind, String text, boolean outcomeUnknown) {

    /** What there is an exception for. */
    public enum Kind {
        TIMEOUT,
        OVERLOADED,
        /** Refused at the client: its window is full. */
        WINDOW_FULL,
        UNAVAILABLE,
        /** Unavailable for good: a partition is lost with the only memory that held it. */
        LOST,
        NO_SUCH_TABLE,
        TABLE_EXISTS,
        MEMORY_FULL,
        NOT_A_NUMBER,
        STALE_REQUEST,
        PROTOCOL
    }

    /** A failure of what certainly had no effect, or of what could have none. */
    static Failure of(Kind kind, String text) {
        return new Failure(kind, text, false);
    }
}
