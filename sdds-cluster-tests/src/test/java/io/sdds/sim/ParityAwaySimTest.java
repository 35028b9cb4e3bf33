package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Fault;
import io.sdds.sim.plan.FaultPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.plan.WorkloadPlan;
import io.sdds.sim.world.SimNetwork;
import io.sdds.sim.world.Simulation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** While a parity cannot be reached, its columns take no writes, and go on answering reads by their lease. */
class ParityAwaySimTest {
    private static final long MILLI = 1_000_000L;
    private static final long AT_NANOS = 300 * MILLI;

    /** Shorter than the time after which a primary reports that it misses a member. */
    private static final long AWAY_NANOS = 1_500 * MILLI;

    private static final long STALLED_NANOS = 1_000 * MILLI;
    private static final long USUAL_NANOS = 250 * MILLI;
    private static final long TIMEOUT_NANOS = 10_000 * MILLI;
    private static final int SEEDS = 6;

    @Test
    void writesWaitAndReadsGoOnWhileAParityCantBeReached() {
        ClusterSeeds seeds = new ClusterSeeds(Scenario.PARITY, ClusterPlan.Severity.CALM);
        List<Long> suitable = LongStream.range(1, 1_000)
                .filter(seed -> isSuitable(seeds.plan(seed)))
                .limit(SEEDS)
                .boxed()
                .toList();
        List<Delays> delays = ClusterSeeds.each(suitable, seed -> run(seeds.plan(seed)));
        assertThat(delays).anyMatch(run -> run.longestWriteNanos >= STALLED_NANOS);
        assertThat(delays).allSatisfy(run -> {
            assertThat(run.failures).isZero();
            assertThat(run.longestReadNanos).isBetween(1L, USUAL_NANOS);
        });
    }

    private static Delays run(ClusterPlan plan) {
        Delays delays = new Delays();
        WorkloadPlan patient = plan.table().workload().withTimeoutNanos(TIMEOUT_NANOS);
        List<Fault> apart = List.of(new Fault.Apart(AT_NANOS, "b1", "b2", AWAY_NANOS));
        ClusterRun.Outcome outcome = ClusterRun.of(
                plan.with(plan.table().withWorkload(patient)).with(new FaultPlan(apart)),
                cluster -> cluster.simulation().network().watch(delays.of(cluster.simulation())));
        delays.failures = outcome.failures();
        return delays;
    }

    /** Plans in which nothing else makes an operation wait. */
    private static boolean isSuitable(ClusterPlan plan) {
        WorkloadPlan workload = plan.table().workload();
        return !plan.mayRefuse()
                && workload.valueBytesMax() < 1_000
                && !workload.adjustmentsOnly()
                && workload.windowRequests() > 8
                && plan.sessionLeaseNanos() > TIMEOUT_NANOS
                && plan.faultsNanos() > AT_NANOS + AWAY_NANOS;
    }

    /** How long clients waited for the replies to their reads and writes of a key. */
    private static final class Delays {
        private final Map<String, Long> readsSentNanos = new HashMap<>();
        private final Map<String, Long> writesSentNanos = new HashMap<>();
        private long longestReadNanos;
        private long longestWriteNanos;
        private long failures;

        SimNetwork.FrameWatch of(Simulation simulation) {
            return (connection, from, to, frame, index, length) -> {
                byte opcode = frame.getByte(index + 4);
                if (ClusterPlan.isClient(from.name()) && Opcode.isRequest(opcode) && Opcode.isOfKey(opcode)) {
                    Map<String, Long> sent = Opcode.isWrite(opcode) ? writesSentNanos : readsSentNanos;
                    sent.put(name(connection, frame, index + RequestFrame.CORRELATION), simulation.nowNanos());
                } else if (ClusterPlan.isClient(to.name()) && opcode == Opcode.REPLY) {
                    reply(name(connection, frame, index + ReplyFrame.CORRELATION), simulation.nowNanos(), frame, index);
                }
            };
        }

        private void reply(String request, long nowNanos, ByteBuf frame, int index) {
            Long read = readsSentNanos.remove(request);
            Long write = writesSentNanos.remove(request);
            if (read != null) {
                longestReadNanos = Math.max(longestReadNanos, nowNanos - read);
            } else if (write != null && frame.getByte(index + ReplyFrame.STATUS) == Status.OK) {
                longestWriteNanos = Math.max(longestWriteNanos, nowNanos - write);
            }
        }

        private static String name(long connection, ByteBuf frame, int correlationAt) {
            return connection + "/" + frame.getIntLE(correlationAt);
        }
    }
}
