package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sdds.sim.cluster.SimBrick;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.plan.ClusterPlan;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Bricks of a simulated cluster get partitions by their weights. */
class BrickWeightsSimTest {
    private static final int PARTITIONS = 40;
    private static final int OPERATIONS = 20;
    private static final long LOOK_NANOS = 1_000_000L;

    /** Partitions are whole, and bricks take turns. */
    private static final double ROUNDING = 1.5;

    private static boolean differ(ClusterPlan plan) {
        return ClusterPlan.names("b", plan.bricks()).stream()
                        .mapToInt(plan::weight)
                        .distinct()
                        .count()
                > 1;
    }

    /** The partitions that each brick has when it has any. */
    private static Map<String, Integer> placed(ClusterPlan plan) {
        Map<String, Integer> placed = new TreeMap<>();
        ClusterRun.of(plan, cluster -> look(cluster, placed));
        return placed;
    }

    private static void look(SimCluster cluster, Map<String, Integer> placed) {
        cluster.bricks().forEach(brick -> placed.put(brick.name(), partitions(brick)));
        if (placed.values().stream().mapToInt(count -> count).sum() < PARTITIONS) {
            cluster.simulation().after(LOOK_NANOS, () -> look(cluster, placed));
        }
    }

    private static int partitions(SimBrick brick) {
        int[] count = new int[1];
        brick.nodes().forEach(node -> node.tables().forEach(partition -> count[0]++));
        return count[0];
    }

    @Test
    void partitionsOfANewTableFollowTheWeights() {
        ClusterPlan plan = LongStream.range(1, 20)
                .mapToObj(seed -> ClusterPlan.draw(seed, ClusterPlan.Severity.CALM, OPERATIONS))
                .map(ClusterPlan::thatQueriesRows)
                .filter(each -> differ(each) && !each.mayFill())
                .findFirst()
                .orElseThrow();
        Map<String, Integer> placed = placed(plan.with(plan.table().withPartitions(PARTITIONS)));
        placed.values().removeIf(count -> count == 0); // a brick that came later
        assertThat(placed).hasSizeGreaterThan(1);
        int weights = placed.keySet().stream().mapToInt(plan::weight).sum();
        placed.forEach((brick, count) -> assertThat((double) count)
                .as("partitions of %s of weight %d in %s", brick, plan.weight(brick), plan)
                .isCloseTo((double) PARTITIONS * plan.weight(brick) / weights, within(ROUNDING)));
    }
}
