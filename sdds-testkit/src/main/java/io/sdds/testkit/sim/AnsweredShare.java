package io.sdds.testkit.sim;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.Status;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;

/**
 * Checks that clients slow down when bricks refuse requests. Over any second the bricks may see at most 1.1 times the
 * requests of clients that they answer with a result, besides the requests by which clients find out that bricks are
 * busy. What lasts less than a second counts as a whole.
 */
final class AnsweredShare implements SimNetwork.FrameWatch {
    private static final long SECOND_NANOS = 1_000_000_000L;
    private static final int REFUSED_PERCENT_MAX = 10;

    /** Each client may send so many refused requests to each brick: the first window of a link shows the load. */
    private static final int FIRST_REQUESTS = 64;

    private final Simulation simulation;
    private final int allowance;
    private final ArrayDeque<Reply> lastSecond = new ArrayDeque<>();
    private int answered;
    private long firstNanos = -1;

    private record Reply(long nanos, boolean isResult) {}

    AnsweredShare(Simulation simulation, ClusterPlan plan) {
        this.simulation = simulation;
        this.allowance = FIRST_REQUESTS * plan.clients() * plan.bricks();
    }

    @Override
    public void onFrame(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        if (frame.getByte(index + ReplyFrame.OPCODE) != Opcode.REPLY || !ClusterPlan.isClient(to.name())) {
            return;
        }
        long now = simulation.nowNanos();
        firstNanos = firstNanos < 0 ? now : firstNanos;
        add(new Reply(now, frame.getByte(index + ReplyFrame.STATUS) <= Status.UPDATE_FAILED));
        if (now - firstNanos >= SECOND_NANOS && isTooLittle()) {
            throw new SimulationFailure(told());
        }
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
    List<String> ends() {
        return isTooLittle() ? List.of(told()) : List.of();
    }
}
