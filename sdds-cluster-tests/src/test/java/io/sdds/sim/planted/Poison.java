package io.sdds.sim.planted;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.partition.Applied;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Partition.Mover;
import io.sdds.brick.partition.Request;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.sim.cluster.SimBrick;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.frame.FrameText;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.world.PlantedFailure;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimulationFailure;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * One write of a client, the hundredth that comes to any brick, which no brick survives that runs it. The run fails
 * when the write ends more bricks than two.
 */
final class Poison {
    /** A group goes on 2 s after its primary has ended: the client asks the next one within this time, twice. */
    private static final long PATIENCE_NANOS = 5_000_000_000L;

    private static final int WRITES_BEFORE = 100;
    private static final int ENDED_MAX = 2;

    private static final long ARMED_NANOS = 1_000_000L;

    private final SimCluster cluster;
    private final List<String> ended = new ArrayList<>();
    private int writes;
    private long session;
    private long seq;

    private Poison(SimCluster cluster) {
        this.cluster = cluster;
    }

    /** Puts one into a cluster. */
    static Poison in(SimCluster cluster) {
        Poison poison = new Poison(cluster);
        cluster.isPoisoned(true);
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
                if (Opcode.isWrite(frames.getByte(at + RequestFrame.OPCODE))) {
                    long itsSession = frames.getLongLE(at + RequestFrame.SESSION);
                    long itsSeq = frames.getLongLE(at + RequestFrame.SEQ);
                    if (link.peer().role() == Hello.Role.CLIENT && ++writes == WRITES_BEFORE) {
                        session = itsSession;
                        seq = itsSeq;
                    }
                    if (itsSession == session && itsSeq == seq) {
                        arm(env, frames.getIntLE(at + RequestFrame.TABLE));
                    }
                }
                return false;
            }
        };
    }

    /** The write is about to run on a brick, if the brick leads the group of its key. */
    private void arm(SimEnv env, int table) {
        for (SimBrick brick : cluster.bricks()) {
            if (brick.name().equals(env.name())) {
                brick.nodes()
                        .forEach(node -> node.tables().forEach(partition -> {
                            if (partition.table() == table
                                    && partition.mover() == null
                                    && !partition.gate().isOpen()
                                    && partition.group().leads()) {
                                arm(env, partition);
                            }
                        }));
            }
        }
    }

    private void arm(SimEnv env, Partition partition) {
        Mover ends = new Mover() {
            @Override
            public boolean admits(Request request) {
                return true;
            }

            @Override
            public boolean holds(Request request) {
                if (request.session == session && request.seq == seq) {
                    end(env, request.link);
                }
                return false;
            }

            @Override
            public boolean park(Request request) {
                return false;
            }

            @Override
            public void applied(Applied entry) {}

            @Override
            public void changed(long hash, MemorySegment key) {}
        };
        partition.mover(ends);
        cluster.simulation().after(ARMED_NANOS, () -> {
            if (partition.mover() == ends) {
                partition.mover(null);
            }
        });
    }

    private void end(SimEnv env, Link link) {
        ended.add(env.name() + " at " + FrameText.time(env.localNanos()) + " from " + link.remote());
        if (ended.size() > ENDED_MAX) { // the brick would answer an exception
            cluster.simulation().after(0, () -> {
                throw new SimulationFailure("a write has ended more than two processes: " + ended);
            });
        }
        throw new PlantedFailure("write " + session + "/" + seq + " can't be survived");
    }
}
