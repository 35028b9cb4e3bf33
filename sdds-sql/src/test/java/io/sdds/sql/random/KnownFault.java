package io.sdds.sql.random;

import org.jspecify.annotations.Nullable;

/**
 * Kinds of statements that PostgreSQL answers and SDDS does not. Each stands in docs/sql.md, What PostgreSQL takes
 * besides. The output of {@code RandomSqlTest} tells how often each is met: one that is no longer met is to be taken
 * out here.
 */
enum KnownFault {
    OUTER_COLUMN_OF_A_GROUPED_SUBQUERY("is not being grouped"),
    INITCAP("the function INITCAP is not supported"),
    ROWS_IN_A_CORRELATED_SUBQUERY("Correlated IN/ANY/ALL with multiple columns"),
    LIMIT_OF_A_SCALAR_SUBQUERY("syntax error at or near \"SELECT\""),
    COLUMN_OF_USING("is ambiguous"),
    TEXT_PARAMETER_IN_A_FUNCTION("<UNKNOWN>"),
    WINDOW_ORDER_IN_DISTINCT("is not in the select clause"),
    WINDOW_BELOW_HAVING("Window expressions are not permitted in the HAVING clause"),
    DATES_AND_TIMESTAMPS_IN_BETWEEN("BETWEEN ASYMMETRIC"),
    DATES_AND_TIMESTAMPS_IN_A_LIST("Values in expression list must have compatible types");

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
