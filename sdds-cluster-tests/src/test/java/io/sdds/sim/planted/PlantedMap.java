package io.sdds.sim.planted;

import io.netty.buffer.ByteBuf;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import io.sdds.sim.world.SimNetwork.Fate;
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
    public Fate fate(SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        return FrameEdits.message(frame, index, length) instanceof MapUpdate update
                        && random.nextInt(UPDATES_AN_EMPTY_ONE) == 0
                ? Fate.replacedBy(FrameEdits.frame(frame, index, emptied(update)))
                : Fate.SENT;
    }

    private static MapUpdate emptied(MapUpdate update) {
        return new MapUpdate(
                update.fromVersion(),
                update.toVersion(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                0,
                List.of());
    }
}
