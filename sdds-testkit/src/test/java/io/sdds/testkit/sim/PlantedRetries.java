package io.sdds.testkit.sim;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
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
    public SimNetwork.Fate fate(SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        byte opcode = frame.getByte(index + 4);
        if (Opcode.isWrite(opcode) && ClusterPlan.isClient(from.name())) {
            write(from + ">" + to, frame, index);
        } else if (opcode == Opcode.REPLY && ClusterPlan.isClient(to.name())) {
            String id = sent.remove(to + ">" + from + frame.getIntLE(index + ReplyFrame.CORRELATION));
            byte status = frame.getByte(index + ReplyFrame.STATUS);
            if (id != null && (status == Status.CONDITION_FALSE || status == Status.ABSENT)) {
                failed.add(id);
            }
        }
        return SimNetwork.Fate.SENT;
    }

    private void write(String way, ByteBuf frame, int index) {
        long seq = frame.getLongLE(index + RequestFrame.SEQ);
        String id = frame.getLongLE(index + RequestFrame.SESSION) + "/" + seq;
        sent.put(way + frame.getIntLE(index + RequestFrame.CORRELATION), id);
        if (failed.contains(id)) {
            frame.setLongLE(index + RequestFrame.SEQ, seq + ANOTHER);
            int distance = frame.getIntLE(index + RequestFrame.LOW_DISTANCE);
            frame.setIntLE(index + RequestFrame.LOW_DISTANCE, distance + ANOTHER);
        }
    }
}
