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
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A client takes the rows of one part of a query for those of another part, which reached as far as the other said. */
final class PlantedAnswers implements SimNetwork.FrameFilter {
    private final Set<String> asked = new HashSet<>();

    /** The rows of the last answer to each client. */
    private final Map<String, byte[]> last = new HashMap<>();

    @Override
    public Fate fate(SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        byte seen = frame.getByte(index + 4);
        if (seen == Opcode.SCAN && ClusterPlan.isClient(from.name())) {
            DecodedRequest request = DecodedRequest.read(frame, index, length);
            if (ProgramEdits.isProgram(request)) {
                asked.add(from + ">" + to + request.correlation());
            }
        } else if (seen == Opcode.REPLY && ClusterPlan.isClient(to.name())) {
            DecodedReply reply = DecodedReply.read(frame, index, length);
            if (asked.remove(to + ">" + from + reply.correlation()) && reply.status() == Status.OK) {
                return mixedUp(to, reply);
            }
        }
        return Fate.SENT;
    }

    private Fate mixedUp(SimEnv to, DecodedReply reply) {
        byte[] body = reply.body();
        byte[] rows = Arrays.copyOfRange(body, Long.BYTES, body.length);
        byte[] other = last.put(to.name(), rows);
        if (other == null || other.length != rows.length || Arrays.equals(other, rows)) {
            return Fate.SENT;
        }
        byte[] changed = body.clone();
        System.arraycopy(other, 0, changed, Long.BYTES, other.length);
        return Fate.replacedBy(reply.withBody(changed).frame());
    }
}
