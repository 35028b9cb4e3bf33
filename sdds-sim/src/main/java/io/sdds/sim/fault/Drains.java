package io.sdds.sim.fault;

import io.netty.buffer.ByteBuf;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.DrainBrick;
import io.sdds.core.control.ControlMessage.DrainStatus;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.DrainAction;
import io.sdds.core.model.Place.Member;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Fault;
import io.sdds.sim.world.Coverage;
import io.sdds.sim.world.RareEvent;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import io.sdds.sim.world.SimulationFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Operators who drain bricks. Each operator asks for the drain repeatedly until no partition is left on the brick, and
 * then ends its process, independent of other events. Checks that only an empty brick is reported as empty, and that no
 * copy and no moving partition is sent to a draining brick.
 */
final class Drains implements SimNetwork.FrameWatch {
    /** Time after which an operator cancels a drain, because the other bricks may lack memory. */
    private static final long PATIENCE_NANOS = 20_000_000_000L;

    private final FaultyCluster cluster;
    private final List<Drain> drains = new ArrayList<>();

    /** By brick and incarnation, the first stream id that was assigned after the start of the drain. */
    private final Map<Process, Long> streams = new HashMap<>();

    private record Process(int brick, long incarnation) {}

    Drains(FaultyCluster cluster) {
        this.cluster = cluster;
    }

    void begin(Fault.Drain drain) {
        Drain errand = new Drain(drain);
        drains.add(errand);
        Operator.sendFor(cluster, errand);
    }

    /** Whether no drain is running. */
    boolean areOver() {
        return drains.stream().allMatch(Drain::isOver);
    }

    @Override
    public void onFrame(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        ClusterState state = cluster.truth();
        if (state == null
                || drains.isEmpty()
                || frame.getByte(index + 4) != Opcode.CONTROL
                || !ClusterPlan.isCoordinator(from.name())) {
            return;
        }
        switch (ControlFrame.read(frame, index, length)) {
            case DrainStatus status
            when status.draining() -> {
                BrickInfo brick = state.brick(status.brick());
                if (brick != null && state.drains(brick.number())) {
                    streams.putIfAbsent(
                            new Process(brick.number(), brick.incarnation()),
                            state.snapshot().streamNext());
                }
            }
            case DrainStatus status -> streams.keySet().removeIf(process -> !state.drains(process.brick()));
            case MapUpdate update -> {
                update.migrations().stream()
                        .filter(order -> order.isMove() || order.isLearner())
                        .forEach(order -> check(order.target().primary(), order.id(), order));
            }
            default -> {}
        }
    }

    private void check(Member target, long stream, Record order) {
        Long first = streams.get(new Process(target.brick(), target.incarnation()));
        if (first != null && stream >= first) {
            throw new SimulationFailure("a copy is ordered to a brick that is being drained: " + order);
        }
    }

    /** The operator of one brick. */
    private final class Drain implements Operator.Errand {
        private final Fault.Drain drain;
        private final long beganNanos = cluster.simulation().nowNanos();
        private boolean over;

        Drain(Fault.Drain drain) {
            this.drain = drain;
        }

        @Override
        public boolean isOver() {
            return over;
        }

        @Override
        public ControlMessage question() {
            return new DrainBrick(drain.node(), cancels() ? DrainAction.CANCEL : DrainAction.BEGIN);
        }

        private boolean cancels() {
            long nanos = cluster.simulation().nowNanos() - beganNanos;
            return drain.cancelledAfterNanos() != Fault.Drain.NEVER && nanos > drain.cancelledAfterNanos()
                    || cluster.plan().mayFill() && nanos > PATIENCE_NANOS;
        }

        @Override
        public boolean heard(ControlMessage answer) {
            if (answer instanceof DrainStatus status && !over) {
                heard(status);
            }
            return !(answer instanceof Refused);
        }

        private void heard(DrainStatus status) {
            Coverage coverage = cluster.simulation().coverage();
            if (!status.draining()) {
                coverage.hit(status.obstacle().isEmpty() ? RareEvent.DRAIN_CANCELLED : RareEvent.DRAIN_REFUSED);
                over = true;
            } else if (status.partitionsLeft() == 0 && isDrained()) {
                coverage.hit(RareEvent.DRAINED);
                cluster.endDrained(drain);
                over = true;
            }
        }

        /** Whether it is the process that still runs; that nothing is left on it is what was told. */
        private boolean isDrained() {
            ClusterState state = cluster.truth();
            BrickInfo brick = state == null ? null : state.brick(drain.node());
            if (state == null || brick == null || !state.drains(brick.number())) {
                return false; // another process of the brick runs by now
            }
            int left = state.places(brick.number());
            if (left > 0) {
                throw new SimulationFailure(drain.node() + " is said to be drained, and has " + left + " copies");
            }
            return true;
        }
    }
}
