package io.sdds.testkit.sim;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.protocol.Opcode;
import java.util.List;
import java.util.SplittableRandom;

/** Takes out of some map updates what they say: a brick that takes them believes that it knows the map. */
final class PlantedMap implements SimNetwork.FrameFilter {
    private static final int UPDATES_AN_EMPTY_ONE = 20;

    private final SplittableRandom random;

    PlantedMap(SplittableRandom random) {
        this.random = random;
    }

    @Override
    public SimNetwork.Fate fate(SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        return frame.getByte(index + 4) == Opcode.CONTROL
                        && ControlFrame.read(frame, index, length) instanceof MapUpdate
                        && random.nextInt(UPDATES_AN_EMPTY_ONE) == 0
                ? SimNetwork.Fate.REPLACED
                : SimNetwork.Fate.SENT;
    }

    @Override
    public ByteBuf instead(ByteBuf frame, int index, int length) {
        MapUpdate update = (MapUpdate) ControlFrame.read(frame, index, length);
        ByteBuf empty = Unpooled.buffer();
        ControlFrame.write(
                empty,
                frame.getByte(index + ControlFrame.KIND),
                frame.getIntLE(index + ControlFrame.CORRELATION),
                new MapUpdate(
                        update.fromVersion(),
                        update.toVersion(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(),
                        0,
                        List.of()));
        return empty;
    }
}
