package io.sdds.testkit.sim;

import io.netty.buffer.ByteBuf;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.JoinGroup;
import io.sdds.core.control.ControlMessage.ShipAcked;
import io.sdds.core.control.ControlMessage.ShipResumed;
import io.sdds.core.protocol.Opcode;
import java.util.HashMap;
import java.util.Map;

/** When a copy goes on over another link, its joiner says one slice more than it has applied, and counts it from then on: that slice is left out. */
final class PlantedResumes implements SimNetwork.FrameFilter {
    private static final int STREAM = 8;
    private static final int ATTEMPT = 16;
    private static final int NUMBER = 24;

    private final Map<String, Copy> copies = new HashMap<>();

    /** How many slices the source has sent, and how many of them the joiner only says that it has. */
    private static final class Copy {
        private long sent;
        private long leftOut;
    }

    @Override
    public SimNetwork.Fate fate(SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        byte opcode = frame.getByte(index + 4);
        if (opcode == Opcode.SLICE) {
            Copy copy = copy(frame.getLongLE(index + STREAM), frame.getIntLE(index + ATTEMPT));
            copy.sent = Math.max(copy.sent, frame.getLongLE(index + NUMBER));
            add(frame, index + NUMBER, -copy.leftOut);
        } else if (opcode == Opcode.CONTROL) {
            control(ControlFrame.read(frame, index, length), frame, index);
        }
        return SimNetwork.Fate.SENT;
    }

    private void control(ControlMessage message, ByteBuf frame, int index) {
        switch (message) {
            case ShipResumed resumed -> {
                Copy copy = copy(resumed.stream(), resumed.attempt());
                if (resumed.slice() + copy.leftOut < copy.sent) {
                    copy.leftOut++;
                }
                ControlEdit.set(frame, index, resumed, "slice", resumed.slice() + copy.leftOut);
            }
            case ShipAcked acked
            when acked.slice() > 0 ->
                ControlEdit.set(
                        frame, index, acked, "slice", acked.slice() + copy(acked.stream(), acked.attempt()).leftOut);
            case JoinGroup join ->
                ControlEdit.set(
                        frame, index, join, "slice", join.slice() - copy(join.stream(), join.attempt()).leftOut);
            default -> {}
        }
    }

    private Copy copy(long stream, int attempt) {
        return copies.computeIfAbsent(stream + "/" + attempt, any -> new Copy());
    }

    private static void add(ByteBuf frame, int at, long more) {
        frame.setLongLE(at, frame.getLongLE(at) + more);
    }
}
