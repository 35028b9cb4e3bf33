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
import java.util.Map;
import java.util.function.Predicate;

/** Tampers with the points that answers to scans, or to clears, say they reached. */
final class PlantedScans implements SimNetwork.FrameFilter {
    private final byte opcode;
    private final Predicate<DecodedRequest> requests;
    private final Reach reach;
    private final Map<String, DecodedRequest.Interval> asked = new HashMap<>();

    /** What an answer says instead. */
    interface Reach {
        long instead(DecodedRequest.Interval asked, long reached);
    }

    private PlantedScans(byte opcode, Predicate<DecodedRequest> requests, Reach reach) {
        this.opcode = opcode;
        this.requests = requests;
        this.reach = reach;
    }

    /** @param opcode SCAN or CLEAR */
    static PlantedScans reaching(byte opcode, Reach reach) {
        return new PlantedScans(opcode, request -> true, reach);
    }

    /** The same for the answers to programs alone. */
    static PlantedScans ofPrograms(Reach reach) {
        return new PlantedScans(Opcode.SCAN, ProgramEdits::isProgram, reach);
    }

    @Override
    public Fate fate(SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        byte seen = frame.getByte(index + 4);
        if (seen == opcode) {
            DecodedRequest request = DecodedRequest.read(frame, index, length);
            if (requests.test(request)) {
                asked.put(from + ">" + to + request.correlation(), request.interval());
            }
        } else if (seen == Opcode.REPLY && ClusterPlan.isClient(to.name())) {
            DecodedReply reply = DecodedReply.read(frame, index, length);
            DecodedRequest.Interval interval = asked.remove(to + ">" + from + reply.correlation());
            if (interval != null && reply.status() == Status.OK) {
                return tamper(interval, reply);
            }
        }
        return Fate.SENT;
    }

    private Fate tamper(DecodedRequest.Interval interval, DecodedReply reply) {
        long instead = reach.instead(interval, reply.number());
        return instead == interval.from()
                ? Fate.SENT
                : Fate.replacedBy(reply.withNumber(instead).frame());
    }
}
