package io.sdds.sim.plan;

import io.sdds.core.model.SplitPolicy;
import io.sdds.core.stage.StageLimits;
import io.sdds.sim.world.ServiceTimes;
import io.sdds.sim.world.Trace;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Runs in which clients begin thousands of operations at once on a table that has just been created, which splits
 * meanwhile. Bricks are slow and have short queues, so they refuse requests. All operations can be done within their
 * timeout.
 */
final class BurstPlan {
    private static final long MILLI = 1_000_000L;
    private static final int BURST = 112;
    private static final int WINDOW_REQUESTS = 16_384;
    private static final int CLIENTS_MAX = 2;
    private static final int CAPACITY_MIN = 200;
    private static final int CAPACITY_MAX = 1_000;
    private static final int WORK_MIN = 40;
    private static final int WORK_MAX = 150;
    private static final int HOT_KEYS = 8;
    private static final long THINK_NANOS_MEAN = 1_000;
    private static final int VALUE_BYTES_MIN = 100;
    private static final int VALUE_BYTES_MAX = 2_000;

    private BurstPlan() {}

    /** The plan of a seed. Faults and the rest of the cluster are as in its plan without bursts. */
    static ClusterPlan draw(long seed, ClusterPlan.Severity severity, int operations) {
        SplittableRandom random = new SplittableRandom(Trace.mix(seed, BURST));
        ClusterPlan usual = usual(random.nextInt(3), seed, severity, operations);
        usual = random.nextInt(3) == 0 ? usual.ofRangeTable() : usual;
        TablePlan table = usual.table()
                .withSplit(SplitPolicy.DEFAULT)
                .withPartitions(usual.hasParity() ? usual.table().partitions() : 1);
        return usual.with(draft -> {
            draft.clients = random.nextInt(1, CLIENTS_MAX + 1);
            draft.memoryBytes = ClusterPlan.AMPLE_MEMORY_BYTES;
            draft.work = ServiceTimes.DEFAULT.times(random.nextInt(WORK_MIN, WORK_MAX));
            draft.limits = limits(random);
            draft.tables = List.of(table.withCapacity(random.nextInt(CAPACITY_MIN, CAPACITY_MAX))
                    .withWorkload(burst(table.workload(), random)));
        });
    }

    /** Queues that the first windows of a few clients fill. */
    private static StageLimits limits(SplittableRandom random) {
        return new StageLimits(
                random.nextInt(64, 512),
                random.nextInt(64 << 10, 1 << 20),
                random.nextLong(2 * MILLI, 15 * MILLI),
                random.nextLong(MILLI / 2, 2 * MILLI),
                random.nextLong(5 * MILLI, 50 * MILLI),
                random.nextInt(16, 256),
                random.nextInt(1, 4),
                random.nextInt(8, 64));
    }

    private static ClusterPlan usual(int copies, long seed, ClusterPlan.Severity severity, int operations) {
        return switch (copies) {
            case 0 -> ClusterPlan.draw(seed, severity, operations);
            case 1 -> ClusterPlan.drawReplicated(seed, severity, operations);
            default -> ParityPlan.drawGrowing(seed, severity, operations);
        };
    }

    /** Each client begins all of its operations at once. */
    private static WorkloadPlan burst(WorkloadPlan usual, SplittableRandom random) {
        return usual.with(draft -> {
            draft.lanes = usual.operations();
            draft.hotKeys = HOT_KEYS;
            draft.hotPercent = 0;
            draft.newPercent = random.nextInt(50, 101);
            draft.thinkNanosMean = THINK_NANOS_MEAN;
            draft.timeoutNanos = WorkloadPlan.PATIENCE_NANOS;
            draft.scanPermille = 0;
            draft.valueBytesMax = random.nextInt(VALUE_BYTES_MIN, VALUE_BYTES_MAX);
            draft.windowRequests = WINDOW_REQUESTS;
            draft.expiringPercent = 0;
            draft.ttlMillisMax = 0;
            draft.shrinks = false;
            draft.sweeps = false;
            draft.queries = WorkloadPlan.Queries.NONE;
        });
    }
}
