package io.sdds.sim.plan;

import io.sdds.core.model.Conversion;
import io.sdds.core.model.Parity;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.TableKind;
import io.sdds.sim.world.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Draws plans with two or three tables, which compete for memory, stages and the coordinator. The tables are hash
 * tables and range tables. They shrink if the first table shrinks. With a table of replica groups there may be tables
 * of one copy.
 */
final class CompetingPlan {
    private static final int COMPETING = 93;
    private static final int FIRST_PLANS = 6;

    private CompetingPlan() {}

    /**
     * The plan of a seed. Faults and the rest of the cluster are as in the plan of its first table alone.
     *
     * @param operations twice the number of operations on each table
     */
    static ClusterPlan draw(long seed, ClusterPlan.Severity most, int operations) {
        SplittableRandom random = new SplittableRandom(Trace.mix(seed, COMPETING));
        int each = operations / 2;
        ClusterPlan plan = switch (random.nextInt(FIRST_PLANS)) {
            case 0 -> ClusterPlan.drawShrinking(seed, most, each);
            case 1 -> ClusterPlan.drawMoving(seed, most, each);
            case 2 -> ClusterPlan.drawReplicatedShrinking(seed, most, each);
            case 3 -> ClusterPlan.drawDrained(seed, most, each);
            case 4 -> ClusterPlan.drawFilling(seed, most, each);
            default -> ClusterPlan.drawQuorumGroups(seed, most, each);
        };
        List<TablePlan> tables = new ArrayList<>(plan.tables());
        tables.add(besides(plan, "u", random, each));
        if (random.nextBoolean()) {
            tables.add(besides(plan, "v", random, each));
        }
        return plan.with(tables);
    }

    private static TablePlan besides(ClusterPlan plan, String name, SplittableRandom random, int operations) {
        boolean mayShrink = plan.table().workload().shrinks();
        WorkloadPlan load = WorkloadPlan.draw(random, operations, plan.mayFill() ? 150_000 : 200)
                .withExpiry(random)
                .withoutCrowds();
        load = mayShrink && random.nextBoolean() ? load.thatShrinks() : load;
        load = random.nextInt(4) == 0 ? load.thatSweeps() : load;
        int replicas = random.nextBoolean() ? plan.table().replicas() : 1;
        int partitions = load.shrinks() ? 1 : random.nextInt(1, 4);
        TablePlan table = new TablePlan(
                name,
                TableKind.HASH,
                random.nextLong(20, 61),
                SplitPolicy.DEFAULT,
                replicas,
                Parity.NONE,
                partitions,
                load,
                Conversion.NONE);
        return random.nextBoolean() ? table.ofRanges() : table;
    }
}
