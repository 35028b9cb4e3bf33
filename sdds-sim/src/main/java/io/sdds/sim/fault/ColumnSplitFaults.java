package io.sdds.sim.fault;

import io.netty.buffer.ByteBuf;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.Activate;
import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.control.ControlMessage.SnapshotAck;
import io.sdds.core.control.ControlMessage.SnapshotOpen;
import io.sdds.core.control.ControlMessage.SnapshotOpened;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.frame.DecodedEntry;
import io.sdds.sim.frame.DecodedPrepare;
import io.sdds.sim.frame.GroupHeader;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Fault;
import io.sdds.sim.plan.TablePlan;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import java.util.SplittableRandom;

/**
 * Crashes of bricks just when a table with parity groups splits or merges, because that is short, so that chance alone
 * seldom hits it. The sender or the receiver crashes at any frame: when the copy is opened, while slices go and are
 * acknowledged, at HANDOVER, SUBSUME or ABSORB, at Activate, and when the end is reported. A parity that gets HANDOVER,
 * SUBSUME or ABSORB crashes, too. Sometimes the sender crashes before its report has reached the coordinators. Links of
 * copies are cut, too.
 */
final class ColumnSplitFaults implements SimNetwork.FrameWatch {
    private static final int RUNS_WITHOUT_CRASHES = 4;
    private static final int CRASHES_MAX = 8;
    private static final int CUTS_MAX = 12;
    private static final int FRAMES_A_CUT = 8;
    private static final int FRAMES_A_CRASH_MAX = 40;
    private static final int DECISIVE_FRAMES_A_CRASH_MAX = 6;
    private static final long WITHIN_NANOS = 3_000_000L;
    private static final int WITHIN_SHIFT_MAX = 8;
    private static final long UNREPORTED_NANOS_MAX = 400_000_000L;
    private static final long BACK_NANOS_MIN = 5_000_000L;
    private static final long BACK_NANOS_MAX = 3_000_000_000L;

    private final FaultyCluster cluster;
    private final SplittableRandom random;
    private final int framesPerCrash;
    private final int decisiveFramesPerCrash;
    private int crashesLeft;
    private int cutsLeft;

    ColumnSplitFaults(FaultyCluster cluster) {
        this.cluster = cluster;
        this.random = cluster.simulation().fork("column split faults");
        boolean aims = cluster.plan().tables().stream().anyMatch(TablePlan::hasParity)
                && cluster.plan().faults().losesMemory();
        this.framesPerCrash = random.nextInt(2, FRAMES_A_CRASH_MAX);
        this.decisiveFramesPerCrash = random.nextInt(1, DECISIVE_FRAMES_A_CRASH_MAX);
        boolean crashes = aims && random.nextInt(RUNS_WITHOUT_CRASHES) > 0;
        this.crashesLeft = crashes ? random.nextInt(1, CRASHES_MAX) : 0;
        this.cutsLeft = aims && random.nextBoolean() ? random.nextInt(1, CUTS_MAX) : 0;
    }

    /** Nothing is to go wrong any more. */
    void end() {
        crashesLeft = 0;
        cutsLeft = 0;
    }

    @Override
    public void onFrame(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        if (crashesLeft + cutsLeft == 0 || !ClusterPlan.isBrick(from.name())) {
            return;
        }
        switch (frame.getByte(index + 4)) {
            case Opcode.SLICE -> {
                perhaps(framesPerCrash, from, to);
                perhapsCut(from, to);
            }
            case Opcode.PREPARE -> {
                if (handsOver(frame, index, length) && !perhaps(decisiveFramesPerCrash, from, to)) {
                    perhapsUnreported(from);
                }
            }
            case Opcode.CONTROL -> control(from, to, ControlFrame.read(frame, index, length));
            default -> {}
        }
    }

    private static boolean handsOver(ByteBuf frame, int index, int length) {
        return GroupHeader.read(frame, index).columns() > 0
                && DecodedPrepare.heads(frame, index, length).stream().anyMatch(DecodedEntry.Head::changesOwner);
    }

    private void control(SimEnv from, SimEnv to, ControlMessage message) {
        switch (message) {
            case SnapshotOpen open -> perhaps(framesPerCrash, from, to);
            case SnapshotOpened opened -> perhaps(framesPerCrash, from, to);
            case SnapshotAck ack -> {
                perhaps(framesPerCrash, from, to);
                perhapsCut(from, to);
            }
            case Activate handOver -> perhaps(decisiveFramesPerCrash, from, to);
            case Heartbeat heartbeat when reportsTheEnd(heartbeat) -> perhaps(decisiveFramesPerCrash, from, from);
            default -> {}
        }
    }

    private static boolean reportsTheEnd(Heartbeat heartbeat) {
        return heartbeat.migrations().stream()
                .anyMatch(report ->
                        report.state() == MigrationState.HANDED_OVER || report.state() == MigrationState.ABANDONED);
    }

    /** Whether one of two bricks crashes soon. */
    private boolean perhaps(int frames, SimEnv one, SimEnv other) {
        if (crashesLeft == 0 || random.nextInt(frames) > 0) {
            return false;
        }
        crash(random.nextBoolean() ? one.name() : other.name(), WITHIN_NANOS >> random.nextInt(WITHIN_SHIFT_MAX));
        return true;
    }

    /** The sender hands the keys over, and crashes before the coordinators hear of it. */
    private void perhapsUnreported(SimEnv sender) {
        if (crashesLeft == 0 || random.nextInt(decisiveFramesPerCrash) > 0) {
            return;
        }
        long silentNanos = random.nextLong(WITHIN_NANOS, UNREPORTED_NANOS_MAX);
        for (String coordinator : ClusterPlan.names("c", cluster.plan().coordinators())) {
            cluster.happen(new Fault.Slow(0, sender.name(), coordinator, silentNanos, silentNanos));
        }
        crash(sender.name(), silentNanos);
    }

    /** The copy goes on over another link. */
    private void perhapsCut(SimEnv one, SimEnv other) {
        if (cutsLeft > 0 && random.nextInt(FRAMES_A_CUT) == 0) {
            cutsLeft--;
            soon(new Fault.Lose(0, one.name(), other.name(), 0), WITHIN_NANOS);
        }
    }

    private void crash(String victim, long withinNanos) {
        crashesLeft--;
        soon(new Fault.Crash(0, victim, random.nextLong(BACK_NANOS_MIN, BACK_NANOS_MAX)), withinNanos);
    }

    private void soon(Fault fault, long withinNanos) {
        cluster.happenAfter(random.nextLong(withinNanos), fault);
    }
}
