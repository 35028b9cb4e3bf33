package io.sdds.testkit.sim;

import io.netty.buffer.ByteBuf;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage.HandOver;
import io.sdds.core.model.SplitOrder;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import io.sdds.core.protocol.Opcode;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * That several splits of a table hand over in the order of n, each only when the coordinator's log has the one before it; else the image of a file would prove
 * partitions that don't exist.
 */
final class HandOvers implements SimNetwork.FrameWatch {
    private static final int HAND_OVER = ControlFrame.types().indexOf(HandOver.class) + 1;

    private final Supplier<@Nullable ClusterState> truth;
    private int atOnceMost;

    /** @param truth what is committed; null while nobody knows */
    HandOvers(Supplier<@Nullable ClusterState> truth) {
        this.truth = truth;
    }

    /** The most splits of one table that were under way when one handed over. */
    int atOnceMost() {
        return atOnceMost;
    }

    @Override
    public void onFrame(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        if (frame.getByte(index + 4) != Opcode.CONTROL
                || frame.getUnsignedShortLE(index + ControlFrame.CODE) != HAND_OVER
                || !(ControlFrame.read(frame, index, length) instanceof HandOver handOver)) {
            return;
        }
        ClusterState state = truth.get();
        if (state != null && state.split(handOver.stream()) != null) { // else it is said again, long committed
            check(state, handOver);
        }
    }

    private void check(ClusterState state, HandOver handOver) {
        TableMap table = state.table(handOver.table());
        SplitOrder handed = state.split(handOver.stream());
        boolean inOrder =
                table != null && table.definition().kind() == TableKind.HASH && handed != null && !handed.isMove();
        int atOnce = 0;
        for (SplitOrder order : state.splits()) {
            if (order.table() != handOver.table() || order.isMove()) {
                continue;
            }
            atOnce++;
            if (inOrder && order.child() < handOver.receiver()) {
                throw new SimulationFailure("partition " + handOver.receiver() + " was handed over before "
                        + order.child() + ", whose split is under way: " + order);
            }
        }
        atOnceMost = Math.max(atOnceMost, atOnce);
    }
}
