package io.sdds.sim.plan;

import io.sdds.core.model.Conversion;
import io.sdds.core.model.Parity;
import io.sdds.sim.plan.ClusterPlan.Severity;
import io.sdds.sim.world.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Draws plans with parity groups that combine what {@link ParityPlan} draws in different plans. */
public final class CombinedParityPlan {
    private static final int COMBINATIONS = 106;
    private static final long MILLI = 1_000_000L;
    private static final long LEASE_NANOS_MIN = 300 * MILLI;
    private static final long LEASE_NANOS_MAX = 1_500 * MILLI;
    private static final long PAUSE_NANOS_MAX = 3_000 * MILLI;
    private static final int PARITIES_MOST = 3;
    private static final int SPARES_MAX = 3;
    private static final Parity WIDEST = new Parity(Parity.COLUMNS_MAX, 1);

    private CombinedParityPlan() {}

    /** What a plan combines. */
    private enum Combination {
        GROWTH_AND_DRAINS,
        CONVERSION_AND_DRAINS,
        CONVERSION_AND_CUT_LINKS,
        WIDEST_GROUPS,
        CONVERSION_AND_ALTERATIONS,
        CONVERSION_AND_LOSSES,
        TWO_TABLES,
        LONG_PAUSE
    }

    /** The plan of a seed. The seeds take the combinations in turn. */
    static ClusterPlan draw(long seed, Severity most, int operations) {
        SplittableRandom random = new SplittableRandom(Trace.mix(seed, COMBINATIONS));
        Combination[] all = Combination.values();
        return switch (all[(int) Math.floorMod(seed, (long) all.length)]) {
            case GROWTH_AND_DRAINS -> withDrains(growing(seed, most, operations, random), most, random);
            case CONVERSION_AND_DRAINS -> withDrains(converted(seed, most, operations, random), most, random);
            case CONVERSION_AND_CUT_LINKS -> withCutLinks(converted(seed, most, operations, random), most, random);
            case WIDEST_GROUPS -> ofWidestGroups(ParityPlan.draw(seed, most, operations / 2));
            case CONVERSION_AND_ALTERATIONS -> withAlterations(converted(seed, most, operations, random), most, random);
            case CONVERSION_AND_LOSSES ->
                converted(seed, most, operations, random).withLostGroups(most, random);
            case TWO_TABLES -> ofTwoTables(seed, most, operations, random);
            case LONG_PAUSE -> withALongPause(growing(seed, most, operations, random), most, random);
        };
    }

    private static ClusterPlan growing(long seed, Severity most, int operations, SplittableRandom random) {
        return random.nextBoolean()
                ? ParityPlan.drawGrowing(seed, most, operations)
                : ParityPlan.drawGrowingRange(seed, most, operations);
    }

    private static ClusterPlan converted(long seed, Severity most, int operations, SplittableRandom random) {
        boolean ranges = random.nextBoolean();
        Conversion to = random.nextBoolean() ? Conversion.TO_PARITY : Conversion.TO_REPLICAS;
        ClusterPlan plan = ParityPlan.drawConverted(seed, most, operations, ranges, to);
        return ranges ? plan.ofRangeTable() : plan;
    }

    /** Bricks are more than the table needs, so that most drains are possible. */
    private static ClusterPlan withDrains(ClusterPlan plan, Severity most, SplittableRandom random) {
        return plan.with(plan.bricks() + random.nextInt(1, SPARES_MAX + 1), plan.memoryBytes(), plan.network())
                .withDrains(most, random);
    }

    private static ClusterPlan withCutLinks(ClusterPlan plan, Severity most, SplittableRandom random) {
        return most == Severity.CALM
                ? plan
                : plan.with(plan.faults()
                        .andBricksApart(random, ClusterPlan.names("b", plan.bricks()), plan.faultsNanos()));
    }

    private static ClusterPlan withAlterations(ClusterPlan plan, Severity most, SplittableRandom random) {
        int columns = plan.table().parity().columns();
        return plan.withAlterations(most, random, Math.min(PARITIES_MOST, plan.bricks() - columns));
    }

    private static ClusterPlan ofWidestGroups(ClusterPlan plan) {
        int bricks = Math.max(plan.bricks(), WIDEST.bricks() + 1);
        return plan.with(bricks, plan.memoryBytes(), plan.network())
                .with(plan.faults().withoutAlterations())
                .with(plan.table().withPartitions(WIDEST.columns()).withParity(WIDEST));
    }

    /** A second table with parity groups, a hash table or a range table that splits, competes with the first one. */
    private static ClusterPlan ofTwoTables(long seed, Severity most, int operations, SplittableRandom random) {
        ClusterPlan plan = growing(seed, most, operations / 2, random);
        ClusterPlan other = growing(Trace.mix(seed, COMBINATIONS), Severity.CALM, operations / 2, random);
        List<TablePlan> tables = new ArrayList<>(plan.tables());
        tables.add(other.table()
                .withName("u")
                .withWorkload(other.table().workload().withoutCrowds()));
        return plan.with(Math.max(plan.bricks(), other.bricks()), plan.memoryBytes(), plan.network())
                .with(plan.faults().withoutAlterations())
                .with(tables);
    }

    /** A coordinator is paused for longer than sessions live. */
    private static ClusterPlan withALongPause(ClusterPlan plan, Severity most, SplittableRandom random) {
        long lease = random.nextLong(LEASE_NANOS_MIN, LEASE_NANOS_MAX);
        long pause = lease + random.nextLong(PAUSE_NANOS_MAX);
        ClusterPlan shorter = plan.withSessionLease(lease);
        return most == Severity.CALM
                ? shorter
                : shorter.with(shorter.faults().andALongPause(random, "c1", pause, shorter.faultsNanos()));
    }
}
