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
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A brick remembers what a write did, and forgets that it did nothing: sent again, it is tried anew. */
final class PlantedRetries implements SimNetwork.FrameFilter {
    /* The number under which it is sent again is another one: for the brick it is a write that it has never seen. */
    private static final int ANOTHER = 1_000_000;

    private final Map<String, String> sent = new HashMap<>();
    private final Set<String> failed = new HashSet<>();

    @Override
    public Fate fate(SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        byte opcode = frame.getByte(index + 4);
        if (Opcode.isWrite(opcode) && ClusterPlan.isClient(from.name())) {
            DecodedRequest write = DecodedRequest.read(frame, index, length);
            return FrameEdits.sent(write, write(from + ">" + to, write));
        }
        if (opcode == Opcode.REPLY && ClusterPlan.isClient(to.name())) {
            DecodedReply reply = DecodedReply.read(frame, index, length);
            String id = sent.remove(to + ">" + from + reply.correlation());
            if (id != null && (reply.status() == Status.CONDITION_FALSE || reply.status() == Status.ABSENT)) {
                failed.add(id);
            }
        }
        return Fate.SENT;
    }

    private DecodedRequest write(String way, DecodedRequest write) {
        String id = write.id().session() + "/" + write.id().seq();
        sent.put(way + write.correlation(), id);
        return failed.contains(id) ? write.withId(write.id().later(ANOTHER)) : write;
    }
}
