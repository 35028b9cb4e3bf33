package io.sdds.sim.planted;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.ClusterSeeds;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * A request that ends each brick that takes it: bricks are fail-stop, so their clients must not take it from one to the
 * next for ever.
 */
class PoisonSimTest {
    private static final int SEEDS = 12;

    /** A run in which it ends a third brick fails. */
    @Test
    void aRequestThatEndsEachBrickThatTakesItEndsTwoAndTheThirdCopyServes() {
        ClusterSeeds seeds = new ClusterSeeds(Scenario.REPLICATED, ClusterPlan.Severity.CALM);
        List<Long> patient = LongStream.range(1, 1000)
                .filter(seed -> Poison.isSurvivedIn(seeds.plan(seed)))
                .limit(SEEDS)
                .boxed()
                .toList();
        List<Poison> poisons = ClusterSeeds.each(patient, seed -> {
            List<Poison> poison = new ArrayList<>();
            seeds.run(seed, cluster -> poison.add(Poison.in(cluster)));
            return poison.get(0);
        });
        assertThat(poisons).anySatisfy(poison -> assertThat(poison.ended()).hasSize(2));
    }
}
