package io.sdds.testkit.sim;

import io.netty.buffer.ByteBuf;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import java.util.ArrayList;
import java.util.List;

/**
 * One write of a client, the hundredth that comes to any brick, which no brick survives. It is a failure of the run
 * when it ends more bricks than two.
 */
final class Poison {
    /** A group goes on 2 s after its primary has ended: the client asks the next one within this time, twice. */
    private static final long PATIENCE_NANOS = 5_000_000_000L;

    private static final int WRITES_BEFORE = 100;
    private static final int ENDED_MAX = 2;

    private final List<String> ended = new ArrayList<>();
    private int writes;
    private long session;
    private long seq;

    private Poison() {}

    /** Puts one into a cluster. */
    static Poison in(SimCluster cluster) {
        Poison poison = new Poison();
        cluster.interpose(poison::before);
        return poison;
    }

    /** Whether a third copy can serve after two bricks have ended, and the client waits for that. */
    static boolean isSurvivedIn(ClusterPlan plan) {
        return plan.table().replicas() == 3
                && plan.stages() == 1
                && plan.table().workload().timeoutNanos() >= PATIENCE_NANOS;
    }

    /** The bricks that it has ended. */
    List<String> ended() {
        return ended;
    }

    private Node before(SimEnv env, Node node) {
        return new PlantedNode(env, node) {
            @Override
            boolean takes(Link link, ByteBuf frames, int at) {
                if (Opcode.isWrite(frames.getByte(at + RequestFrame.OPCODE))
                        && link.peer().role() == Hello.Role.CLIENT
                        && isIt(frames.getLongLE(at + RequestFrame.SESSION), frames.getLongLE(at + RequestFrame.SEQ))) {
                    end(env, link);
                }
                return false;
            }
        };
    }

    private boolean isIt(long itsSession, long itsSeq) {
        if (++writes == WRITES_BEFORE) {
            session = itsSession;
            seq = itsSeq;
        }
        return writes >= WRITES_BEFORE && itsSession == session && itsSeq == seq;
    }

    private void end(SimEnv env, Link link) {
        ended.add(env.name() + " at " + Trace.time(env.localNanos()) + " from " + link.remote());
        if (ended.size() > ENDED_MAX) {
            throw new SimulationFailure("a write has ended more than two processes: " + ended);
        }
        throw new PlantedFailure("write " + session + "/" + seq + " can't be survived");
    }
}
