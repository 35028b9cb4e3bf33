package io.sdds.sim.fault;

import io.sdds.coordinator.state.ClusterState;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.TableMap;
import io.sdds.sim.plan.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Lets more bricks with members of a parity group crash than the group can lack, so that records are lost. */
final class GroupLosses {
    private static final long LOOK_NANOS = 10_000_000L;

    private final FaultyCluster cluster;
    private final SplittableRandom random;

    GroupLosses(FaultyCluster cluster) {
        this.cluster = cluster;
        this.random = cluster.simulation().fork("lost groups");
    }

    /** The members crash as soon as it is known who they are. */
    void begin(Fault.LoseGroup fault) {
        ClusterState state = cluster.truth();
        TableMap table =
                state == null ? null : state.table(cluster.plan().table().name());
        if (cluster.simulation().network().isHealed()) {
            return;
        }
        if (state == null || table == null) {
            cluster.simulation().after(LOOK_NANOS, () -> begin(fault));
            return;
        }
        int id = table.definition().id();
        ParityGroup group = state.parityGroup(id, fault.group() % state.groups(id));
        List<String> bricks = bricks(state, group);
        for (int k = group.tolerated() + 1 + fault.more(); k > 0 && !bricks.isEmpty(); k--) {
            String victim = bricks.remove(random.nextInt(bricks.size()));
            long back = random.nextLong(fault.backAfterNanos() + 1);
            cluster.happenAfter(random.nextLong(fault.withinNanos()), new Fault.Crash(0, victim, back));
        }
    }

    /** The names of the bricks that hold a group. */
    private static List<String> bricks(ClusterState state, ParityGroup group) {
        List<String> names = new ArrayList<>();
        for (BrickInfo brick : state.bricks()) {
            if (group.processes().stream().anyMatch(member -> member.brick() == brick.number())) {
                names.add(brick.id());
            }
        }
        return names;
    }
}
