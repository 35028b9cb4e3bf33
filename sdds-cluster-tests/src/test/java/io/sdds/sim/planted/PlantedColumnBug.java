package io.sdds.sim.planted;

import io.sdds.coordinator.state.ClusterState;
import io.sdds.core.model.TableMap;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.frame.DecodedEntry;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;

/** Known-bad variants of the nodes that only tables with parity groups that grow can show. */
enum PlantedColumnBug implements Planted {
    /** What an abandoned split has brought to an idle column is dropped there, and stays in the parity records. */
    ABANDONED_RECORDS_STAY_IN_THE_SUMS(11) {
        @Override
        public void plant(SimCluster cluster) {
            cluster.simulation()
                    .network()
                    .filter(new DeltaEdits(
                            (entry, before, to) -> entry.kind() == DecodedEntry.DELTA_DROP && isIdle(cluster, to)
                                    ? entry.asNothing()
                                    : entry));
        }
    },

    /** An idle column takes the copy of a split while it has records of an earlier one. */
    USED_AGAIN_BEFORE_IT_IS_CLEAN(1) {
        @Override
        public void plant(SimCluster cluster) {
            cluster.simulation().network().filter(new PlantedLeftovers());
        }
    },

    /** The spare of a partition that has split serves the keys of the child for as long as it has their records. */
    RECOVERED_PARENT_SERVES_MOVED_RECORDS(22) {
        @Override
        public void plant(SimCluster cluster) {
            new PlantedLevels(cluster).await();
        }
    };

    private final long firstSeed;

    PlantedColumnBug(long firstSeed) {
        this.firstSeed = firstSeed;
    }

    @Override
    public long firstSeed() {
        return firstSeed;
    }

    @Override
    public Scenario scenario() {
        return Scenario.PARITY_GROWING;
    }

    @Override
    public ClusterPlan.Severity severity() {
        return ClusterPlan.Severity.BRICK_CRASHES;
    }

    private static boolean isIdle(SimCluster cluster, DeltaEdits.Receiver to) {
        ClusterState state = cluster.truth();
        TableMap table = state == null ? null : state.table(to.table());
        return state != null
                && table != null
                && to.partition() < state.columns(to.table())
                && state.isIdle(to.table(), to.partition());
    }
}
