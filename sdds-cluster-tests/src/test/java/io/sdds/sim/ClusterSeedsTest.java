package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.planted.PlantedBug;
import io.sdds.sim.world.SimulationFailure;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ClusterSeedsTest {
    @Test
    void aFailureTellsItsSeedItsPlanAndItsLastLines() {
        ClusterSeeds seeds = new ClusterSeeds(Scenario.GROWING, ClusterPlan.Severity.ROUGH, 200);
        assertThatThrownBy(() -> seeds.run(
                        7,
                        cluster -> cluster.simulation().after(1_000_000_000L, () -> {
                            throw new SimulationFailure("what was planted");
                        })))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("what was planted")
                .hasMessageContaining("seed 7: ")
                .hasMessageContaining("Heartbeat[brick=")
                .hasMessageContaining("-Dsdds.seed=7 (it fails the same way each time)")
                .hasMessageContaining("shrunk: seed 7 with -Dsdds.operations=")
                .hasMessageContaining("-Dtest=ReplaySimTest -Dsdds.seed=7 -Dsdds.severity=ROUGH -Dsdds.drawn=200 ");
    }

    @Test
    void aPlantedBugIsShrunkToARunThatStillFails() {
        ClusterSeeds seeds = new ClusterSeeds(Scenario.GROWING, ClusterPlan.Severity.HARSH);
        long seed = LongStream.range(1, 1000)
                .filter(each -> failsWithoutFaults(seeds.plan(each)))
                .filter(PlantedBug.CONDITION_IGNORED::isCaughtBy)
                .findFirst()
                .orElseThrow();
        assertThat(seeds.plan(seed).faults().faults()).isNotEmpty();
        AssertionError failure =
                catchThrowableOfType(AssertionError.class, () -> seeds.run(seed, PlantedBug.CONDITION_IGNORED::plant));
        assertThat(failure)
                .hasMessageContaining("is not linearizable")
                .hasMessageContaining("made smaller in ")
                .hasMessageContaining("shrunk: seed " + seed + " with -Dsdds.operations=")
                .hasMessageContaining(" -Dsdds.faults=none");
        ClusterPlan shrunk = shrunk(failure.getMessage()).of(seeds.plan(seed));
        assertThat(shrunk.table().workload().operations())
                .isLessThan(seeds.plan(seed).table().workload().operations());
        assertThatThrownBy(() -> ClusterRun.of(shrunk, PlantedBug.CONDITION_IGNORED::plant))
                .isInstanceOf(SimulationFailure.class);
    }

    /** Whether the planted bug shows itself though nothing else goes wrong: then none of the faults is needed. */
    private static boolean failsWithoutFaults(ClusterPlan plan) {
        Reduction calm = Reduction.nothing(plan).withFaults(List.of());
        if (calm.equals(Reduction.nothing(plan))) {
            return false;
        }
        try {
            ClusterRun.of(calm.of(plan), PlantedBug.CONDITION_IGNORED::plant);
            return false;
        } catch (SimulationFailure e) {
            return true;
        }
    }

    /** What the message's command keeps of the plan. */
    private static Reduction shrunk(String message) {
        Matcher kept = Pattern.compile(
                        "shrunk: seed \\d+ with -Dsdds.operations=(\\d+) -Dsdds.clients=(\\d+) -Dsdds.faults=none")
                .matcher(message);
        assertThat(kept.find()).isTrue();
        return new Reduction(Integer.parseInt(kept.group(1)), Integer.parseInt(kept.group(2)), List.of());
    }
}
