package io.sdds.sim.planted;

import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.Status;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.frame.DecodedReply;
import io.sdds.sim.frame.DecodedRequest;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.world.SimNetwork.Fate;
import java.util.HashSet;
import java.util.Set;

/** Known-bad variants of the nodes that only the loss of a parity group can show. */
enum PlantedLossBug implements Planted {
    /** A brick answers a get of a lost partition as if there were no record, before the loss is accepted. */
    LOST_ANSWERED_ABSENT(20) {
        @Override
        public void plant(SimCluster cluster) {
            Set<String> gets = new HashSet<>();
            cluster.simulation().network().filter((from, to, frame, index, length) -> {
                byte opcode = frame.getByte(index + 4);
                if (opcode == Opcode.GET) {
                    gets.add(from + ">" + to
                            + DecodedRequest.read(frame, index, length).correlation());
                }
                return opcode == Opcode.REPLY && ClusterPlan.isClient(to.name())
                        ? answered(DecodedReply.read(frame, index, length), to + ">" + from, gets)
                        : Fate.SENT;
            });
        }

        private Fate answered(DecodedReply reply, String link, Set<String> gets) {
            boolean isOfGet = gets.remove(link + reply.correlation());
            return isOfGet && reply.status() == Status.LOST
                    ? Fate.replacedBy(reply.withStatus(Status.ABSENT).frame())
                    : Fate.SENT;
        }
    };

    private final long firstSeed;

    PlantedLossBug(long firstSeed) {
        this.firstSeed = firstSeed;
    }

    @Override
    public long firstSeed() {
        return firstSeed;
    }

    @Override
    public Scenario scenario() {
        return Scenario.PARITY_LOST;
    }

    @Override
    public ClusterPlan.Severity severity() {
        return ClusterPlan.Severity.BRICK_CRASHES;
    }

    @Override
    public String complaint() {
        return "is not linearizable";
    }
}
