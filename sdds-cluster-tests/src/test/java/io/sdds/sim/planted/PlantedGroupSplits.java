package io.sdds.sim.planted;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.Activate;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.frame.DecodedSlice;
import io.sdds.sim.frame.SliceEntry;
import io.sdds.sim.frame.SliceHeader;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import io.sdds.sim.world.SimNetwork.Fate;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What bugs of group splits need to know: which shippings are splits, by the maps that the coordinator tells. */
final class PlantedGroupSplits {
    private static final int NO_CORRELATION = -1;

    private final Map<Long, MigrationOrder> splits = new HashMap<>();

    private void learn(@Nullable ControlMessage message) {
        if (message instanceof MapUpdate update) {
            update.migrations().forEach(order -> splits.put(order.id(), order));
        }
    }

    /** What a bug does to slices, done to those of splits alone. */
    static SimNetwork.FrameFilter onSlices(SimNetwork.FrameFilter bug) {
        PlantedGroupSplits known = new PlantedGroupSplits();
        return (from, to, frame, index, length) -> {
            known.learn(FrameEdits.message(frame, index, length));
            return frame.getByte(index + 4) == Opcode.SLICE
                            && known.splits.containsKey(
                                    SliceHeader.read(frame, index).migration())
                    ? bug.fate(from, to, frame, index, length)
                    : Fate.SENT;
        };
    }

    /** The slice, and behind it a message that tells the target to serve. Nobody waits for the answer. */
    static ByteBuf toldToServe(DecodedSlice slice, SliceEntry.Sealed seal, MigrationOrder order) {
        SliceHeader header = slice.header();
        Activate told = new Activate(
                header.migration(),
                header.attempt(),
                order.table(),
                header.receiver(),
                order.receiverLevel(),
                seal.version(),
                seal.timeNanos());
        ByteBuf both = Unpooled.buffer().writeBytes(slice.frame());
        ControlFrame.write(both, ControlFrame.REQUEST, NO_CORRELATION, told);
        return both;
    }

    /** Where a member of the child's group has the whole copy, it is told to serve. */
    static final class Early implements SimNetwork.FrameFilter {
        private final PlantedGroupSplits known = new PlantedGroupSplits();

        @Override
        public Fate fate(SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
            known.learn(FrameEdits.message(frame, index, length));
            DecodedSlice slice = FrameEdits.slice(frame, index, length);
            MigrationOrder order =
                    slice == null ? null : known.splits.get(slice.header().migration());
            SliceEntry.Sealed seal = slice == null ? null : slice.seal();
            return slice == null || order == null || seal == null
                    ? Fate.SENT
                    : Fate.replacedBy(toldToServe(slice, seal, order));
        }
    }
}
