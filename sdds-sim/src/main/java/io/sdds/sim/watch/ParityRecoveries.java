package io.sdds.sim.watch;

import io.sdds.brick.parity.RecoveryCounters;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableMap;
import io.sdds.sim.cluster.SimBrick;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.world.Coverage;
import io.sdds.sim.world.RareEvent;
import java.util.List;

/** Counts the rare events in the recovery of parity groups. */
public final class ParityRecoveries {
    private final SimCluster cluster;
    private final Coverage coverage;

    private final ColumnSplitPaths splits;

    /** Decoded records that were not whole. A parity that decodes records as of one cut has none. */
    private long notWhole;

    public ParityRecoveries(SimCluster cluster) {
        this.cluster = cluster;
        this.coverage = cluster.simulation().coverage();
        this.splits = new ColumnSplitPaths(cluster);
    }

    /** The splits that are counted, too. */
    public ColumnSplitPaths splits() {
        return splits;
    }

    /** A process ends, with what its stages have counted. */
    public void ends(SimBrick brick) {
        brick.nodes().forEach(node -> {
            for (RecoveryCounters.Event event : RecoveryCounters.Event.values()) {
                long count = node.recoveryCounters().count(event);
                if (event == RecoveryCounters.Event.DECODED_NOT_WHOLE) {
                    notWhole += count;
                } else if (count > 0) {
                    coverage.hit(RareEvent.valueOf(event.name()));
                }
            }
        });
    }

    /** What was wrong in the processes that have ended, in lines. */
    public List<String> wrong() {
        return notWhole == 0 ? List.of() : List.of(notWhole + " decoded records were not whole");
    }

    /** A process is about to crash. Looks at its part in recoveries that are under way. */
    public void crashes(SimBrick victim) {
        ClusterState state = cluster.truth();
        BrickInfo info = state == null ? null : state.brick(victim.name());
        if (state == null || info == null) {
            return;
        }
        Member process = new Member(info.number(), info.incarnation());
        splits.crashes(process);
        state.repairs().stream()
                .filter(order -> order.learner().equals(process))
                .forEach(order -> coverage.hit(role(state, order)));
        for (TableMap table : state.tables()) {
            int groups = state.groups(table.definition().id());
            for (int number = 0; number < groups; number++) {
                ParityGroup group = state.parityGroup(table.definition().id(), number);
                if (group.columns().stream()
                        .anyMatch(place ->
                                group.isDegraded(place) && place.primary().equals(process))) {
                    coverage.hit(RareEvent.LEAD_DIED);
                }
            }
        }
    }

    private static RareEvent role(ClusterState state, MigrationOrder order) {
        if (order.isParity()) {
            return RareEvent.JOINING_PARITY_DIED;
        }
        return state.place(order.table(), order.receiver()).primary().equals(order.learner())
                ? RareEvent.SPARE_DIED_AS_PRIMARY
                : RareEvent.SPARE_DIED_EARLY;
    }
}
