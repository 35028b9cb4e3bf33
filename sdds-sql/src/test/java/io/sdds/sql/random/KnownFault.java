package io.sdds.sql.random;

import org.jspecify.annotations.Nullable;

/**
 * Kinds of statements that SDDS does not run though PostgreSQL does, and whose errors do not say so by their state.
 * Each stands in docs/sql.md, Not supported. A kind that no recorded statement meets any more is to be taken out.
 */
enum KnownFault {
    OUTER_COLUMN_OF_A_GROUPED_SUBQUERY("is not being grouped"),
    DATE_PLUS_INTEGER("<DATE> + <INTEGER>");

    /** What the message of the error has. */
    private final String message;

    KnownFault(String message) {
        this.message = message;
    }

    /** The kind of an answer; null if it is none that is known. */
    static @Nullable KnownFault of(Answer answer) {
        if (answer instanceof Answer.Failure failure) {
            for (KnownFault kind : values()) {
                if (failure.message().contains(kind.message)) {
                    return kind;
                }
            }
        }
        return null;
    }
}
