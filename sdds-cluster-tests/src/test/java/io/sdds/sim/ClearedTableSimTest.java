package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.Coverage;
import io.sdds.sim.world.RareEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Whole clusters of the real nodes whose table is cleared while it grows or shrinks, and scanned with filters and in
 * several sittings.
 */
class ClearedTableSimTest {
    private static final int NEW_SEEDS = 60;

    @Test
    void aTableThatIsClearedStaysLinearizable() {
        Coverage coverage = new ClusterSeeds(Scenario.CLEARING, null)
                .runUntil(List.of(), NEW_SEEDS, RareEvent.CLEARED, RareEvent.SCAN_RESUMED);
        assertThat(coverage.missing()).doesNotContain(RareEvent.CLEARED, RareEvent.SCAN_RESUMED);
    }

    @Test
    void theSameSeedIsTheSameRun() {
        ClusterSeeds seeds = new ClusterSeeds(Scenario.CLEARING, ClusterPlan.Severity.ALL);
        for (long seed = 1; seed <= 3; seed++) {
            assertThat(seeds.run(seed, planted -> {})).isEqualTo(seeds.run(seed, planted -> {}));
        }
    }
}
