package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import org.junit.jupiter.api.Test;

/** The trace of a run can be read, also when the run passes. */
class TraceSimTest {
    @Test
    void theTraceOfASeedThatPassesTellsWhatGroupsAndCopiesSend() {
        ClusterSeeds seeds = new ClusterSeeds(Scenario.REPLICATED, ClusterPlan.Severity.CALM, 300);
        ReplaySimTest.Replay replay = ReplaySimTest.Replay.of(seeds, 1, planted -> {}, 1_000_000);
        assertThat(replay.trace().lines())
                .anyMatch(line -> line.matches(".* b\\d -> b\\d #\\d+ PREPARE t1 p\\d epoch .*: \\d+ PUT '.*' = .*"))
                .anyMatch(line -> line.matches(".* b\\d -> b\\d #\\d+ VOTE t1 p\\d epoch \\d+ verified .*"))
                .anyMatch(line ->
                        line.matches(".* SLICE migration \\d+/\\d+ to p\\d+ number \\d+, \\d+ records, .* bytes: .*"));
        assertThat(replay.outcome()).isEqualTo(seeds.run(1, planted -> {}));
    }
}
