package io.sdds.sql.random;

import java.util.List;

/** What a database answers to a statement. */
sealed interface Answer {
    /**
     * Rows of a query, or of the table that a statement has changed.
     *
     * @param count the rows that the statement has changed; -1 of a query
     * @param values a list of texts for each row
     */
    record Rows(int count, List<List<String>> values) implements Answer {}

    /** An error. */
    record Failure(String state, String message) implements Answer {}
}
