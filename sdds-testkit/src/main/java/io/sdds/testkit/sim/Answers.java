package io.sdds.testkit.sim;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Whether each request is answered on the connection it came over, once, as long as there is the connection. */
final class Answers implements SimNetwork.FrameWatch {
    private static final int SHOWN_MAX = 5;

    private final Map<Asked, String> open = new TreeMap<>();

    private record Asked(long connection, String asker, int correlation) implements Comparable<Asked> {
        @Override
        public int compareTo(Asked other) {
            int byConnection = Long.compare(connection, other.connection);
            int byAsker = byConnection != 0 ? byConnection : asker.compareTo(other.asker);
            return byAsker != 0 ? byAsker : Integer.compare(correlation, other.correlation);
        }
    }

    @Override
    public void onFrame(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        byte opcode = frame.getByte(index + 4);
        if (Opcode.isRequest(opcode)) {
            int correlation = frame.getIntLE(index + RequestFrame.CORRELATION);
            String text = from + " asked " + to + " over #" + connection + ": correlation " + correlation;
            if (open.put(new Asked(connection, from.name(), correlation), text) != null) {
                throw new SimulationFailure(
                        "one correlation id for two requests: " + FrameText.of(frame, index, length));
            }
        } else if (opcode == Opcode.REPLY) {
            int correlation = frame.getIntLE(index + ReplyFrame.CORRELATION);
            if (open.remove(new Asked(connection, to.name(), correlation)) == null) {
                throw new SimulationFailure(from + " answers " + to + " over #" + connection
                        + " what it was not asked, or answered before: " + FrameText.of(frame, index, length));
            }
        }
    }

    /** What has not been answered, though nothing keeps its answer any more. */
    List<String> missing(SimNetwork network) {
        List<String> missing = new ArrayList<>();
        open.forEach((asked, text) -> {
            if (network.isWhole(asked.connection())) {
                missing.add(text + " was never answered");
            }
        });
        return missing.size() > SHOWN_MAX ? missing.subList(0, SHOWN_MAX) : missing;
    }
}
