package io.sdds.bench.paper;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A number of the paper beside ours.
 *
 * @param what it is
 * @param unit {@code s}, {@code ×} for ratios, and so on
 * @param paper as it can be read in the paper's text; null when it can't
 * @param ours what was measured
 * @param goal what ours shall be; null when nothing is asked
 */
public record Comparison(
        String what,
        String unit,
        @Nullable Double paper,
        double ours,
        @Nullable Goal goal) {

    private static final int DECIMALS_MAX = 9;

    /** A limit that a figure shall keep. */
    public record Goal(Kind kind, double limit) {
        /** Which side of the limit is right. */
        public enum Kind {
            AT_LEAST("≥"),
            AT_MOST("≤");

            private final String sign;

            Kind(String sign) {
                this.sign = sign;
            }
        }

        boolean isMetBy(double figure) {
            return kind == Kind.AT_LEAST ? figure >= limit : figure <= limit;
        }

        /** {@code ≥ 100} */
        public String text() {
            return kind.sign + " " + number(limit);
        }
    }

    static Comparison of(String what, String unit, @Nullable Double paper, double ours) {
        return new Comparison(what, unit, paper, ours, null);
    }

    Comparison atLeast(double limit) {
        return new Comparison(what, unit, paper, ours, new Goal(Goal.Kind.AT_LEAST, limit));
    }

    Comparison atMost(double limit) {
        return new Comparison(what, unit, paper, ours, new Goal(Goal.Kind.AT_MOST, limit));
    }

    /** Whether ours is as it shall be; true when nothing is asked. */
    public boolean isMet() {
        return goal == null || goal.isMetBy(ours);
    }

    /** A number with three significant digits, or all of the digits before its point. */
    public static String number(double value) {
        double size = Math.abs(value);
        int decimals = size == 0 ? 0 : Math.clamp(2 - (int) Math.floor(Math.log10(size)), 0, DECIMALS_MAX);
        String text = String.format(Locale.ROOT, "%,." + decimals + "f", value);
        return decimals == 0 ? text : text.replaceFirst("\\.?0+$", "");
    }
}
