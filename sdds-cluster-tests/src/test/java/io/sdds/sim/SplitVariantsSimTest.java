package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.Activate;
import io.sdds.core.control.ControlMessage.SnapshotAck;
import io.sdds.core.model.Shipping;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.Splitting;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.Status;
import io.sdds.sim.frame.DecodedSlice;
import io.sdds.sim.frame.SliceEntry;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import io.sdds.sim.world.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the variants of splitting are to do, seen from outside; that they do nothing wrong is GrowingTableSimTest's. */
class SplitVariantsSimTest {
    private static final int OPERATIONS = 600;
    private static final SplitPolicy INDIVIDUAL = SplitPolicy.DEFAULT.withShipping(Shipping.INDIVIDUAL);

    @Test
    void anAtomicSplitServesNothingMeanwhileAndAConcurrentOneDoes() {
        assertThat(servedDuringFirstSplits(Splitting.ATOMIC)).isZero();
        assertThat(servedDuringFirstSplits(Splitting.CONCURRENT)).isGreaterThan(10);
    }

    private static int servedDuringFirstSplits(Splitting splitting) {
        return LongStream.range(1, 8)
                .mapToInt(seed -> run(seed, INDIVIDUAL.withSplitting(splitting), simulation -> new Served()).replies)
                .sum();
    }

    @ParameterizedTest
    @EnumSource(value = Splitting.class, names = "UNKNOWN", mode = EnumSource.Mode.EXCLUDE)
    void individualShippingSendsOneRecordAndWaitsUntilItIsTaken(Splitting splitting) {
        for (long seed = 1; seed < 8; seed++) {
            OneByOne slices = run(seed, INDIVIDUAL.withSplitting(splitting), simulation -> new OneByOne());
            assertThat(slices.count).as("slices of seed %d", seed).isGreaterThan(20);
        }
    }

    @Test
    void smallerSlicesAreMore() {
        assertThat(slices(SplitPolicy.DEFAULT.withSliceBytes(1))).isGreaterThan(slices(SplitPolicy.DEFAULT));
    }

    private static int slices(SplitPolicy policy) {
        return LongStream.range(1, 8)
                .mapToInt(seed -> run(seed, policy, simulation -> new Counting()).slices)
                .sum();
    }

    private static <W extends SimNetwork.FrameWatch> W run(
            long seed, SplitPolicy policy, Function<Simulation, W> watching) {
        ClusterPlan plan = withSplit(ClusterPlan.draw(seed, ClusterPlan.Severity.CALM, OPERATIONS), policy);
        List<W> watches = new ArrayList<>();
        ClusterRun.of(plan, cluster -> {
            watches.add(watching.apply(cluster.simulation()));
            cluster.simulation().network().watch(watches.get(0));
        });
        return watches.get(0);
    }

    /**
     * Replies of the brick with the only partition, between the first and the last word of the child that it has taken
     * a slice.
     */
    private static final class Served implements SimNetwork.FrameWatch {
        private @Nullable SimEnv parent;
        private boolean begun;
        private boolean over;
        private long lastSlice;
        private int sinceAcked;
        private int replies;

        @Override
        public void onFrame(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
            byte opcode = frame.getByte(index + 4);
            if (opcode == Opcode.SLICE && parent == null) {
                parent = from;
            } else if (opcode == Opcode.REPLY && from == parent && begun) {
                byte status = frame.getByte(index + ReplyFrame.STATUS);
                sinceAcked += status == Status.OK || status == Status.ABSENT ? 1 : 0;
            }
            ControlMessage message = message(frame, index, length);
            over |= message instanceof Activate;
            if (message instanceof SnapshotAck acked && !over && (!begun || acked.slice() > lastSlice)) {
                begun = true;
                lastSlice = acked.slice();
                replies += sinceAcked;
                sinceAcked = 0;
            }
        }
    }

    /** That a slice has one record at most, and leaves when the one before was acknowledged. */
    private static final class OneByOne implements SimNetwork.FrameWatch {
        private final Map<Long, Long> acked = new TreeMap<>();
        private int count;

        @Override
        public void onFrame(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
            if (frame.getByte(index + 4) == Opcode.SLICE) {
                count++;
                DecodedSlice slice = DecodedSlice.read(frame, index, length);
                assertThat(acked.getOrDefault(slice.header().migration(), 0L))
                        .isEqualTo(slice.header().number() - 1);
                assertThat(slice.count(SliceEntry.Copied.class)).isLessThanOrEqualTo(1);
            } else if (message(frame, index, length) instanceof SnapshotAck ack) {
                acked.put(ack.migration(), ack.slice());
            }
        }
    }

    private static final class Counting implements SimNetwork.FrameWatch {
        private int slices;

        @Override
        public void onFrame(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
            slices += frame.getByte(index + 4) == Opcode.SLICE ? 1 : 0;
        }
    }

    private static @Nullable ControlMessage message(ByteBuf frame, int index, int length) {
        return frame.getByte(index + 4) == Opcode.CONTROL ? ControlFrame.read(frame, index, length) : null;
    }

    private static ClusterPlan withSplit(ClusterPlan plan, SplitPolicy policy) {
        return plan.with(plan.table().withSplit(policy));
    }
}
