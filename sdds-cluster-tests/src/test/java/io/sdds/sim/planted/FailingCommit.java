package io.sdds.sim.planted;

import io.sdds.brick.group.Group;
import io.sdds.brick.partition.Applied;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Partition.Mover;
import io.sdds.brick.partition.Request;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.sim.cluster.SimBrick;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.world.PlantedFailure;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * One commit of a group of a cluster, at its primary, that fails as often as it is tried: each time when its first
 * entry has changed a record, and is not told to be decided.
 */
final class FailingCommit {
    private static final int TABLE = 1;
    private static final long BEGIN_NANOS = 300_000_000L;
    private static final long WAITED_NANOS = 50_000_000L;

    private final SimCluster cluster;
    private @Nullable Partition failed;

    private FailingCommit(SimCluster cluster) {
        this.cluster = cluster;
    }

    /** Lets one commit of a group of several members fail, as soon as there is one. */
    static FailingCommit in(SimCluster cluster) {
        FailingCommit failing = new FailingCommit(cluster);
        cluster.simulation().after(BEGIN_NANOS, failing::await);
        return failing;
    }

    /** Whether a commit has failed. */
    boolean hasFailed() {
        return failed != null;
    }

    /** Looks for primaries; those that have committed nothing after a time are left alone, and others looked for. */
    private void await() {
        for (SimBrick brick : cluster.bricks()) {
            brick.nodes()
                    .forEach(node -> node.tables().forEach(partition -> {
                        if (mayFail(partition)) {
                            Mover failing = failing(partition);
                            partition.mover(failing);
                            cluster.simulation().after(WAITED_NANOS, () -> leave(partition, failing));
                        }
                    }));
        }
        cluster.simulation().after(2 * WAITED_NANOS, () -> {
            if (!hasFailed() && !cluster.simulation().network().isHealed()) {
                await();
            }
        });
    }

    private void leave(Partition partition, Mover failing) {
        if (partition != failed && partition.mover() == failing) {
            partition.mover(null);
        }
    }

    private boolean mayFail(Partition partition) {
        ClusterState state = cluster.truth();
        return state != null
                && partition.table() == TABLE
                && state.exists(TABLE, partition.number())
                && partition.mover() == null
                && partition.group() instanceof Group group
                && group.isSettledLeader()
                && state.place(TABLE, partition.number()).members().size() > 1;
    }

    private Mover failing(Partition partition) {
        return new Mover() {
            @Override
            public boolean admits(Request request) {
                return true;
            }

            @Override
            public boolean holds(Request request) {
                return false;
            }

            @Override
            public boolean park(Request request) {
                return false;
            }

            @Override
            public void applied(Applied entry) {
                if (!hasFailed()) {
                    failed = partition;
                }
                if (partition != failed) {
                    return;
                }
                cluster.simulation().tampering().happened(() -> "a commit of " + partition + " fails");
                throw new PlantedFailure("within a commit");
            }

            @Override
            public void changed(long hash, MemorySegment key) {}
        };
    }
}
