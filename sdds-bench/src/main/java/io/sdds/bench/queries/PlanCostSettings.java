package io.sdds.bench.queries;

import io.sdds.bench.load.Setting;
import io.sdds.bench.load.Settings;
import java.time.Duration;

/** Settings of the measurement of what parts of plans cost. */
public record PlanCostSettings(
        @Setting("--table PREFIX: Set the prefix of the table names. The command drops the tables.")
        String table,

        @Setting("--rows N: Set the number of rows of a large table.")
        int rows,

        @Setting("--rounds N: Set the number of rounds.") int rounds,

        @Setting("--warmup TIME: Set the warm-up time of each statement.")
        Duration warmup) {
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
        Settings.requireWithin("rows", rows, ROWS_MIN, ROWS_MAX);
        Settings.requireWithin("rounds", rounds, 1, ROUNDS_MAX);
        Settings.requireWithin("warmup in ms", warmup.toMillis(), 0, Integer.MAX_VALUE);
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
