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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Answers some reads with what an earlier read of the key was answered. */
final class PlantedReads implements SimNetwork.FrameFilter {
    private static final int READS_A_STALE_ONE = 20;

    private final SplittableRandom random;
    private final Map<String, String> keys = new HashMap<>();
    private final Map<String, List<byte[]>> answers = new HashMap<>();

    PlantedReads(SplittableRandom random) {
        this.random = random;
    }

    @Override
    public Fate fate(SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        byte opcode = frame.getByte(index + 4);
        if (opcode == Opcode.GET) {
            DecodedRequest get = DecodedRequest.read(frame, index, length);
            keys.put(from + ">" + to + get.correlation(), new String(get.key(), StandardCharsets.UTF_8));
        } else if (opcode == Opcode.REPLY && ClusterPlan.isClient(to.name())) {
            DecodedReply reply = DecodedReply.read(frame, index, length);
            String key = keys.remove(to + ">" + from + reply.correlation());
            if (key != null && reply.adjustment() == null && reply.status() == Status.OK) {
                return answer(key, reply);
            }
        }
        return Fate.SENT;
    }

    private Fate answer(String key, DecodedReply reply) {
        List<byte[]> before = answers.computeIfAbsent(key, read -> new ArrayList<>());
        if (!before.isEmpty() && random.nextInt(READS_A_STALE_ONE) == 0) {
            byte[] stale = before.get(random.nextInt(before.size()));
            return Fate.replacedBy(reply.withBody(stale).frame());
        }
        before.add(reply.body());
        return Fate.SENT;
    }
}
