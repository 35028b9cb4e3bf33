package io.sdds.client.internal;

import io.sdds.client.IncompleteRangeException;
import io.sdds.client.MemoryFullException;
import io.sdds.client.NoSuchTableException;
import io.sdds.client.NotANumberException;
import io.sdds.client.OverloadedException;
import io.sdds.client.ProtocolException;
import io.sdds.client.QueryException;
import io.sdds.client.SddsException;
import io.sdds.client.StaleRequestException;
import io.sdds.client.TableExistsException;
import io.sdds.client.TimeoutException;
import io.sdds.client.UnavailableException;
import io.sdds.client.WindowFullException;
import io.sdds.client.internal.routing.Failure;
import java.util.List;

/** Converts the failures that the client's logic reports to the exceptions that applications see. */
public final class Failures {
    /** The message of a refusal because the window is full. */
    static final String WINDOW_FULL = "this client's window is full";

    private static final int NAMED_MAX = 4;

    private Failures() {}

    /** The exception of a failed operation. */
    public static SddsException exception(Failure failure) {
        String text = failure.text();
        boolean unknown = failure.outcomeUnknown();
        return switch (failure.kind()) {
            case TIMEOUT -> new TimeoutException(text, unknown);
            case OVERLOADED -> new OverloadedException(text, unknown);
            case WINDOW_FULL -> new WindowFullException(text);
            case UNAVAILABLE -> new UnavailableException(text, unknown);
            case LOST -> new UnavailableException(text, unknown, true);
            case NO_SUCH_TABLE -> new NoSuchTableException(text, unknown);
            case TABLE_EXISTS -> new TableExistsException(text, unknown);
            case MEMORY_FULL -> new MemoryFullException(text, unknown);
            case NOT_A_NUMBER -> new NotANumberException(text, unknown);
            case QUERY_FAILED -> new QueryException(text);
            case STALE_REQUEST -> new StaleRequestException(text, unknown);
            case PROTOCOL -> new ProtocolException(text, unknown);
        };
    }

    /**
     * The exception of a query that could not reach everything.
     *
     * @param missing the parts of the table that were not reached
     */
    public static SddsException incomplete(Failure failure, List<String> missing) {
        SddsException cause = exception(failure);
        if (cause instanceof NoSuchTableException
                || cause instanceof ProtocolException
                || cause instanceof QueryException) {
            return cause;
        }
        String named = String.join(", ", missing.subList(0, Math.min(NAMED_MAX, missing.size())));
        String more = missing.size() > NAMED_MAX ? " and " + (missing.size() - NAMED_MAX) + " more" : "";
        return new IncompleteRangeException(failure.text() + "; missing: " + named + more, missing, cause);
    }
}
