package io.sdds.testkit.sim;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.protocol.Opcode;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** When a shipping begins again, a slice of the last attempt still comes, now and again, and is applied. */
final class PlantedSlices implements SimNetwork.FrameFilter {
    private static final int STREAM = 8;
    private static final int ATTEMPT = 16;
    private static final int RECEIVER = 20;
    private static final int ENTRIES = 32;
    private static final int BYTES_MAX = 100 << 10;

    private final Map<Integer, Shipping> shippings = new HashMap<>();
    private byte[] late = {};

    /** The attempt under way to a partition, and the entries of the first slice with records, of this one and of the last. */
    private static final class Shipping {
        private String attempt = "";
        private byte @Nullable [] first;
        private byte @Nullable [] late;
    }

    @Override
    public SimNetwork.Fate fate(SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        if (frame.getByte(index + 4) != Opcode.SLICE || length > BYTES_MAX) {
            return SimNetwork.Fate.SENT;
        }
        Shipping shipping = shippings.computeIfAbsent(frame.getIntLE(index + RECEIVER), any -> new Shipping());
        String attempt = frame.getLongLE(index + STREAM) + "/" + frame.getIntLE(index + ATTEMPT);
        if (!attempt.equals(shipping.attempt)) {
            shipping.attempt = attempt;
            shipping.late = shipping.first;
            shipping.first = null;
        }
        if (shipping.first == null
                && !PlantedBug.entries(frame, index, length, PlantedBug.RECORD).isEmpty()) {
            shipping.first = new byte[length - ENTRIES];
            frame.getBytes(index + ENTRIES, shipping.first);
        }
        byte[] comes = shipping.late;
        if (comes == null) {
            return SimNetwork.Fate.SENT;
        }
        late = comes;
        return SimNetwork.Fate.REPLACED;
    }

    @Override
    public ByteBuf instead(ByteBuf frame, int index, int length) {
        ByteBuf slice = Unpooled.buffer(length + late.length);
        slice.writeBytes(frame, index, length).writeBytes(late);
        return slice.setIntLE(0, slice.readableBytes());
    }
}
