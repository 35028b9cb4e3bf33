package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.sdds.core.LogLines;
import io.sdds.sim.plan.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The source of each migration logs one line of what it has cost. */
class MigrationLinesSimTest {
    private static final long FIRST_SEED = 7000000L;
    private static final String COST =
            " is \\w+: [0-9]+ bytes, [0-9]+ records in [0-9]+ rounds, writes waited [0-9]+ us, "
                    + "[0-9]+ us at most, [0-9]+ requests parked, [0-9]+ refused, [0-9]+ time-outs";

    @Test
    void splitsMergesAndLearnersTellTheirCost() {
        assertThat(lines(Scenario.SHRINKING)).anyMatch(line -> line.matches("SPLIT .*" + COST));
        List<String> ofGroups = lines(Scenario.REPLICATED_SHRINKING);
        assertThat(ofGroups).anyMatch(line -> line.matches("SPLIT .*" + COST));
        assertThat(ofGroups).anyMatch(line -> line.matches("MERGE .*" + COST));
        assertThat(lines(Scenario.DRAINED)).anyMatch(line -> line.matches("LEARNER .*" + COST));
    }

    private static List<String> lines(Scenario scenario) {
        try (LogLines kept = LogLines.of("io.sdds.brick.migration", Level.DEBUG)) {
            for (long seed = FIRST_SEED; seed < FIRST_SEED + 3; seed++) {
                new ClusterSeeds(scenario, null, 600).run(seed, cluster -> {});
            }
            return kept.texts();
        }
    }
}
