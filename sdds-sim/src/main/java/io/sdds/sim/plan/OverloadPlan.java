package io.sdds.sim.plan;

import io.sdds.core.stage.StageLimits;
import io.sdds.sim.world.ServiceTimes;
import io.sdds.sim.world.Trace;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Runs in which bricks are offered far more than they can do: tiny queues, slow bricks, many closed loops that hardly
 * think.
 */
public final class OverloadPlan {
    private static final long MILLI = 1_000_000L;

    private OverloadPlan() {}

    /** The plan of a seed. Faults and the rest of the cluster are as in its plan without overload. */
    public static ClusterPlan draw(long seed, ClusterPlan.Severity severity, int operations) {
        ClusterPlan usual = ClusterPlan.draw(seed, severity, operations);
        SplittableRandom random = new SplittableRandom(Trace.mix(seed, 0x0ad));
        return usual.with(draft -> {
            draft.work = ServiceTimes.DEFAULT.times(random.nextInt(20, 60));
            draft.limits = limits(random);
            draft.tables =
                    List.of(usual.table().withWorkload(crowd(usual.table().workload(), random)));
        });
    }

    private static StageLimits limits(SplittableRandom random) {
        StageLimits limits = new StageLimits(
                random.nextInt(1, 12),
                random.nextInt(2 << 10, 64 << 10),
                random.nextLong(MILLI, 50 * MILLI),
                random.nextLong(MILLI / 10, MILLI),
                random.nextLong(MILLI, 20 * MILLI),
                random.nextInt(1, 8),
                random.nextInt(1, 5),
                random.nextInt(1, 8));
        return limits.withResultBytesMax(limits.queueBytesMax());
    }

    private static WorkloadPlan crowd(WorkloadPlan usual, SplittableRandom random) {
        int lanes = random.nextInt(20, 80);
        // With fewer hot keys a key sees more at once than its orders can be searched for.
        int hotKeys = Math.max(usual.hotKeys(), lanes / 2);
        return usual.with(draft -> {
            draft.lanes = lanes;
            draft.hotKeys = hotKeys;
            draft.thinkNanosMean = random.nextLong(1_000, MILLI);
            draft.valueBytesMax = Math.min(usual.valueBytesMax(), 2000);
            draft.windowRequests = random.nextInt(3) == 0 ? random.nextInt(8, lanes) : 1024;
        });
    }
}
