package io.sdds.sql.random;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Kinds of statements that PostgreSQL answers and SDDS does not. Each stands in docs/sql.md, What PostgreSQL takes
 * besides. The output of {@code RandomSqlTest} tells how often each is met: one that is no longer met is to be taken
 * out here.
 */
enum KnownFault {
    ROWS_IN_A_CORRELATED_SUBQUERY("Correlated IN/ANY/ALL with multiple columns"),
    PARAMETER_OF_NO_KNOWN_TYPE("<UNKNOWN>"),

    /** A number that is out of range in a part of the statement that only one of the two evaluates. */
    RANGE_SEEN_BY_ONE("22003"),

    /**
     * {@code COALESCE(1, a)} as a key of grouping sets: PostgreSQL 15 computes it to 1 before it groups, and has 1 in
     * totals, too, where the standard has NULL. {@code a <> FALSE} becomes {@code a}, so that a set that has the column
     * alone has lost it (seed 6023636).
     */
    KEY_COMPUTED_BEFORE_GROUPS("");

    private static final Pattern CONSTANT_KEY = Pattern.compile(
            "(ROLLUP|CUBE|GROUPING SETS) ?\\(.*(COALESCE\\((CAST\\()?['(0-9XDT-]|<> FALSE|= TRUE|FALSE <>|TRUE =)",
            Pattern.DOTALL);

    /** What the message of the error has, or its state. */
    private final String sign;

    KnownFault(String sign) {
        this.sign = sign;
    }

    /** The kind of a fault; null if it is none that is known. */
    static @Nullable KnownFault of(long seed, Statement statement, Answer judge, Answer answer) {
        boolean isOfOne = isOutOfRange(judge) && answer instanceof Answer.Rows
                || isOutOfRange(answer) && judge instanceof Answer.Rows;
        if (isOfOne && Generator.hasExtremes(seed, statement)) {
            return RANGE_SEEN_BY_ONE;
        }
        if (!(answer instanceof Answer.Failure failure)) {
            boolean isKey = CONSTANT_KEY.matcher(statement.text()).find();
            return isKey && judge instanceof Answer.Rows ? KEY_COMPUTED_BEFORE_GROUPS : null;
        }
        for (KnownFault kind : List.of(ROWS_IN_A_CORRELATED_SUBQUERY, PARAMETER_OF_NO_KNOWN_TYPE)) {
            if (failure.message().contains(kind.sign)) {
                return kind;
            }
        }
        return null;
    }

    private static boolean isOutOfRange(Answer answer) {
        return answer instanceof Answer.Failure failure && failure.state().equals(RANGE_SEEN_BY_ONE.sign);
    }
}
