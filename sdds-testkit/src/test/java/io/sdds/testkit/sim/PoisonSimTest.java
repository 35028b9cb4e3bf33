package io.sdds.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * A request that ends each brick that takes it: bricks are fail-stop, so their clients must not take it from one to the
 * next for ever.
 */
class PoisonSimTest {
    /** A group goes on 2 s after its primary has ended: the client asks the next one within this time, twice. */
    private static final long PATIENCE_NANOS = 5_000_000_000L;

    private static final int SEEDS = 12;

    @Test
    void aRequestThatEndsEachBrickThatTakesItEndsTwoAndTheThirdCopyServes() {
        ClusterSeeds seeds = new ClusterSeeds(Shape.REPLICATED, ClusterPlan.Severity.CALM);
        List<Long> patient = LongStream.range(1, 1000)
                .filter(seed -> hasThreeCopies(seeds.plan(seed)))
                .limit(SEEDS)
                .boxed()
                .toList();
        List<Poison> poisons = ClusterSeeds.each(patient, seed -> {
            Poison poison = new Poison();
            seeds.run(seed, cluster -> cluster.interpose((env, node) -> poison.before(env, node)));
            return poison;
        });
        assertThat(poisons)
                .allSatisfy(poison -> assertThat(poison.ended).hasSizeLessThanOrEqualTo(2))
                .anySatisfy(poison -> assertThat(poison.ended).hasSize(2));
    }

    private static boolean hasThreeCopies(ClusterPlan plan) {
        return plan.replicas() == 3 && plan.stages() == 1 && plan.workload().timeoutNanos() >= PATIENCE_NANOS;
    }

    /** One write of a client, the hundredth that comes to any brick, which no brick survives. */
    private static final class Poison {
        private static final int WRITES_BEFORE = 100;

        private int writes;
        private long session;
        private long seq;
        private final List<String> ended = new ArrayList<>();

        Node before(SimEnv env, Node node) {
            return new PlantedNode(env, node) {
                @Override
                boolean takes(Link link, ByteBuf frames, int at) {
                    if (Opcode.isWrite(frames.getByte(at + RequestFrame.OPCODE))
                            && link.peer().role() == Hello.Role.CLIENT
                            && isPoison(
                                    frames.getLongLE(at + RequestFrame.SESSION),
                                    frames.getLongLE(at + RequestFrame.SEQ))) {
                        ended.add(env.name() + " after " + writes + " writes, at " + Trace.time(env.localNanos())
                                + " from " + link.remote());
                        throw new PlantedFailure("write " + session + "/" + seq + " can't be survived");
                    }
                    return false;
                }
            };
        }

        private boolean isPoison(long itsSession, long itsSeq) {
            if (++writes == WRITES_BEFORE) {
                session = itsSession;
                seq = itsSeq;
            }
            return writes >= WRITES_BEFORE && itsSession == session && itsSeq == seq;
        }
    }
}
