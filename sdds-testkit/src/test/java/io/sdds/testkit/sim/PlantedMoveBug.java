package io.sdds.testkit.sim;

import io.sdds.core.model.SplitOrder;
import java.util.SplittableRandom;

/** Known-bad variants of the nodes that only partitions of one copy that move can show, made as those of {@link PlantedBug}. */
enum PlantedMoveBug implements Planted {
    /** A move forgets the results of writes: what is tried again at the new brick runs again. */
    RESULTS_FORGOTTEN_ON_MOVE {
        @Override
        public long firstSeed() {
            return 16;
        }

        @Override
        SimNetwork.FrameFilter plant(SplittableRandom random) {
            return PlantedMergeBug.on(SplitOrder::isMove, PlantedBug.RESULTS_STAY_BEHIND.plant(random));
        }
    },

    /** What is removed while its partition moves is there again afterwards. */
    REMOVALS_FORGOTTEN_ON_MOVE {
        @Override
        public long firstSeed() {
            return 205;
        }

        @Override
        SimNetwork.FrameFilter plant(SplittableRandom random) {
            return PlantedMergeBug.on(SplitOrder::isMove, PlantedBug.REMOVALS_STAY_BEHIND.plant(random));
        }
    };

    @Override
    public Shape shape() {
        return Shape.MOVING;
    }

    @Override
    public ClusterPlan.Severity severity() {
        return ClusterPlan.Severity.HARSH;
    }

    @Override
    public void plant(SimCluster cluster) {
        cluster.simulation().network().filter(plant(cluster.simulation().fork("planted bug")));
    }

    /** A filter that behaves so; new for each run. */
    abstract SimNetwork.FrameFilter plant(SplittableRandom random);
}
