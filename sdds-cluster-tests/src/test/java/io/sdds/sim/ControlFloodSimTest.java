package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.core.stage.ControlLimits;
import io.sdds.core.stage.StageLimits;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.SimulationFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Clusters with a client that floods them with control requests. Every run is held to what all runs are; the others'
 * requests are answered as ever.
 */
class ControlFloodSimTest {
    private static final List<Long> SEEDS = LongStream.rangeClosed(1, 6).boxed().toList();
    private static final long FLOOD_NANOS = 1_000_000_000L;
    private static final int OPERATIONS = 300;

    @Test
    void aFloodOfControlRequestsIsBoundedAndOthersAreServedBesideIt() {
        ClusterSeeds seeds = new ClusterSeeds(Scenario.GROWING, ClusterPlan.Severity.CALM, OPERATIONS);
        List<Flooder> flooders = ClusterSeeds.each(SEEDS, seed -> {
            List<Flooder> flooder = new ArrayList<>();
            seeds.run(seed, cluster -> flooder.add(Flooder.of(cluster, FLOOD_NANOS)));
            return flooder.get(0);
        });
        assertThat(flooders).allSatisfy(flooder -> {
            assertThat(flooder.answered()).isPositive();
            assertThat(flooder.refused()).isPositive();
        });
    }

    /** A planted bug: a brick that lets everything wait. */
    @Test
    void aQueueOfControlRequestsWithoutABoundIsFound() {
        ControlLimits none = new ControlLimits(1 << 30, 1 << 30, 16 << 10, 16, 64 << 10, 5, 20_000_000L);
        ClusterPlan plan = new ClusterSeeds(Scenario.GROWING, ClusterPlan.Severity.CALM, OPERATIONS).plan(1);
        assertThatThrownBy(() -> ClusterRun.of(plan, cluster -> {
                    cluster.limits(StageLimits.DEFAULT.withControl(none));
                    Flooder.of(cluster, FLOOD_NANOS);
                }))
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("control requests of clients waited at");
    }
}
