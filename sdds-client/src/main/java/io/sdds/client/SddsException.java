package io.sdds.client;

import org.jspecify.annotations.Nullable;

/**
 * An operation failed. The message is one line that says what failed, where, and whether a write may have taken effect.
 *
 * <pre>{@code
 * try {
 *     table.put("a", "1");
 * } catch (SddsException e) {
 *     if (e.isOutcomeUnknown()) { // the put may have taken effect: read, or put the same value again
 *         table.put("a", "1");
 *     }
 * }
 * }</pre>
 */
public abstract sealed class SddsException extends RuntimeException
        permits CodecException,
                IncompleteChangeException,
                IncompleteRangeException,
                MemoryFullException,
                NoSuchTableException,
                NotANumberException,
                OverloadedException,
                ProtocolException,
                QueryException,
                RecordTooLargeException,
                StaleRequestException,
                TableExistsException,
                TimeoutException,
                UnavailableException {
    private static final long serialVersionUID = 1;

    private final boolean outcomeUnknown;

    /**
     * Without a stack trace, because most failures come about on the loop. A thread that waits for the operation adds
     * its own stack.
     */
    SddsException(String message, boolean outcomeUnknown) {
        this(message, outcomeUnknown, null, false);
    }

    SddsException(String message, boolean outcomeUnknown, @Nullable Throwable cause, boolean withStack) {
        super(message, cause, true, withStack);
        this.outcomeUnknown = outcomeUnknown;
    }

    /**
     * Whether a write may have taken effect, or may yet take effect. If false, the write certainly has had no effect
     * and will have none.
     */
    public boolean isOutcomeUnknown() {
        return outcomeUnknown;
    }
}
