package io.sdds.sim.fault;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.cluster.SimBrick;
import io.sdds.sim.frame.DecodedSlice;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Fault;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Faults that happen just when a parity group is recovered, because recoveries are short, so that chance alone seldom
 * hits them. Bricks that take part crash: the parity member that leads a column, the primary that answers it, the spare
 * before and after it becomes primary, and the parity member that joins. Links between them are slow or break. Bricks
 * also crash just when a column that moves changes hands. In plans with little memory a spare or a parity member that
 * joins has hardly any memory for a time.
 */
final class ParityFaults implements SimNetwork.FrameWatch {
    private static final int RUNS_WITHOUT_CRASHES = 3;
    private static final int CRASHES_MAX = 6;
    private static final int SEALS_A_CRASH = 3;
    private static final String COORDINATOR = "c1";
    private static final int FRAMES_A_CRASH_MAX = 60;
    private static final int FRAMES_A_DELAY_MAX = 100;
    private static final int DELAYS_A_LOSS = 3;
    private static final int REQUESTS_A_LATE_ANSWER = 12;

    /** Longer than a spare waits for an answer. */
    private static final long LATE_NANOS_MIN = 1_000_000_000L;

    private static final int SQUEEZES_MAX = 5;
    private static final int REQUESTS_A_SQUEEZE = 8;
    private static final long LEFT_BYTES_MAX = 32 << 10;
    private static final long SHORT_NANOS_MAX = 5_000_000_000L;
    private static final int DELAYS_MAX = 200;
    private static final long WITHIN_NANOS = 3_000_000L;
    private static final long BACK_NANOS_MIN = 5_000_000L;
    private static final long BACK_NANOS_MAX = 3_000_000_000L;
    private static final long EXTRA_NANOS_MAX = 300_000_000L;
    private static final long LONG_EXTRA_NANOS_MAX = 2_500_000_000L;
    private static final int LONG_EXTRAS = 4;
    private static final long DELAYED_NANOS_MAX = 1_000_000_000L;

    private final FaultyCluster cluster;
    private final SplittableRandom random;
    private final int framesPerCrash;
    private final int framesPerDelay;
    private final SplittableRandom memories;
    private int crashesLeft;
    private int delaysLeft;
    private int squeezesLeft;

    ParityFaults(FaultyCluster cluster) {
        this.cluster = cluster;
        this.random = cluster.simulation().fork("parity faults");
        boolean aims = cluster.plan().hasParity() && cluster.plan().faults().losesMemory();
        this.framesPerCrash = random.nextInt(2, FRAMES_A_CRASH_MAX);
        this.framesPerDelay = random.nextInt(2, FRAMES_A_DELAY_MAX);
        boolean crashes = aims && random.nextInt(RUNS_WITHOUT_CRASHES) > 0;
        this.crashesLeft = crashes ? random.nextInt(1, CRASHES_MAX) : 0;
        this.delaysLeft = aims && random.nextBoolean() ? DELAYS_MAX : 0;
        this.memories = cluster.simulation().fork("parity memories");
        this.squeezesLeft = aims && cluster.plan().mayFill() ? memories.nextInt(SQUEEZES_MAX) : 0;
    }

    /** Nothing is to go wrong any more. */
    void end() {
        crashesLeft = 0;
        delaysLeft = 0;
        squeezesLeft = 0;
    }

    @Override
    public void onFrame(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        byte opcode = frame.getByte(index + 4);
        if (opcode == Opcode.SLICE && crashesLeft > 0 && DecodedSlice.isSealed(frame, index, length)) {
            onSeal(from.name(), to.name());
        }
        if (!isOfRecovery(opcode) || !ClusterPlan.isBrick(from.name())) {
            return;
        }
        if (squeezesLeft > 0
                && (opcode == Opcode.COLUMN_WANTED || opcode == Opcode.JOIN_WANTED)
                && memories.nextInt(REQUESTS_A_SQUEEZE) == 0) {
            squeezesLeft--;
            soon(new Fault.Squeeze(
                    0, from.name(), memories.nextLong(LEFT_BYTES_MAX), memories.nextLong(SHORT_NANOS_MAX)));
        }
        if (crashesLeft > 0 && random.nextInt(framesPerCrash) == 0) {
            crashesLeft--;
            boolean ofLead = opcode == Opcode.RANKS_WANTED;
            SimEnv victim = random.nextInt(4) < (ofLead ? 3 : 2) ? from : to;
            soon(new Fault.Crash(0, victim.name(), random.nextLong(BACK_NANOS_MIN, BACK_NANOS_MAX)));
        }
        if (delaysLeft > 0 && random.nextInt(framesPerDelay) == 0) {
            delaysLeft--;
            delay(from.name(), to.name());
        }
        if (delaysLeft > 0 && opcode == Opcode.COLUMN_WANTED && random.nextInt(REQUESTS_A_LATE_ANSWER) == 0) {
            delaysLeft--;
            long extra = random.nextLong(LATE_NANOS_MIN, LONG_EXTRA_NANOS_MAX);
            cluster.happen(new Fault.Slow(0, to.name(), from.name(), extra, extra));
        }
    }

    /** A column is about to change hands: its old or its new brick crashes, or a brick that may have a parity. */
    private void onSeal(String from, String to) {
        if (random.nextInt(SEALS_A_CRASH) == 0) {
            crashesLeft--;
            List<SimBrick> bricks = cluster.bricks();
            String any = bricks.get(random.nextInt(bricks.size())).name();
            String victim = random.nextInt(3) == 0 ? any : random.nextBoolean() ? from : to;
            soon(new Fault.Crash(0, victim, random.nextLong(BACK_NANOS_MIN, BACK_NANOS_MAX)));
            if (random.nextBoolean()) {
                // the old brick's report comes late, perhaps after the next process of the new one
                soon(new Fault.Crash(0, COORDINATOR, random.nextLong(BACK_NANOS_MIN, BACK_NANOS_MAX)));
            }
        }
    }

    private static boolean isOfRecovery(byte opcode) {
        return opcode >= Opcode.RANKS_WANTED && opcode <= Opcode.JOIN;
    }

    private void delay(String from, String to) {
        if (random.nextInt(DELAYS_A_LOSS) == 0) {
            long refused = random.nextBoolean() ? 0 : random.nextLong(DELAYED_NANOS_MAX);
            soon(new Fault.Lose(0, from, to, refused));
        } else {
            boolean there = random.nextBoolean();
            long extra = random.nextLong(random.nextInt(LONG_EXTRAS) == 0 ? LONG_EXTRA_NANOS_MAX : EXTRA_NANOS_MAX);
            soon(new Fault.Slow(0, there ? from : to, there ? to : from, extra, random.nextLong(DELAYED_NANOS_MAX)));
        }
    }

    private void soon(Fault fault) {
        cluster.happenAfter(random.nextLong(WITHIN_NANOS), fault);
    }
}
