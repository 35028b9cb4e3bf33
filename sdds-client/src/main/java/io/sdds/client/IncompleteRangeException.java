package io.sdds.client;

import io.sdds.client.internal.routing.Failure;
import java.util.List;

/** A scan, count or clear could not reach all of the table. What was delivered before is right, but not all there is. */
public final class IncompleteRangeException extends SddsException {
    private static final long serialVersionUID = 1;

    private static final int NAMED_MAX = 4;

    private final List<String> missing;

    private IncompleteRangeException(String message, List<String> missing, SddsException cause) {
        super(message, cause.isOutcomeUnknown(), cause, false);
        this.missing = missing;
    }

    static SddsException of(Failure failure, List<String> missing) {
        SddsException cause = SddsException.of(failure);
        if (cause instanceof NoSuchTableException || cause instanceof ProtocolException) {
            return cause;
        }
        String named = String.join(", ", missing.subList(0, Math.min(NAMED_MAX, missing.size())));
        String more = missing.size() > NAMED_MAX ? " and " + (missing.size() - NAMED_MAX) + " more" : "";
        return new IncompleteRangeException(failure.text() + "; missing: " + named + more, List.copyOf(missing), cause);
    }

    /**
     * What was not reached: of a hash table intervals of its scan order, each in hexadecimal as {@code from-end}; of a range table ranges of keys, each as {@code (from, to]},
     * with a square bracket beside what is part of it.
     */
    public List<String> missing() {
        return missing;
    }
}
