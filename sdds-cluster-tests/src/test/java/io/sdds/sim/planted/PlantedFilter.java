package io.sdds.sim.planted;

import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.world.SimNetwork;
import java.util.SplittableRandom;

/** A bug that is planted by tampering with the frames that nodes send. */
interface PlantedFilter extends Planted {
    /** A filter that behaves so; new for each run. */
    SimNetwork.FrameFilter plant(SplittableRandom random);

    @Override
    default void plant(SimCluster cluster) {
        cluster.simulation().network().filter(plant(cluster.simulation().fork("planted bug")));
    }
}
