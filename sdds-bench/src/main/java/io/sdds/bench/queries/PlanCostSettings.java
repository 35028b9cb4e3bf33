package io.sdds.bench.queries;

import java.time.Duration;

/**
 * Settings of the measurement of what parts of plans cost.
 *
 * @param table prefix of the names of the tables, which are created and dropped
 * @param rows rows of a large table
 * @param rounds rounds of all statements in turn, of which the medians are taken
 * @param warmup time of each statement before the rounds
 */
public record PlanCostSettings(String table, int rows, int rounds, Duration warmup) {
    private static final int ROWS_MIN = 1_000;
    private static final int ROWS_MAX = 10_000_000;
    private static final int ROUNDS_MAX = 1_000;
    private static final int QUICK_ROWS = 5_000;

    private static final PlanCostSettings DEFAULTS =
            new PlanCostSettings("bench-costs", 200_000, 7, Duration.ofSeconds(3));

    /**
     * Checks the settings.
     *
     * @throws IllegalArgumentException if a setting is out of range; the message names setting, value and range
     */
    public PlanCostSettings {
        QuerySettings.requireWithin("rows", rows, ROWS_MIN, ROWS_MAX);
        QuerySettings.requireWithin("rounds", rounds, 1, ROUNDS_MAX);
        if (warmup.isNegative()) {
            throw new IllegalArgumentException("warmup of " + warmup.toMillis() + " ms is negative");
        }
    }

    /** Tables of 200,000 rows, seven rounds. */
    public static PlanCostSettings defaults() {
        return DEFAULTS;
    }

    /** Settings of a measurement that ends within seconds. Its figures mean little. */
    public PlanCostSettings quick() {
        return new PlanCostSettings(table, Math.min(rows, QUICK_ROWS), Math.min(rounds, 2), Duration.ZERO);
    }
}
