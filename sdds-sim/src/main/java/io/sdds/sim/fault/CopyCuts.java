package io.sdds.sim.fault;

import io.netty.buffer.ByteBuf;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.frame.SliceHeader;
import io.sdds.sim.plan.Fault;
import io.sdds.sim.plan.FaultPlan;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import java.util.SplittableRandom;

/**
 * Connections that break just when a partition is copied over them, and now and then a joiner of a group that crashes
 * then: copies are short, so that chance alone seldom meets them. In one run of a few, so that the others go on as they
 * were.
 */
final class CopyCuts implements SimNetwork.FrameWatch {
    private static final int RUNS_WITH_CUTS = 3;
    private static final int SLICES_A_CUT = 4;
    private static final int CUTS_A_CRASH = 8;
    private static final int CUTS_A_LONG_ONE = 4;
    private static final int CUTS_MAX = 40;
    private static final long WITHIN_NANOS = 3_000_000L;
    private static final long REFUSED_NANOS_MAX = 4_000_000_000L;
    private static final long BACK_NANOS_MAX = 3_000_000_000L;

    private final FaultyCluster cluster;
    private final SplittableRandom random;
    private final boolean cuts;
    private int cutsLeft = CUTS_MAX;

    CopyCuts(FaultyCluster cluster) {
        this.cluster = cluster;
        this.random = cluster.simulation().fork("copy cuts");
        FaultPlan faults = cluster.plan().faults();
        this.cuts = faults.losesConnections() && random.nextInt(RUNS_WITH_CUTS) == 0;
    }

    /** Nothing is to go wrong any more. */
    void end() {
        cutsLeft = 0;
    }

    @Override
    public void onFrame(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        if (!cuts || cutsLeft == 0 || frame.getByte(index + 4) != Opcode.SLICE) {
            return;
        }
        ClusterState state = cluster.truth();
        MigrationOrder order = state == null
                ? null
                : state.migration(SliceHeader.read(frame, index).migration());
        if (order != null && random.nextInt(SLICES_A_CUT) == 0) {
            cutsLeft--;
            cutSoon(connection, from.name(), to.name(), order.isLearner());
        }
    }

    private void cutSoon(long connection, String source, String target, boolean isLearner) {
        Fault lose = new Fault.Lose(0, source, target, random.nextLong(REFUSED_NANOS_MAX));
        Fault crash = new Fault.Crash(0, target, random.nextLong(BACK_NANOS_MAX));
        boolean crashes = isLearner
                && random.nextInt(CUTS_A_CRASH) == 0
                && cluster.plan().faults().losesMemory();
        boolean isLong = random.nextInt(CUTS_A_LONG_ONE) == 0;
        cluster.simulation().after(random.nextLong(WITHIN_NANOS), () -> {
            if (cluster.simulation().network().isHealed()) {
                return;
            }
            if (crashes || isLong) {
                cluster.happen(crashes ? crash : lose);
            } else {
                cluster.simulation().network().lose(connection);
            }
        });
    }
}
