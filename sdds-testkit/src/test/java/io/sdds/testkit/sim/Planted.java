package io.sdds.testkit.sim;

import java.util.List;
import java.util.stream.Stream;

/** A known-bad variant of the nodes, which the simulator must catch. */
interface Planted {
    /** All there are. */
    static List<Planted> all() {
        return Stream.<Planted[]>of(
                        PlantedBug.values(),
                        PlantedMergeBug.values(),
                        PlantedClearBug.values(),
                        PlantedLogBug.values(),
                        PlantedGroupBug.values(),
                        PlantedGroupMergeBug.values(),
                        PlantedDrainBug.values(),
                        PlantedMoveBug.values(),
                        PlantedRangeGroupBug.values())
                .flatMap(Stream::of)
                .toList();
    }

    String name();

    /** The runs that can show it. */
    Shape shape();

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

    default boolean isCaughtBy(long seed) {
        try {
            ClusterRun.of(shape().draw(seed, severity(), shape().operations()), this::plant);
            return false;
        } catch (SimulationFailure e) {
            return String.valueOf(e.getMessage()).contains(complaint());
        }
    }
}
