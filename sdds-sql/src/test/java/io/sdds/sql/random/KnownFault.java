package io.sdds.sql.random;

import org.jspecify.annotations.Nullable;

/**
 * Kinds of statements that PostgreSQL answers and SDDS does not. Each stands in docs/sql.md, What PostgreSQL takes
 * besides. The output of {@code RandomSqlTest} tells how often each is met: one that is no longer met is to be taken
 * out here.
 */
enum KnownFault {
    ROWS_IN_A_CORRELATED_SUBQUERY("Correlated IN/ANY/ALL with multiple columns"),
    PARAMETER_OF_NO_KNOWN_TYPE("<UNKNOWN>");

    /** What the message of the error has, or the state of the judge's error where SDDS has none. */
    private final String sign;

    KnownFault(String sign) {
        this.sign = sign;
    }

    /** The kind of a fault; null if it is none that is known. */
    static @Nullable KnownFault of(Answer judge, Answer answer) {
        for (KnownFault kind : values()) {
            boolean isMet = answer instanceof Answer.Failure failure
                    ? failure.message().contains(kind.sign)
                    : judge instanceof Answer.Failure expected
                            && expected.state().equals(kind.sign);
            if (isMet) {
                return kind;
            }
        }
        return null;
    }
}
