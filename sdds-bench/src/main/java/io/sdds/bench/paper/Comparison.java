package io.sdds.bench.paper;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A figure of a paper beside the measured figure.
 *
 * @param what name of the figure
 * @param unit unit of the figure, for example {@code s}; {@code ×} for ratios
 * @param paper figure in the text of the paper; null if the text has none
 * @param ours measured figure
 * @param goal limit for the measured figure; null for none
 */
public record Comparison(
        String what,
        String unit,
        @Nullable Double paper,
        double ours,
        @Nullable Goal goal) {

    private static final int DECIMALS_MAX = 9;

    /** A limit for a figure. */
    public record Goal(Kind kind, double limit) {
        /** Side of the limit that meets the goal. */
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

    /** A figure that the paper does not have. */
    static Comparison of(String what, String unit, double ours) {
        return of(what, unit, null, ours);
    }

    Comparison atLeast(double limit) {
        return new Comparison(what, unit, paper, ours, new Goal(Goal.Kind.AT_LEAST, limit));
    }

    Comparison atMost(double limit) {
        return new Comparison(what, unit, paper, ours, new Goal(Goal.Kind.AT_MOST, limit));
    }

    /** Whether the measured figure meets the goal; true if there is no goal. */
    public boolean isMet() {
        return goal == null || goal.isMetBy(ours);
    }

    /** Formats a number with three significant digits, but always with all digits before the point. */
    public static String number(double value) {
        double size = Math.abs(value);
        int decimals = size == 0 ? 0 : Math.clamp(2 - (int) Math.floor(Math.log10(size)), 0, DECIMALS_MAX);
        String text = String.format(Locale.ROOT, "%,." + decimals + "f", value);
        return decimals == 0 ? text : text.replaceFirst("\\.?0+$", "");
    }
}
