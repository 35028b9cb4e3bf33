package io.sdds.client;

import io.sdds.client.internal.routing.Failure;
import org.jspecify.annotations.Nullable;

/** Something did not go as asked. The message is one line that says what, where, and whether a write may have had its effect. */
public abstract class SddsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean outcomeUnknown;

    /** Without a stack: that of the loop, on which most of these come about, says nothing. Who waits for one adds its own. */
    SddsException(String message, boolean outcomeUnknown) {
        this(message, outcomeUnknown, null, false);
    }

    SddsException(String message, boolean outcomeUnknown, @Nullable Throwable cause, boolean withStack) {
        super(message, cause, true, withStack);
        this.outcomeUnknown = outcomeUnknown;
    }

    /** Whether a write may have taken effect, or may yet do so. False: it certainly has had no effect and will have none. */
    public boolean isOutcomeUnknown() {
        return outcomeUnknown;
    }

    static SddsException of(Failure failure) {
        String text = failure.text();
        boolean unknown = failure.outcomeUnknown();
        return switch (failure.kind()) {
            case TIMEOUT -> new TimeoutException(text, unknown);
            case OVERLOADED -> new OverloadedException(text, unknown);
            case UNAVAILABLE -> new UnavailableException(text, unknown);
            case LOST -> new UnavailableException(text, unknown, true);
            case NO_SUCH_TABLE -> new NoSuchTableException(text, unknown);
            case TABLE_EXISTS -> new TableExistsException(text, unknown);
            case MEMORY_FULL -> new MemoryFullException(text, unknown);
            case NOT_A_NUMBER -> new NotANumberException(text, unknown);
            case STALE_REQUEST -> new StaleRequestException(text, unknown);
            case PROTOCOL -> new ProtocolException(text, unknown);
        };
    }
}
