package io.sdds.sim.watch;

import io.netty.buffer.ByteBuf;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage.Activate;
import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.control.ControlMessage.SnapshotAck;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import io.sdds.core.protocol.IndexRecord;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.frame.SliceHeader;
import io.sdds.sim.world.Coverage;
import io.sdds.sim.world.RareEvent;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import io.sdds.sim.world.SimulationFailure;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks three rules. Several splits of a table hand over in the order of n, each only after the log of the coordinator
 * has the previous split; otherwise an image of the file would imply partitions that do not exist. A partition of one
 * copy is handed over only after its target has acknowledged that it has applied every sent slice. No brick reports a
 * migration as abandoned and as handed over.
 */
public final class HandOvers implements SimNetwork.FrameWatch {
    private static final int HAND_OVER = ControlFrame.types().indexOf(Activate.class) + 1;
    private static final int HEARTBEAT = ControlFrame.types().indexOf(Heartbeat.class) + 1;
    private static final int SNAPSHOT_ACK = ControlFrame.types().indexOf(SnapshotAck.class) + 1;

    /** By stream, the slices of the last attempt. */
    private final Map<Long, Slices> slices = new HashMap<>();

    private final Supplier<@Nullable ClusterState> truth;
    private final Coverage coverage;
    private int atOnceMost;

    /** @param truth the committed state; null while it is unknown */
    public HandOvers(Supplier<@Nullable ClusterState> truth, Coverage coverage) {
        this.truth = truth;
        this.coverage = coverage;
    }

    /** The highest number of running splits of one table at a hand-over. */
    public int atOnceMost() {
        return atOnceMost;
    }

    @Override
    public void onFrame(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        byte opcode = frame.getByte(index + 4);
        int code = opcode == Opcode.CONTROL ? frame.getUnsignedShortLE(index + ControlFrame.CODE) : 0;
        if (opcode == Opcode.SLICE) {
            SliceHeader slice = SliceHeader.read(frame, index);
            of(slice.stream(), slice.attempt()).sent(slice.number());
        } else if (code == SNAPSHOT_ACK && ControlFrame.read(frame, index, length) instanceof SnapshotAck acked) {
            of(acked.migration(), acked.attempt()).acked(acked.slice());
        } else if (code == HAND_OVER && ControlFrame.read(frame, index, length) instanceof Activate handOver) {
            onActivate(handOver);
        } else if (code == HEARTBEAT && ControlFrame.read(frame, index, length) instanceof Heartbeat heartbeat) {
            checkReports(heartbeat);
        }
    }

    private static void checkReports(Heartbeat heartbeat) {
        for (MigrationReport report : heartbeat.migrations()) {
            boolean contradicted = report.state() == MigrationState.ABANDONED
                    && heartbeat.migrations().stream()
                            .anyMatch(other -> other.migration() == report.migration()
                                    && other.state() == MigrationState.HANDED_OVER);
            if (contradicted) {
                throw new SimulationFailure("brick " + heartbeat.brick() + " reports migration " + report.migration()
                        + " as abandoned and as handed over: " + heartbeat.migrations());
            }
        }
    }

    private Slices of(long stream, int attempt) {
        Slices known = slices.get(stream);
        if (known == null || known.attempt < attempt) {
            known = new Slices(attempt);
            slices.put(stream, known);
        }
        return known.attempt == attempt ? known : new Slices(attempt); // the frame belongs to an attempt that is over
    }

    /** The last sent slice of an attempt, and the last slice that the target has acknowledged. */
    private static final class Slices {
        private final int attempt;
        private long sent;
        private long acked;

        Slices(int attempt) {
            this.attempt = attempt;
        }

        void sent(long number) {
            sent = Math.max(sent, number);
        }

        void acked(long number) {
            acked = Math.max(acked, number);
        }
    }

    private void onActivate(Activate handOver) {
        ClusterState state = truth.get();
        if (state != null && state.migration(handOver.migration()) != null) { // otherwise it was committed long ago
            check(state, handOver);
            checkSlices(state, handOver);
        }
    }

    private void checkSlices(ClusterState state, Activate handOver) {
        TableMap table = state.table(handOver.table());
        Slices known = of(handOver.migration(), handOver.attempt());
        boolean oneCopy = table != null && !table.definition().isReplicated();
        if (oneCopy && known.acked < known.sent) {
            throw new SimulationFailure("stream " + handOver.migration() + " was handed over after " + known.sent
                    + " slices, of which its target has applied " + known.acked);
        }
    }

    private static boolean isIndex(@Nullable TableMap table) {
        return table != null && table.definition().name().equals(IndexRecord.TABLE);
    }

    private void check(ClusterState state, Activate handOver) {
        TableMap table = state.table(handOver.table());
        MigrationOrder handed = state.migration(handOver.migration());
        boolean inOrder =
                table != null && table.definition().kind() == TableKind.HASH && handed != null && !handed.isMove();
        int atOnce = 0;
        for (MigrationOrder order : state.splits()) {
            if (order.table() != handOver.table() && !isIndex(state.table(order.table()))) {
                coverage.hit(RareEvent.TABLES_SPLIT_AT_ONCE);
            }
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
