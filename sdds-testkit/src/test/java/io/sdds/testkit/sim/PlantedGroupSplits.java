package io.sdds.testkit.sim;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.HandOver;
import io.sdds.core.control.ControlMessage.JoinGroup;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.model.SplitOrder;
import io.sdds.core.protocol.Opcode;
import java.util.HashMap;
import java.util.Map;

/** What bugs of group splits need to know: which shippings are splits, by the maps that the coordinator tells. */
final class PlantedGroupSplits {
    private static final int SLICE_STREAM = 8;

    private final Map<Long, SplitOrder> splits = new HashMap<>();

    private void learn(ControlMessage message) {
        if (message instanceof MapUpdate update) {
            update.splits().forEach(order -> splits.put(order.stream(), order));
        }
    }

    /** What a bug does to slices, done to those of splits alone. */
    static SimNetwork.FrameFilter onSlices(SimNetwork.FrameFilter bug) {
        PlantedGroupSplits known = new PlantedGroupSplits();
        return (from, to, frame, index, length) -> {
            byte opcode = frame.getByte(index + 4);
            if (opcode == Opcode.CONTROL) {
                known.learn(ControlFrame.read(frame, index, length));
            }
            return opcode == Opcode.SLICE && known.splits.containsKey(frame.getLongLE(index + SLICE_STREAM))
                    ? bug.fate(from, to, frame, index, length)
                    : SimNetwork.Fate.SENT;
        };
    }

    /** Where a member of the child's group is asked whether it has all, it is told to serve. */
    static final class Early implements SimNetwork.FrameFilter {
        private final PlantedGroupSplits known = new PlantedGroupSplits();

        @Override
        public SimNetwork.Fate fate(SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
            if (frame.getByte(index + 4) != Opcode.CONTROL) {
                return SimNetwork.Fate.SENT;
            }
            ControlMessage message = ControlFrame.read(frame, index, length);
            known.learn(message);
            return message instanceof JoinGroup join && known.splits.containsKey(join.stream())
                    ? SimNetwork.Fate.REPLACED
                    : SimNetwork.Fate.SENT;
        }

        @Override
        public ByteBuf instead(ByteBuf frame, int index, int length) {
            JoinGroup join = (JoinGroup) ControlFrame.read(frame, index, length);
            ByteBuf told = Unpooled.buffer();
            ControlFrame.write(
                    told,
                    ControlFrame.REQUEST,
                    frame.getIntLE(index + ControlFrame.CORRELATION),
                    new HandOver(
                            join.stream(),
                            join.attempt(),
                            join.table(),
                            join.partition(),
                            known.splits.get(join.stream()).receiverLevel(),
                            join.version(),
                            join.timeNanos()));
            return told;
        }
    }
}
