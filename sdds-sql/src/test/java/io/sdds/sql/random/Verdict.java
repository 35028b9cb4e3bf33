package io.sdds.sql.random;

import io.sdds.sql.random.Answer.Failure;
import io.sdds.sql.random.Answer.Rows;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/** How an answer of SDDS compares with the judge's. */
enum Verdict {
    /** The same rows, or an error of both. */
    EQUAL,
    /** The judge does not take the statement: the generator should not draw it. */
    NOT_JUDGED,
    WRONG_ROWS,
    /** Rows where the judge has an error. */
    NO_ERROR,
    /** SDDS says that it does not support the statement, or that it is too large. */
    REFUSED,
    /** Any other error where the judge has rows. */
    FAILED;

    private static final int DIGITS = 6;

    /** The digits that every double keeps. */
    private static final MathContext DOUBLE = new MathContext(15);

    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(\\.[0-9]+)?");

    boolean isFault() {
        return this == WRONG_ROWS || this == NO_ERROR || this == FAILED;
    }

    static Verdict of(Answer judge, Answer answer, boolean isOrdered) {
        if (judge instanceof Failure failure) {
            if (!failure.state().startsWith("22")
                    && !failure.state().startsWith("23")
                    && !failure.state().equals("21000")) {
                return NOT_JUDGED;
            }
            return answer instanceof Failure other ? ofFailures(other) : NO_ERROR;
        }
        if (answer instanceof Failure failure) {
            return isRefusal(failure) ? REFUSED : FAILED;
        }
        return areEqual((Rows) judge, (Rows) answer, isOrdered) ? EQUAL : WRONG_ROWS;
    }

    /** An error that no user expects is none of the judge's. */
    private static Verdict ofFailures(Failure answer) {
        return isRefusal(answer) ? REFUSED : answer.state().startsWith("2") ? EQUAL : FAILED;
    }

    private static boolean isRefusal(Failure failure) {
        return failure.state().startsWith("0A") || failure.state().equals("54000");
    }

    static boolean areEqual(Rows expected, Rows actual, boolean isOrdered) {
        if (expected.count() != actual.count()
                || expected.values().size() != actual.values().size()) {
            return false;
        }
        List<List<String>> one = comparable(expected.values(), isOrdered);
        List<List<String>> other = comparable(actual.values(), isOrdered);
        for (int k = 0; k < one.size(); k++) {
            if (!areEqualRows(one.get(k), other.get(k))) {
                return false;
            }
        }
        return true;
    }

    private static List<List<String>> comparable(List<List<String>> rows, boolean isOrdered) {
        List<List<String>> all = new ArrayList<>(rows);
        if (!isOrdered) {
            all.sort(Comparator.comparing((List<String> row) ->
                            row.stream().map(Verdict::rounded).toList().toString())
                    .thenComparing(List::toString));
        }
        return all;
    }

    private static boolean areEqualRows(List<String> one, List<String> other) {
        if (one.size() != other.size()) {
            return false;
        }
        for (int k = 0; k < one.size(); k++) {
            if (!areEqualValues(one.get(k), other.get(k))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Quotients and averages have more digits in one database than in another. PostgreSQL has those of large numbers
     * without a fraction.
     */
    private static boolean areEqualValues(String one, String other) {
        boolean hasFraction = one.indexOf('.') >= 0 || other.indexOf('.') >= 0;
        return one.equals(other) || hasFraction && rounded(one).equals(rounded(other));
    }

    private static String rounded(String value) {
        if (!NUMBER.matcher(value).matches()) {
            return value;
        }
        BigDecimal number = new BigDecimal(value).round(DOUBLE).setScale(DIGITS, RoundingMode.HALF_UP);
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }
}
