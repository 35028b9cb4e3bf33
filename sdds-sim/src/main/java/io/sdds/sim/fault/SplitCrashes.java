package io.sdds.sim.fault;

import io.netty.buffer.ByteBuf;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.Activate;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.cluster.SimBrick;
import io.sdds.sim.frame.DecodedEntry;
import io.sdds.sim.frame.DecodedPrepare;
import io.sdds.sim.plan.Fault;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Bricks that crash just when a group's split or merge, or the move of a partition of one copy, is decided: few events,
 * and those on which all depends, so that chance alone seldom meets them.
 */
final class SplitCrashes implements SimNetwork.FrameWatch {
    private static final int HANDOVERS_A_CRASH = 3;
    private static final long WITHIN_NANOS = 2_000_000L;
    private static final long BACK_NANOS_MIN = 5_000_000L;
    private static final long BACK_NANOS_MAX = 3_000_000_000L;

    private final FaultyCluster cluster;
    private final SplittableRandom random;
    private boolean over;

    SplitCrashes(FaultyCluster cluster) {
        this.cluster = cluster;
        this.random = cluster.simulation().fork("split crashes");
    }

    /** Nothing is to go wrong any more. */
    void end() {
        over = true;
    }

    @Override
    public void onFrame(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        if (over) {
            return;
        }
        if (frame.getByte(index + 4) == Opcode.CONTROL) {
            control(from, to, ControlFrame.read(frame, index, length));
        }
        if (frame.getByte(index + 4) != Opcode.PREPARE) {
            return;
        }
        for (DecodedEntry.Head entry : DecodedPrepare.heads(frame, index, length)) {
            if (entry.changesOwner() && random.nextInt(HANDOVERS_A_CRASH) == 0) {
                crashSoon(from.name());
            }
        }
    }

    /** The brick that a partition moves from, or the one that it moves to. */
    private void control(SimEnv from, SimEnv to, ControlMessage message) {
        ClusterState state = cluster.truth();
        if (state != null && message instanceof Activate handOver) {
            MigrationOrder order = state.migration(handOver.migration());
            if (order != null && order.isMove() && random.nextInt(HANDOVERS_A_CRASH) == 0) {
                crash(random.nextBoolean() ? from.name() : to.name());
            }
        }
    }

    /** The primary mostly; else anybody. */
    private void crashSoon(String primary) {
        List<SimBrick> bricks = cluster.bricks();
        crash(
                random.nextBoolean()
                        ? primary
                        : bricks.get(random.nextInt(bricks.size())).name());
    }

    private void crash(String victim) {
        Fault.Crash crash = new Fault.Crash(0, victim, random.nextLong(BACK_NANOS_MIN, BACK_NANOS_MAX));
        cluster.simulation().after(random.nextLong(WITHIN_NANOS), () -> {
            if (!over) {
                cluster.happen(crash);
            }
        });
    }
}
