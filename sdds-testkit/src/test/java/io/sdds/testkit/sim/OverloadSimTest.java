package io.sdds.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.testkit.sim.ClusterPlan.Severity;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Clusters that are offered far more than they can do. Every run is held to what all runs are: accepted and refused are what was offered, no queue is
 * over its bound, every request is answered, and what was answered is linearizable.
 */
class OverloadSimTest {
    private static final int OPERATIONS = 1500;
    private static final int SEEDS = 40;

    /** None by default: seed 251487222387 is open (docs/bugs-found.md). */
    private static final int NEW_SEEDS = 0;

    private static final int TRACE_LINES = 200;

    @Test
    void overloadedClustersRefuseAndForgetNothing() {
        long refused = 0;
        for (long seed : seeds()) {
            List<SimCluster> clusters = new ArrayList<>();
            ClusterPlan plan = OverloadPlan.draw(seed, Severity.of(seed), OPERATIONS);
            try {
                ClusterRun.of(plan, cluster -> {
                    cluster.simulation().trace().keepLines(Integer.getInteger("sdds.trace", TRACE_LINES));
                    clusters.add(cluster);
                });
            } catch (RuntimeException | AssertionError e) {
                String trace =
                        String.join("\n", clusters.get(0).simulation().trace().lines());
                throw new AssertionError(
                        e.getMessage() + "\n" + plan + "\n" + trace + "\nreplay with -Dsdds.seed=" + seed, e);
            }
            refused += clusters.get(0).bricks().stream()
                    .flatMap(brick -> brick.nodes().stream())
                    .mapToLong(node -> node.stage().refused())
                    .sum();
        }
        assertThat(refused).isGreaterThan(OPERATIONS);
    }

    private static List<Long> seeds() {
        Long only = Long.getLong("sdds.seed");
        if (only != null) {
            return List.of(only);
        }
        List<Long> seeds =
                new ArrayList<>(LongStream.rangeClosed(1, SEEDS).boxed().toList());
        SecureRandom random = new SecureRandom();
        for (int k = Integer.getInteger("sdds.seeds", NEW_SEEDS); k > 0; k--) {
            seeds.add(random.nextLong(1L << 40));
        }
        return seeds;
    }
}
