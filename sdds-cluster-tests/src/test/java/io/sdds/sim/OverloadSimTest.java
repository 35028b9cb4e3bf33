package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.plan.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Clusters that are offered far more than they can do. Every run is held to what all runs are: accepted and refused are
 * what was offered, no queue is over its bound, every request is answered, and what was answered is linearizable.
 */
class OverloadSimTest {
    private static final List<Long> SEEDS =
            LongStream.rangeClosed(1, 40).boxed().toList();
    private static final int NEW_SEEDS = 100;

    @Test
    void overloadedClustersRefuseAndForgetNothing() {
        ClusterSeeds seeds = new ClusterSeeds(Scenario.OVERLOADED, null);
        long refused = ClusterSeeds.each(seeds.newSeeds(SEEDS, NEW_SEEDS), seed -> {
                    List<SimCluster> clusters = new ArrayList<>();
                    seeds.run(seed, clusters::add);
                    return refused(clusters.get(0));
                })
                .stream()
                .mapToLong(Long::longValue)
                .sum();
        assertThat(refused).isGreaterThan(Scenario.OVERLOADED.operations());
    }

    private static long refused(SimCluster cluster) {
        return cluster.bricks().stream()
                .flatMap(brick -> brick.nodes().stream())
                .mapToLong(node -> node.stage().refused())
                .sum();
    }
}
