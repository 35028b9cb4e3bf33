package io.sdds.sim.planted;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.Status;
import io.sdds.sim.frame.DecodedReply;
import io.sdds.sim.frame.DecodedRequest;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import io.sdds.sim.world.SimNetwork.Fate;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A client sends an update again as a new one when it does not know what became of the update. Some answers are lost,
 * so that this happens often.
 */
final class PlantedUpdates implements SimNetwork.FrameFilter {
    private static final int ANSWERS_A_LOST_ONE = 5;
    private static final int ANOTHER = 1_000_000;

    private final SplittableRandom random;
    private final Set<String> asked = new HashSet<>();
    private final Set<String> sent = new HashSet<>();

    PlantedUpdates(SplittableRandom random) {
        this.random = random;
    }

    @Override
    public Fate fate(SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        byte seen = frame.getByte(index + 4);
        if (seen == Opcode.UPDATE && ClusterPlan.isClient(from.name())) {
            DecodedRequest update = DecodedRequest.read(frame, index, length);
            asked.add(from + ">" + to + update.correlation());
            DecodedRequest.Id id = update.id();
            boolean isFirst = id == null || sent.add(id.session() + "/" + id.seq());
            return FrameEdits.sent(update, isFirst ? update : update.withId(id.later(ANOTHER)));
        }
        if (seen == Opcode.REPLY && ClusterPlan.isClient(to.name())) {
            DecodedReply reply = DecodedReply.read(frame, index, length);
            boolean isOfUpdate = asked.remove(to + ">" + from + reply.correlation());
            if (isOfUpdate && reply.status() == Status.OK && random.nextInt(ANSWERS_A_LOST_ONE) == 0) {
                return Fate.replacedBy(
                        reply.withStatus(Status.UNKNOWN).withBody(new byte[0]).frame());
            }
        }
        return Fate.SENT;
    }
}
