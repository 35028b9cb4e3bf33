package io.sdds.sim.plan;

import io.sdds.brick.group.Groups;
import io.sdds.coordinator.control.base.CoordinatorSettings;
import io.sdds.core.model.Conversion;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Shipping;
import io.sdds.core.model.SplitControl;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.Splitting;
import io.sdds.core.model.TableKind;
import io.sdds.core.stage.StageLimits;
import io.sdds.sim.plan.ClusterPlan.Severity;
import io.sdds.sim.world.NetworkModel;
import io.sdds.sim.world.ServiceTimes;
import io.sdds.sim.world.Trace;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Draws the plan that the plans of all scenarios begin with: one hash table of one copy. {@link ClusterPlan} changes it
 * for each scenario.
 */
final class BasePlan {
    private static final long MILLI = 1_000_000L;
    private static final int EXPIRY_DRAW = 78;
    private static final int VARIANT = 78;
    private static final int ELECTIONS = 79;
    private static final int STALL = 84;
    private static final int SEEDS_A_STALL = 4;
    private static final int STALLING_BYTES = 100_000;
    private static final int FLIPS = 86;
    private static final int SEEDS_A_FLIPPED_ONE = 4;
    private static final int STRANGERS = 87;
    private static final int SEEDS_A_STRANGE_ONE = 5;
    private static final int TAKE_OVERS = 323; // no kept seed draws a take-over
    private static final int SEEDS_A_TAKE_OVER = 6;

    private BasePlan() {}

    /**
     * Draws the plan.
     *
     * @param most upper limit of the severity of faults
     * @param operations number of operations of all clients together
     * @param shrinks whether the table grows, shrinks and grows again
     */
    static ClusterPlan draw(long seed, Severity most, int operations, int coordinators, boolean shrinks) {
        SplittableRandom random = new SplittableRandom(Trace.mix(seed, most.ordinal() + 1));
        SplitPolicy split = splitPolicy(new SplittableRandom(Trace.mix(seed, VARIANT)));
        int bricks = random.nextInt(3, 6);
        int clients = random.nextInt(2, 5);
        int stages = random.nextInt(4) == 0 ? 2 : 1;
        NetworkModel network =
                most == Severity.CALM || random.nextInt(5) == 0 ? NetworkModel.CALM : NetworkModel.draw(random);
        boolean littleMemory = random.nextInt(8) == 0;
        WorkloadPlan workload = WorkloadPlan.draw(random, operations, littleMemory ? 150_000 : 200)
                .withExpiry(new SplittableRandom(Trace.mix(seed, EXPIRY_DRAW)));
        workload = shrinks ? workload.thatShrinks() : workload;
        long faultsNanos = workload.expectedNanos(clients);
        FaultPlan.Victims victims = new FaultPlan.Victims(
                ClusterPlan.names("b", bricks),
                ClusterPlan.names("c", coordinators),
                ClusterPlan.names("client", clients));
        FaultPlan faults = most == Severity.CALM
                ? FaultPlan.NONE
                : FaultPlan.draw(
                        random,
                        victims,
                        faultsNanos,
                        most.ordinal() >= Severity.COORDINATOR_CRASHES.ordinal(),
                        most.crashesBricks());
        if (most.isHarsh()) {
            faults = faults.andHarsher(random, victims, faultsNanos);
            SplittableRandom stall = new SplittableRandom(Trace.mix(seed, STALL));
            if (stall.nextInt(SEEDS_A_STALL) == 0) {
                faults = faults.andAStall(stall, victims.clients(), faultsNanos);
                network = network.narrow();
                workload = workload.withLargeValues(STALLING_BYTES);
            }
        }
        SplittableRandom flips = new SplittableRandom(Trace.mix(seed, FLIPS));
        if (most != Severity.CALM && flips.nextInt(SEEDS_A_FLIPPED_ONE) == 0) {
            faults = faults.andFlips(flips, victims, faultsNanos);
        }
        SplittableRandom strangers = new SplittableRandom(Trace.mix(seed, STRANGERS));
        if (most != Severity.CALM && strangers.nextInt(SEEDS_A_STRANGE_ONE) == 0) {
            faults = faults.andStrangers(strangers, victims, faultsNanos);
        }
        SplittableRandom takeOvers = new SplittableRandom(Trace.mix(seed, TAKE_OVERS));
        if (most.crashesBricks() && takeOvers.nextInt(SEEDS_A_TAKE_OVER) == 0) {
            faults = faults.andATakeOver(takeOvers, victims.bricks(), faultsNanos);
        }
        if (coordinators > 1) {
            faults = faults.andElections(new SplittableRandom(Trace.mix(seed, ELECTIONS)), faultsNanos);
        }
        long memoryBytes = littleMemory ? random.nextLong(192L << 10, 768L << 10) : ClusterPlan.AMPLE_MEMORY_BYTES;
        long capacityRecords = random.nextLong(20, 61);
        SplitPolicy controlled = split.withControl(random.nextBoolean() ? SplitControl.STATIC : SplitControl.DYNAMIC);
        TablePlan table = new TablePlan(
                "t", TableKind.HASH, capacityRecords, controlled, 1, Parity.NONE, 1, workload, Conversion.NONE);
        return new ClusterPlan(
                seed,
                coordinators,
                bricks,
                stages,
                clients,
                memoryBytes,
                network,
                most == Severity.CALM || random.nextInt(3) == 0 ? 0 : random.nextLong(40 * MILLI),
                ServiceTimes.DEFAULT.times(random.nextInt(3) == 0 ? random.nextInt(2, 30) : 1),
                random.nextInt(4) == 0 ? tight(random) : StageLimits.DEFAULT,
                Groups.LOG_BYTES_MAX,
                random.nextInt(3) == 0 ? random.nextLong(20 * MILLI) : 0,
                random.nextInt(3) == 0 ? random.nextLong(300, 3_000) * MILLI : 60_000 * MILLI,
                shrinks ? random.nextLong(1, 400) * MILLI : CoordinatorSettings.MERGE_AFTER_NANOS,
                CoordinatorSettings.REBALANCE_AFTER_NANOS,
                faults,
                faultsNanos,
                List.of(table));
    }

    /** Draws a variant of LH*LH in one of four seeds; otherwise the default. */
    private static SplitPolicy splitPolicy(SplittableRandom random) {
        return random.nextInt(4) > 0
                ? SplitPolicy.DEFAULT
                : SplitPolicy.DEFAULT
                        .withSplitting(random.nextInt(3) > 0 ? Splitting.ATOMIC : Splitting.CONCURRENT)
                        .withShipping(random.nextBoolean() ? Shipping.INDIVIDUAL : Shipping.BULK)
                        .withSliceBytes(random.nextInt(1, 4 << 10))
                        .withAtOnce(random.nextInt(1, SplitPolicy.AT_ONCE_MAX + 1));
    }

    private static StageLimits tight(SplittableRandom random) {
        StageLimits limits = new StageLimits(
                random.nextInt(2, 30),
                random.nextInt(1 << 10, 64 << 10),
                random.nextLong(100_000, 20 * MILLI),
                random.nextInt(1, 64),
                random.nextInt(1, 5),
                random.nextInt(1, 16));
        return limits.withResultBytesMax(limits.queueBytesMax());
    }
}
