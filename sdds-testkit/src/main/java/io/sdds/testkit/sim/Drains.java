package io.sdds.testkit.sim;

import io.netty.buffer.ByteBuf;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage.DrainBrick;
import io.sdds.core.control.ControlMessage.DrainStatus;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.SplitOrder;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Operators who drain bricks: each asks again and again until nothing is left on its brick, and then ends its process, whatever else goes on. A brick is told to be empty only when it is, and nothing is
 * sent to one that is being drained, be it a copy or a partition that moves.
 */
final class Drains implements SimNetwork.FrameWatch {
    private static final long LOOK_NANOS = 100_000_000L;
    private static final long ANSWER_NANOS_MAX = 1_000_000_000L;

    /** Then an operator cancels what the other bricks may have no memory for. */
    private static final long PATIENCE_NANOS = 20_000_000_000L;

    private final SimCluster cluster;
    private final List<Operator> operators = new ArrayList<>();

    /** By brick and incarnation: the first stream that was given after its drain had begun. */
    private final Map<Process, Long> streams = new HashMap<>();

    private record Process(int brick, long incarnation) {}

    Drains(SimCluster cluster) {
        this.cluster = cluster;
    }

    void begin(Fault.Drain drain) {
        operators.add(new Operator(drain));
    }

    /** Whether nobody drains a brick any more. */
    boolean areOver() {
        return operators.stream().allMatch(operator -> operator.over);
    }

    @Override
    public void onFrame(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        ClusterState state = cluster.truth();
        if (state == null
                || operators.isEmpty()
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
                update.joins().forEach(join -> check(join.joiner(), join.stream(), join));
                update.splits().stream()
                        .filter(SplitOrder::isMove)
                        .forEach(move -> check(move.target().primary(), move.stream(), move));
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

    /** One brick's. */
    private final class Operator implements Node {
        private final Fault.Drain drain;
        private final SimEnv env;
        private final long beganNanos;
        private @Nullable Link link;
        private boolean asking;
        private long askedNanos;
        private int correlation;

        /** Links that have ended. */
        private int tried;

        private boolean over;

        Operator(Fault.Drain drain) {
            this.drain = drain;
            this.env = cluster.simulation().env("operator", cluster.plan().work());
            this.beganNanos = cluster.simulation().nowNanos();
            env.execute(this::look);
        }

        private void look() {
            Link up = link;
            if (over) {
                return;
            }
            if (up == null) {
                List<String> coordinators = cluster.coordinatorAddresses();
                String next = coordinators.get(tried % coordinators.size());
                link = env.dial(next, Hello.of(Hello.Role.CLIENT, "operator", 0), this);
            } else if (asking && env.nowNanos() - askedNanos > ANSWER_NANOS_MAX) {
                up.close();
            } else if (up.isUp() && !asking) {
                ask(up);
            }
            env.schedule(LOOK_NANOS, this::look);
        }

        private boolean cancels() {
            long nanos = cluster.simulation().nowNanos() - beganNanos;
            return drain.cancelledAfterNanos() != Fault.Drain.NEVER && nanos > drain.cancelledAfterNanos()
                    || cluster.plan().mayFill() && nanos > PATIENCE_NANOS;
        }

        private void ask(Link up) {
            asking = true;
            askedNanos = env.nowNanos();
            ControlFrame.write(
                    up.claim(0), ControlFrame.REQUEST, ++correlation, new DrainBrick(drain.node(), cancels()));
            up.commit();
            up.flush();
        }

        @Override
        public void onLinkUp(Link up) {}

        @Override
        public void onFrames(Link from, ByteBuf frames) {
            for (int at = frames.readerIndex(); at < frames.writerIndex(); at += frames.getIntLE(at)) {
                asking = false;
                switch (ControlFrame.read(frames, at, frames.getIntLE(at))) {
                    case DrainStatus status when !over -> heard(status);
                    case Refused refused -> from.close(); // another coordinator may lead
                    default -> {}
                }
            }
        }

        @Override
        public void onLinkDown(Link gone, String reason) {
            link = null;
            asking = false;
            tried++;
        }

        private void heard(DrainStatus status) {
            Coverage coverage = cluster.simulation().coverage();
            if (!status.draining()) {
                coverage.hit(status.obstacle().isEmpty() ? Rare.DRAIN_CANCELLED : Rare.DRAIN_REFUSED);
                end();
            } else if (status.partitionsLeft() == 0 && isDrained()) {
                coverage.hit(Rare.DRAINED);
                cluster.endDrained(drain);
                end();
            }
        }

        /** Whether it is the process that still runs; that nothing is left on it is what was told. */
        private boolean isDrained() {
            ClusterState state = cluster.truth();
            BrickInfo brick = state == null ? null : state.brick(drain.node());
            if (state == null || brick == null || !state.drains(brick.number())) {
                return false; // another process runs in its place
            }
            int left = state.places(brick.number());
            if (left > 0) {
                throw new SimulationFailure(drain.node() + " is said to be drained, and has " + left + " copies");
            }
            return true;
        }

        private void end() {
            over = true;
            if (link != null) {
                link.close();
            }
        }
    }
}
