package io.sdds.sim.plan;

import io.sdds.core.model.Conversion;
import io.sdds.core.model.Parity;
import io.sdds.core.model.SplitPolicy;
import io.sdds.sim.plan.ClusterPlan.Severity;
import io.sdds.sim.world.Trace;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Draws plans with a table that has parity groups. The table splits and merges if the plan says so. Bricks crash if the
 * severity says so, as long as each group can decode what it lacks. Bricks have enough memory but for a time. In half
 * of all plans the table is emptied and filled again, and in half of them it is cleared now and then. In half of all
 * plans the number of parities changes. In half of all plans the table asks for a number of parities for writes.
 *
 * <p>A range table is only cleared if its values are so short that one request clears all. A clear of several requests
 * may remove a key twice that is put between them, which the checkers take for wrong.
 */
final class ParityPlan {
    private static final int PARITY = 94;
    private static final int SQUEEZES = 95;
    private static final int CRASHES = 96;
    private static final int DRAINS = 98;
    private static final int LOST_GROUPS = 100;

    /** In which a client hears of a loss, and that it was accepted, also of coordinators that are slow to answer. */
    private static final long LOSS_TOLD_NANOS = 5_000_000_000L;

    private static final int SEEDS_A_RANGE = 4;
    private static final int SEEDS_A_GROWING_ONE = 4;
    private static final int SEEDS_A_DRAINED_ONE = 4;
    private static final int LOSSES_IN_TURN = 104;
    private static final long REBALANCE_NANOS_MIN = 10_000_000L;
    private static final long REBALANCE_NANOS_MAX = 2_000_000_000L;
    private static final int ALTERATIONS = 99;
    private static final int CONVERSIONS = 101;
    private static final int REPLICAS_MAX = 3;
    private static final int SEEDS_AN_ALTERED_ONE = 2;
    private static final int SEEDS_A_QUORUM = 3;
    private static final int SPARES_MAX = 3;
    private static final int SEEDS_A_SQUEEZED_ONE = 3;
    /**
     * With long values a log of 1 MiB is usual, and a primary sends all of it again over a new link. A link that seems
     * to hold more than it may would be closed each time.
     */
    private static final int PENDING_SCALE_MAX = 4;

    /** More records than the clients write, so that no partition splits. */
    private static final long CAPACITY_THAT_LASTS = 1_000_000;

    private static final int GROWTH = 98;
    private static final int CAPACITY_MIN = 5;
    private static final int CAPACITY_MAX = 25;
    private static final int SPLITS_AT_ONCE_MAX = 4;

    private static final int FILLING = 105;
    private static final long FILLING_BYTES_MIN = 512L << 10;
    private static final int FILLING_VALUE_BYTES = 20_000;

    private static final int SIZES = 4;
    private static final int VALUE_BYTES = 100;

    private static final int MIN_PARITIES = 104;
    private static final int SEEDS_A_MIN = 2;

    private static final List<Parity> PARITIES =
            List.of(new Parity(2, 1), new Parity(2, 2), new Parity(4, 1), new Parity(4, 2));

    private static final List<Parity> GROWING_PARITIES = List.of(new Parity(2, 1), new Parity(2, 2), new Parity(4, 1));

    private ParityPlan() {}

    /** In every other seed the table asks for a number of parities for writes, from 0 to all of them. */
    private static Parity withMin(Parity parity, long seed) {
        SplittableRandom random = new SplittableRandom(Trace.mix(seed, MIN_PARITIES));
        return random.nextInt(SEEDS_A_MIN) > 0 ? parity : parity.withMinParities(random.nextInt(parity.parities() + 1));
    }

    /** The plan of a seed with a hash table, of which each group has all its columns. */
    static ClusterPlan draw(long seed, Severity most, int operations) {
        return draw(seed, most, operations, false);
    }

    /**
     * The plan of a seed with a hash table that splits several times. It begins with one full group or two, which are
     * small, so that most splits add a group.
     */
    static ClusterPlan drawGrowing(long seed, Severity most, int operations) {
        return drawGrowing(seed, most, operations, false);
    }

    /** The same with a range table. It begins with one partition. */
    static ClusterPlan drawGrowingRange(long seed, Severity most, int operations) {
        return drawGrowing(seed, most, operations, true).ofRangeTable();
    }

    private static ClusterPlan drawGrowing(long seed, Severity most, int operations, boolean range) {
        SplittableRandom random = new SplittableRandom(Trace.mix(seed, GROWTH));
        ClusterPlan plan = draw(seed, most, operations, range);
        Parity parity = withMin(GROWING_PARITIES.get(random.nextInt(GROWING_PARITIES.size())), seed);
        TablePlan table = plan.table()
                .withCapacity(random.nextLong(CAPACITY_MIN, CAPACITY_MAX + 1))
                .withSplit(SplitPolicy.DEFAULT.withAtOnce(random.nextInt(1, SPLITS_AT_ONCE_MAX + 1)))
                .withPartitions(parity.columns() * random.nextInt(1, 3))
                .withParity(parity);
        return plan.with(Math.max(plan.bricks(), parity.bricks()), plan.memoryBytes(), plan.network())
                .with(table);
    }

    /** The plan of a seed with a range table. It has a single partition, the first column of its group. */
    static ClusterPlan drawRange(long seed, Severity most, int operations) {
        return draw(seed, most, operations, true).ofRangeTable();
    }

    /**
     * The plan of a seed in which bricks are drained as well, and columns move soon to where there is more room. One of
     * four is of a range table. The bricks are more than a group needs, so that most drains are possible.
     */
    static ClusterPlan drawDrained(long seed, Severity most, int operations) {
        SplittableRandom random = new SplittableRandom(Trace.mix(seed, DRAINS));
        boolean ranges = random.nextInt(SEEDS_A_RANGE) == 0;
        ClusterPlan plan = ranges ? drawRange(seed, most, operations) : draw(seed, most, operations);
        int bricks = Math.max(plan.bricks(), plan.table().parity().bricks() + random.nextInt(1, SPARES_MAX + 1));
        return plan.with(bricks, plan.memoryBytes(), plan.network())
                .withRebalanceAfter(random.nextLong(REBALANCE_NANOS_MIN, REBALANCE_NANOS_MAX))
                .withDrains(most, random);
    }

    /**
     * The plan of a seed in which bricks die one after the other, each when the parity groups are repaired, and come
     * back together. In half of the seeds there are M + K bricks, else up to K more. One of four is of a range table,
     * and one of four grows. In one of four bricks are drained as well.
     */
    static ClusterPlan drawInTurn(long seed, Severity most, int operations) {
        SplittableRandom random = new SplittableRandom(Trace.mix(seed, LOSSES_IN_TURN));
        boolean ranges = random.nextInt(SEEDS_A_RANGE) == 0;
        boolean grows = random.nextInt(SEEDS_A_GROWING_ONE) == 0;
        ClusterPlan drawn = grows ? drawGrowing(seed, most, operations, ranges) : draw(seed, most, operations, ranges);
        List<Parity> wide = PARITIES.stream()
                .filter(parity -> parity.bricks()
                        >= BasePlan.draw(seed, most, operations, 1, false).bricks())
                .toList();
        Parity parity = wide.get(random.nextInt(wide.size()));
        int bricks = parity.bricks() + (random.nextBoolean() ? 0 : random.nextInt(parity.parities() + 1));
        ClusterPlan plan = (ranges ? drawn.ofRangeTable() : drawn).with(bricks, drawn.memoryBytes(), drawn.network());
        plan = plan.with(plan.table().withParity(parity)).with(plan.faults().withoutAlterations());
        if (most.crashesBricks()) {
            int lost = bricks - parity.columns();
            plan = plan.with(plan.faults().andLossesInTurn(random, lost, plan.faultsNanos()));
        }
        return most != Severity.CALM && random.nextInt(SEEDS_A_DRAINED_ONE) == 0 ? plan.withDrains(most, random) : plan;
    }

    /**
     * The plan of a seed in which parity groups lose more members than they can lack, if the severity lets bricks
     * crash, and nobody looks whether a crash costs records. One of four is of a range table. While a loss is not
     * accepted the parities of its group cannot be built, so writes must not need them if the operator comes late.
     */
    static ClusterPlan drawLost(long seed, Severity most, int operations) {
        SplittableRandom random = new SplittableRandom(Trace.mix(seed, LOST_GROUPS));
        boolean ranges = random.nextInt(SEEDS_A_RANGE) == 0;
        ClusterPlan drawn = ranges ? drawRange(seed, most, operations) : draw(seed, most, operations);
        WorkloadPlan workload = drawn.table().workload();
        long timeoutNanos = Math.max(workload.timeoutNanos(), LOSS_TOLD_NANOS);
        ClusterPlan plan = drawn.with(drawn.table().withWorkload(workload.withTimeoutNanos(timeoutNanos)));
        ClusterPlan lost = plan.withLostGroups(most, random);
        Parity parity = lost.table().parity();
        return lost.acceptsLossesLate() ? lost.with(lost.table().withParity(parity.withMinParities(0))) : lost;
    }

    /**
     * The plan of a seed with a table that begins without parity and is converted, or the other way round, and that
     * splits before and afterwards.
     */
    static ClusterPlan drawConverted(long seed, Severity most, int operations, boolean range, Conversion to) {
        SplittableRandom random = new SplittableRandom(Trace.mix(seed, CONVERSIONS));
        ClusterPlan plan = drawGrowing(seed, most, operations, range);
        Parity parity = plan.table().parity();
        int replicas = random.nextBoolean() ? 2 : random.nextInt(1, REPLICAS_MAX + 1);
        TablePlan table = plan.table()
                .withPartitions(random.nextInt(1, 2 * parity.columns() + 1))
                .thatConverts(to, replicas, parity);
        int needed = Math.max(parity.columns(), replicas) + parity.parities() + random.nextInt(SPARES_MAX);
        return plan.with(Math.max(plan.bricks(), needed), plan.memoryBytes(), plan.network())
                .with(plan.faults().withoutAlterations())
                .with(table);
    }

    /**
     * The plan of a seed in which bricks have little memory, some less than others, and less for a time. The table is a
     * hash table or a range table, and splits in every other seed.
     */
    static ClusterPlan drawFilling(long seed, Severity most, int operations) {
        SplittableRandom random = new SplittableRandom(Trace.mix(seed, FILLING));
        boolean grows = random.nextBoolean();
        boolean ranges = random.nextInt(SEEDS_A_RANGE) == 0;
        ClusterPlan plan = grows ? drawGrowing(seed, most, operations, ranges) : draw(seed, most, operations, ranges);
        plan = ranges ? plan.ofRangeTable() : plan;
        WorkloadPlan drawn = plan.table().workload();
        WorkloadPlan workload = ranges && drawn.sweeps() ? drawn : drawn.withValues(FILLING_VALUE_BYTES);
        int bricks = Math.max(plan.bricks(), plan.table().parity().bricks() + random.nextInt(SPARES_MAX + 1));
        return plan.with(
                        bricks,
                        (FILLING_BYTES_MIN << random.nextInt(3)) + random.nextLong(FILLING_BYTES_MIN),
                        plan.network())
                .with(plan.table().withWorkload(workload))
                .withSqueezes(most, random);
    }

    private static WorkloadPlan workload(WorkloadPlan base, SplittableRandom random, boolean range) {
        WorkloadPlan drawn =
                base.withLargeValues(VALUE_BYTES << 2 * random.nextInt(SIZES)).withoutCrowds();
        boolean mayBeCleared = !range || drawn.valueBytesMax() <= 2 * VALUE_BYTES;
        return random.nextBoolean() && mayBeCleared ? drawn.thatSweeps() : drawn;
    }

    private static ClusterPlan draw(long seed, Severity most, int operations, boolean range) {
        SplittableRandom random = new SplittableRandom(Trace.mix(seed, PARITY));
        SplittableRandom crashes = new SplittableRandom(Trace.mix(seed, CRASHES));
        int coordinators = most.crashesBricks() && crashes.nextInt(SEEDS_A_QUORUM) == 0 ? 3 : 1;
        ClusterPlan base = BasePlan.draw(seed, most, operations, coordinators, random.nextBoolean());
        Parity parity = withMin(PARITIES.get(random.nextInt(PARITIES.size())), seed);
        int columns = parity.columns();
        int partitions = range ? 1 : random.nextInt(columns, 3 * columns + 1);
        TablePlan table = base.table()
                .withSplit(SplitPolicy.DEFAULT)
                .withCapacity(CAPACITY_THAT_LASTS)
                .withPartitions(partitions)
                .withParity(parity)
                .withWorkload(workload(base.table().workload(), random, range));
        int bricks = parity.bricks() + (most.crashesBricks() ? crashes.nextInt(SPARES_MAX + 1) : 0);
        ClusterPlan plan = base.with(
                        Math.max(base.bricks(), bricks),
                        ClusterPlan.AMPLE_MEMORY_BYTES,
                        base.network().withPendingScaleAtMost(PENDING_SCALE_MAX))
                .with(table);
        if (most.crashesBricks()) {
            plan = plan.with(
                    plan.faults().andCrashes(crashes, ClusterPlan.names("b", plan.bricks()), plan.faultsNanos()));
        }
        SplittableRandom alterations = new SplittableRandom(Trace.mix(seed, ALTERATIONS));
        if (most != Severity.CALM && alterations.nextInt(SEEDS_AN_ALTERED_ONE) == 0) {
            int parities = Math.min(Parity.PARITIES_MAX, plan.bricks() - columns);
            plan = plan.withAlterations(most, alterations, parities);
        }
        SplittableRandom squeezes = new SplittableRandom(Trace.mix(seed, SQUEEZES));
        boolean isSqueezed = most != Severity.CALM && squeezes.nextInt(SEEDS_A_SQUEEZED_ONE) == 0;
        return isSqueezed ? plan.withSqueezes(most, squeezes) : plan;
    }
}
