package io.sdds.sim.watch;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.Status;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import io.sdds.sim.world.Simulation;
import io.sdds.sim.world.SimulationFailure;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Checks that clients slow down when bricks refuse requests. Over any second the bricks may see at most 1.1 times the
 * requests of clients that they answer with a result, besides the first batch that a brick refuses on a connection. A
 * run that lasts less than a second is judged as a whole.
 */
public final class AnsweredShare implements SimNetwork.FrameWatch {
    private static final long SECOND_NANOS = 1_000_000_000L;
    private static final int REFUSED_PERCENT_MAX = 10;

    /**
     * Each client may send so many refused requests to each brick, because its retry budget is never empty for long.
     */
    private static final int RETRIES = 64;

    private final Simulation simulation;
    private final int allowance;

    /** When a brick refused requests for the first time, by connection. */
    private final Map<Long, Long> firstBatches = new HashMap<>();

    private final ArrayDeque<Reply> lastSecond = new ArrayDeque<>();
    private int answered;
    private long firstNanos = -1;

    private record Reply(long nanos, boolean isResult) {}

    public AnsweredShare(Simulation simulation, ClusterPlan plan) {
        this.simulation = simulation;
        this.allowance = RETRIES * plan.clients() * plan.bricks();
    }

    @Override
    public void onFrame(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        if (frame.getByte(index + ReplyFrame.OPCODE) != Opcode.REPLY || !ClusterPlan.isClient(to.name())) {
            return;
        }
        long now = simulation.nowNanos();
        byte status = frame.getByte(index + ReplyFrame.STATUS);
        firstNanos = firstNanos < 0 ? now : firstNanos;
        if (status == Status.BUSY && isOfFirstBatch(connection, now)) {
            return;
        }
        add(new Reply(now, status <= Status.UPDATE_FAILED));
        if (now - firstNanos >= SECOND_NANOS && isTooLittle()) {
            throw new SimulationFailure(told());
        }
    }

    /** By the first batch of refusals of a connection a client finds out what the brick can take. */
    private boolean isOfFirstBatch(long connection, long now) {
        return firstBatches.computeIfAbsent(connection, any -> now) == now;
    }

    private void add(Reply reply) {
        lastSecond.add(reply);
        answered += reply.isResult() ? 1 : 0;
        while (reply.nanos() - lastSecond.element().nanos() >= SECOND_NANOS) {
            answered -= lastSecond.remove().isResult() ? 1 : 0;
        }
    }

    private boolean isTooLittle() {
        int refused = lastSecond.size() - answered;
        return refused > allowance + answered * REFUSED_PERCENT_MAX / 100;
    }

    private String told() {
        return String.format(
                Locale.ROOT,
                "the bricks saw %d requests of clients within a second, and answered %d of them, by %.3f s",
                lastSecond.size(),
                answered,
                simulation.nowNanos() / 1e9);
    }

    /** All clients are done. */
    public List<String> ends() {
        return isTooLittle() ? List.of(told()) : List.of();
    }
}
