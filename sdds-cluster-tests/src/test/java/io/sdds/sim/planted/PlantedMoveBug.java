package io.sdds.sim.planted;

import io.sdds.core.model.MigrationOrder;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.SimNetwork;
import java.util.SplittableRandom;

/**
 * Known-bad variants of the nodes that only partitions of one copy that move can show, made as those of
 * {@link PlantedBug}.
 */
enum PlantedMoveBug implements PlantedFilter {
    /** A move forgets the results of writes: what is tried again at the new brick runs again. */
    RESULTS_FORGOTTEN_ON_MOVE(95, PlantedBug.RESULTS_STAY_BEHIND),

    /** What is removed while its partition moves is there again afterwards. */
    REMOVALS_FORGOTTEN_ON_MOVE(211, PlantedBug.REMOVALS_STAY_BEHIND);

    private final long firstSeed;
    private final PlantedBug ofSlices;

    PlantedMoveBug(long firstSeed, PlantedBug ofSlices) {
        this.firstSeed = firstSeed;
        this.ofSlices = ofSlices;
    }

    @Override
    public long firstSeed() {
        return firstSeed;
    }

    @Override
    public Scenario scenario() {
        return Scenario.MOVING;
    }

    @Override
    public ClusterPlan.Severity severity() {
        return ClusterPlan.Severity.HARSH;
    }

    @Override
    public SimNetwork.FrameFilter plant(SplittableRandom random) {
        return PlantedMergeBug.on(MigrationOrder::isMove, ofSlices.plant(random));
    }
}
