package io.sdds.sim.planted;

import io.sdds.coordinator.state.ClusterState;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.TableMap;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.frame.DecodedSlice;
import io.sdds.sim.frame.SliceEntry;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import java.util.ArrayList;
import java.util.List;

/** Known-bad variants of the nodes that only tables show which are converted between replicas and parity. */
enum PlantedConversionBug implements Planted {
    /** A parity that joins while the table is converted to parity does not get one of the records. */
    PARITY_LACKS_A_RECORD(4, Scenario.PARITY_CONVERTED),

    /** A backup that joins while the table is converted to replicas does not get one of the records. */
    BACKUP_LACKS_A_RECORD(13, Scenario.PARITY_TO_REPLICAS);

    private final long firstSeed;
    private final Scenario scenario;

    PlantedConversionBug(long firstSeed, Scenario scenario) {
        this.firstSeed = firstSeed;
        this.scenario = scenario;
    }

    @Override
    public long firstSeed() {
        return firstSeed;
    }

    @Override
    public Scenario scenario() {
        return scenario;
    }

    @Override
    public ClusterPlan.Severity severity() {
        return ClusterPlan.Severity.CALM;
    }

    @Override
    public void plant(SimCluster cluster) {
        cluster.simulation()
                .network()
                .filter(FrameEdits.slices(
                        slice -> converts(cluster, slice.header().migration()) ? withoutOneRecord(slice) : slice));
    }

    /** Whether a copy is for a member that joins by a conversion. */
    private static boolean converts(SimCluster cluster, long migration) {
        ClusterState state = cluster.truth();
        MigrationOrder order = state == null ? null : state.migration(migration);
        TableMap table = state == null || order == null ? null : state.table(order.table());
        return table != null && table.definition().isConverting() && !order.isTransfer();
    }

    private static DecodedSlice withoutOneRecord(DecodedSlice slice) {
        List<SliceEntry> entries = new ArrayList<>(slice.entries());
        for (int k = 0; k < entries.size(); k++) {
            if (entries.get(k) instanceof SliceEntry.Copied && entries.size() > 1) {
                entries.remove(k);
                return slice.withEntries(entries);
            }
        }
        return slice;
    }
}
