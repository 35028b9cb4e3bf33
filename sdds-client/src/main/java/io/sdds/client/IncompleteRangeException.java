package io.sdds.client;

import java.util.ArrayList;
import java.util.List;

/**
 * A query, count or clear could not reach all of the table. The results that were delivered before are right, but more
 * may exist; a clear removed some of the records.
 */
public final class IncompleteRangeException extends SddsException {
    private static final long serialVersionUID = 1;

    private final ArrayList<String> missing;

    /**
     * An exception for the client, or for a test of an application.
     *
     * @param message one line that says what failed and what is missing
     * @param missing as {@link #missing} answers
     * @param cause why the missing parts could not be reached
     */
    public IncompleteRangeException(String message, List<String> missing, SddsException cause) {
        super(message, cause.isOutcomeUnknown(), cause, false);
        this.missing = new ArrayList<>(missing);
    }

    /**
     * The parts of the table that were not reached. Of a hash table these are intervals of the scan order, each in
     * hexadecimal as {@code from-end}. Of a range table these are ranges of keys, each as {@code (from, to]}, with a
     * square bracket beside a key that is part of the range.
     */
    public List<String> missing() {
        return List.copyOf(missing);
    }
}
