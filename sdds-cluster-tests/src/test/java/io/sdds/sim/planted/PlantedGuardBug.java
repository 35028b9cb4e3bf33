package io.sdds.sim.planted;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.core.model.Place;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.Status;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.frame.DecodedReply;
import io.sdds.sim.frame.DecodedVote;
import io.sdds.sim.frame.GroupHeader;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Fault;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork.Fate;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Known-bad variants of the nodes that lack what guards them against others: against strangers, and against failures of
 * their own.
 */
enum PlantedGuardBug implements Planted {
    /** A brick's links hold as much as comes of messages that are never whole. */
    INCOMING_WITHOUT_BOUND(17, Scenario.GROWING, ClusterPlan.Severity.HARSH) {
        @Override
        public String complaint() {
            return "bytes of messages that were not whole";
        }

        @Override
        public void plant(SimCluster cluster) {
            boolean strangersCome =
                    cluster.plan().faults().faults().stream().anyMatch(Fault.Stranger.class::isInstance);
            if (strangersCome) {
                cluster.incomingBytesMax(Long.MAX_VALUE);
                cluster.simulation().tampering().happened(() -> "messages that are not whole have no bound");
            }
        }
    },

    /** A brick takes a PREPARE for the primary's, whoever sends it: an epoch that never comes ends those that do. */
    IMPOSTOR_LEADS(17, Scenario.REPLICATED, ClusterPlan.Severity.HARSH) {
        @Override
        public void plant(SimCluster cluster) {
            cluster.interpose((env, node) -> new PlantedNode.Gullible(
                    env, node, Opcode.PREPARE, (by, frames, at, length) -> anotherMember(cluster, by, frames, at)));
        }

        private @Nullable Hello anotherMember(SimCluster cluster, SimEnv by, ByteBuf frames, int at) {
            GroupHeader header = GroupHeader.read(frames, at);
            ClusterState state = cluster.truth();
            if (state == null || !state.exists(header.table(), header.partition())) {
                return null;
            }
            for (Place.Member member :
                    state.place(header.table(), header.partition()).members()) {
                Hello hello = hello(state, member.brick());
                if (hello != null && !hello.name().equals(by.name())) {
                    return hello;
                }
            }
            return null;
        }
    },

    /** A primary counts a VOTE for that of the member that it names, whoever sends it. */
    IMPOSTOR_VOTES(508, Scenario.REPLICATED, ClusterPlan.Severity.HARSH) {
        @Override
        public void plant(SimCluster cluster) {
            cluster.interpose((env, node) ->
                    new PlantedNode.Gullible(env, node, Opcode.VOTE, (by, frames, at, length) -> {
                        ClusterState state = cluster.truth();
                        return state == null || !DecodedVote.fits(length)
                                ? null
                                : hello(
                                        state,
                                        DecodedVote.read(frames, at, length).brick());
                    }));
        }
    },

    /** A brick that fails at a request goes on: what had come with the request is lost. */
    FAILURE_SWALLOWED(1, Scenario.GROWING, ClusterPlan.Severity.HARSH) {
        @Override
        public String complaint() {
            return "was never answered";
        }

        @Override
        public void plant(SimCluster cluster) {
            SplittableRandom random = cluster.simulation().fork("planted bug");
            cluster.interpose((env, node) -> {
                env.goesOnAfterFailures();
                return new PlantedNode.Failing(env, node, random);
            });
        }
    },

    /** A brick that fails within each try to commit goes on: it sends its heartbeats, and its group decides nothing. */
    FAILED_COMMIT_SWALLOWED(2, Scenario.REPLICATED, ClusterPlan.Severity.CALM) {
        @Override
        public void plant(SimCluster cluster) {
            FailingCommit.in(cluster);
            cluster.interpose((env, node) -> {
                env.goesOnAfterFailures();
                return node;
            });
        }
    },

    /**
     * Clients never learn that a brick has failed because of their request, so they send the request to the next brick.
     */
    POISON_SENT_ON(6, Scenario.REPLICATED, ClusterPlan.Severity.CALM) {
        @Override
        public String complaint() {
            return "has ended more than two processes";
        }

        @Override
        public void plant(SimCluster cluster) {
            if (!Poison.isSurvivedIn(cluster.plan())) {
                return;
            }
            Poison.in(cluster);
            cluster.simulation().network().filter((from, to, frame, index, length) -> {
                if (frame.getByte(index + 4) != Opcode.REPLY
                        || frame.getByte(index + ReplyFrame.STATUS) != Status.FATAL
                        || !ClusterPlan.isClient(to.name())) {
                    return Fate.SENT;
                }
                ByteBuf harmless = Unpooled.copiedBuffer(frame.slice(index, length));
                harmless.setByte(ReplyFrame.STATUS, Status.UNKNOWN);
                return Fate.replacedBy(harmless);
            });
        }
    },

    /** Clients send no less when bricks refuse requests, and send refused requests again soon. */
    REFUSALS_IGNORED(2, Scenario.BURSTS, ClusterPlan.Severity.CALM) {
        @Override
        public String complaint() {
            return "requests of clients within a second";
        }

        @Override
        public void plant(SimCluster cluster) {
            cluster.simulation()
                    .network()
                    .filter((from, to, frame, index, length) -> ClusterPlan.isClient(to.name())
                                    && frame.getByte(index + ReplyFrame.OPCODE) == Opcode.REPLY
                                    && frame.getByte(index + ReplyFrame.STATUS) == Status.BUSY
                            ? Fate.replacedBy(DecodedReply.read(frame, index, length)
                                    .withStatus(Status.DEADLINE)
                                    .frame())
                            : Fate.SENT);
        }
    };

    private final long firstSeed;
    private final Scenario scenario;
    private final ClusterPlan.Severity severity;

    PlantedGuardBug(long firstSeed, Scenario scenario, ClusterPlan.Severity severity) {
        this.firstSeed = firstSeed;
        this.scenario = scenario;
        this.severity = severity;
    }

    /** What the present process of a brick says of itself; null: there is none. */
    private static @Nullable Hello hello(ClusterState state, int number) {
        return state.bricks().stream()
                .filter(brick -> brick.number() == number)
                .findFirst()
                .map(brick -> Hello.of(Hello.Role.BRICK, brick.id(), brick.incarnation()))
                .orElse(null);
    }

    @Override
    public long firstSeed() {
        return firstSeed;
    }

    @Override
    public Scenario scenario() {
        return scenario;
    }

    @Override
    public ClusterPlan.Severity severity() {
        return severity;
    }
}
