package io.sdds.testkit.sim;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
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
    private byte[] stale = {};

    PlantedReads(SplittableRandom random) {
        this.random = random;
    }

    @Override
    public SimNetwork.Fate fate(SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        byte opcode = frame.getByte(index + 4);
        if (opcode == Opcode.GET) {
            int keyLength = frame.getUnsignedShortLE(index + RequestFrame.KEY_LENGTH);
            keys.put(
                    from + ">" + to + frame.getIntLE(index + RequestFrame.CORRELATION),
                    frame.toString(index + RequestFrame.READ_BODY, keyLength, StandardCharsets.UTF_8));
        } else if (opcode == Opcode.REPLY && ClusterPlan.isClient(to.name())) {
            String key = keys.remove(to + ">" + from + frame.getIntLE(index + ReplyFrame.CORRELATION));
            boolean plain = ReplyFrame.body(frame, index) == index + ReplyFrame.HEADER;
            if (key != null && plain && frame.getByte(index + ReplyFrame.STATUS) == Status.OK) {
                return answer(key, frame, index, length);
            }
        }
        return SimNetwork.Fate.SENT;
    }

    private SimNetwork.Fate answer(String key, ByteBuf frame, int index, int length) {
        List<byte[]> before = answers.computeIfAbsent(key, read -> new ArrayList<>());
        byte[] body = new byte[length - ReplyFrame.HEADER];
        frame.getBytes(index + ReplyFrame.HEADER, body);
        if (!before.isEmpty() && random.nextInt(READS_A_STALE_ONE) == 0) {
            stale = before.get(random.nextInt(before.size()));
            return SimNetwork.Fate.REPLACED;
        }
        before.add(body);
        return SimNetwork.Fate.SENT;
    }

    @Override
    public ByteBuf instead(ByteBuf frame, int index, int length) {
        ByteBuf reply = Unpooled.buffer(ReplyFrame.HEADER + stale.length);
        reply.writeBytes(frame, index, ReplyFrame.HEADER).writeBytes(stale);
        return reply.setIntLE(0, reply.readableBytes());
    }
}
