package io.sdds.sim.planted;

import io.sdds.sim.ClusterRun;
import io.sdds.sim.ClusterSeeds;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.SimulationFailure;
import io.sdds.sim.world.Tampering;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** A known-bad variant of the nodes, which the simulator must catch. */
public interface Planted {
    /** All there are. */
    static List<Planted> all() {
        return Stream.<Planted[]>of(
                        PlantedBug.values(),
                        PlantedMergeBug.values(),
                        PlantedClearBug.values(),
                        PlantedLogBug.values(),
                        PlantedGroupBug.values(),
                        PlantedGroupMergeBug.values(),
                        PlantedHandOverBug.values(),
                        PlantedDrainBug.values(),
                        PlantedMoveBug.values(),
                        PlantedTableBug.values(),
                        PlantedRangeGroupBug.values(),
                        PlantedParityBug.values(),
                        PlantedColumnBug.values(),
                        PlantedRecoveryBug.values(),
                        PlantedLossBug.values(),
                        PlantedGuardBug.values(),
                        PlantedQueryBug.values(),
                        PlantedRowBug.values(),
                        PlantedConversionBug.values())
                .flatMap(Stream::of)
                .toList();
    }

    String name();

    /** The runs that can show it. */
    Scenario scenario();

    /** The faults among which it is looked for. */
    ClusterPlan.Severity severity();

    /** A seed that catches it soon, or close before one that does, as things are now. */
    long firstSeed();

    /** Makes the nodes of a cluster behave so, before it starts. */
    void plant(SimCluster cluster);

    /** What the checker that it is planted for says of it; empty: any may find it. */
    default String complaint() {
        return "";
    }

    /** What a run with the bug shows. */
    enum Verdict {
        /** The run failed, as it should. */
        CAUGHT,
        /** The bug changed something, and no checker noticed. */
        MISSED,
        /** The bug found nothing to change. */
        UNTOUCHED
    }

    /**
     * Runs a seed with the bug.
     *
     * @throws AssertionError when the run failed before the bug changed anything: the nodes have a bug that nobody
     *     planted, or the planted one does not count
     */
    default Verdict verdict(long seed) {
        AtomicReference<Tampering> tampering = new AtomicReference<>();
        SimulationFailure failure = null;
        try {
            ClusterRun.of(scenario().draw(seed, severity(), scenario().operations()), cluster -> {
                tampering.set(cluster.simulation().tampering());
                plant(cluster);
            });
        } catch (SimulationFailure e) {
            failure = e;
        }
        if (failure != null && tampering.get().times() == 0) {
            throw new AssertionError(
                    name() + " changed nothing with seed " + seed + ", and the run failed: " + failure.getMessage(),
                    failure);
        }
        boolean caught = failure != null && String.valueOf(failure.getMessage()).contains(complaint());
        return caught ? Verdict.CAUGHT : tampering.get().times() > 0 ? Verdict.MISSED : Verdict.UNTOUCHED;
    }

    default boolean isCaughtBy(long seed) {
        return verdict(seed) == Verdict.CAUGHT;
    }

    /**
     * The first seed, from {@link #firstSeed} on, that catches the bug.
     *
     * @param seedsMax seeds that are tried
     * @param untouchedMax seeds in which the bug may change nothing, before any in which it does
     * @throws AssertionError when no seed catches it, or when it changes nothing
     */
    default long firstCatch(int seedsMax, int untouchedMax) {
        boolean tampered = false;
        for (long seed = firstSeed(); seed < firstSeed() + seedsMax; seed++) {
            Verdict verdict = ClusterSeeds.each(List.of(seed), this::verdict).get(0);
            if (verdict == Verdict.CAUGHT) {
                return seed;
            }
            tampered |= verdict == Verdict.MISSED;
            if (!tampered && seed >= firstSeed() + untouchedMax) {
                throw new AssertionError(name() + " changed nothing with the seeds " + firstSeed() + " to " + seed
                        + ": what it tampers with has changed, or these runs don't come by it");
            }
        }
        throw new AssertionError(name() + " was not caught by " + seedsMax + " seeds from " + firstSeed() + " on");
    }
}
