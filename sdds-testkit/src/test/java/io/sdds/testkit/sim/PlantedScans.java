package io.sdds.testkit.sim;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import java.util.HashMap;
import java.util.Map;

/** Tampers with the points that answers to scans, or to clears, say they reached. */
final class PlantedScans implements SimNetwork.FrameFilter {
    private final byte opcode;
    private final Reach reach;
    private final Map<String, Asked> asked = new HashMap<>();

    /** An interval that a client asked for. */
    record Asked(long from, long end) {}

    /** What an answer says instead. */
    interface Reach {
        long instead(Asked asked, long reached);
    }

    private PlantedScans(byte opcode, Reach reach) {
        this.opcode = opcode;
        this.reach = reach;
    }

    /** @param opcode SCAN or CLEAR */
    static PlantedScans reaching(byte opcode, Reach reach) {
        return new PlantedScans(opcode, reach);
    }

    @Override
    public SimNetwork.Fate fate(SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        byte seen = frame.getByte(index + 4);
        if (seen == opcode) {
            int at = index + (opcode == Opcode.SCAN ? RequestFrame.READ_BODY : RequestFrame.WRITE_BODY);
            asked.put(
                    from + ">" + to + frame.getIntLE(index + RequestFrame.CORRELATION),
                    new Asked(frame.getLongLE(at), frame.getLongLE(at + Long.BYTES)));
        } else if (seen == Opcode.REPLY && ClusterPlan.isClient(to.name())) {
            Asked interval = asked.remove(to + ">" + from + frame.getIntLE(index + ReplyFrame.CORRELATION));
            if (interval != null && frame.getByte(index + ReplyFrame.STATUS) == Status.OK) {
                tamper(interval, frame, ReplyFrame.body(frame, index));
            }
        }
        return SimNetwork.Fate.SENT;
    }

    private void tamper(Asked interval, ByteBuf frame, int body) {
        long reached = frame.getLongLE(body);
        long instead = reach.instead(interval, reached);
        if (instead != interval.from()) {
            frame.setLongLE(body, instead);
        }
    }
}
