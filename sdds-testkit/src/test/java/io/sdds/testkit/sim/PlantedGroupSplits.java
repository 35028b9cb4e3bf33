package io.sdds.testkit.sim;

import io.netty.buffer.ByteBuf;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.Activate;
import io.sdds.core.control.ControlMessage.JoinGroup;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.protocol.Opcode;
import io.sdds.testkit.sim.SimNetwork.Fate;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What bugs of group splits need to know: which shippings are splits, by the maps that the coordinator tells. */
final class PlantedGroupSplits {
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
                            && known.splits.containsKey(SliceHeader.read(frame, index).stream())
                    ? bug.fate(from, to, frame, index, length)
                    : Fate.SENT;
        };
    }

    /** The frame in the place of a JoinGroup: whoever is asked whether it has all is told to serve. */
    static ByteBuf toldToServe(ByteBuf frame, int index, JoinGroup join, MigrationOrder order) {
        Activate told = new Activate(
                join.stream(),
                join.attempt(),
                join.table(),
                join.partition(),
                order.receiverLevel(),
                join.version(),
                join.timeNanos());
        return FrameEdits.frame(frame, index, told);
    }

    /** Where a member of the child's group is asked whether it has all, it is told to serve. */
    static final class Early implements SimNetwork.FrameFilter {
        private final PlantedGroupSplits known = new PlantedGroupSplits();

        @Override
        public Fate fate(SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
            ControlMessage message = FrameEdits.message(frame, index, length);
            known.learn(message);
            MigrationOrder order = message instanceof JoinGroup join ? known.splits.get(join.stream()) : null;
            return order == null ? Fate.SENT : Fate.replacedBy(toldToServe(frame, index, (JoinGroup) message, order));
        }
    }
}
