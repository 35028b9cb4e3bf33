package io.sdds.sim.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.internal.routing.WriteOptions;
import io.sdds.core.stage.StageLimits;
import io.sdds.sim.ClusterSeeds;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.plan.WorkloadPlan;
import io.sdds.sim.world.ServiceTimes;
import io.sdds.sim.world.Simulation;
import io.sdds.testkit.check.Operation.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A client with a steady load keeps its latency while another client has thousands of puts under way, of a table with
 * copies or parity. A brick has 4 µs of work for a frame, and about 20 µs for such a put.
 */
class FairnessSimTest {
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;
    private static final int WORK = 4;
    private static final int PUTS = 30_000;

    /** Puts of the burst under way, of which a brick has a third: about 50 ms of work. */
    private static final int WINDOW = 8_192;

    private static final long QUIET_NANOS_MAX = MILLI;

    /** The work of one turn of the burst, and of what a turn makes other bricks send. */
    private static final long BESIDE_NANOS_MAX = 6 * MILLI;

    private final List<Long> latencies = new ArrayList<>();
    private boolean over;

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void aGetWaitsForOneTurnOfABurstAndNotForTheBurst(long seed) {
        try (SimCluster cluster = new SimCluster(plan(seed))) {
            Simulation simulation = cluster.simulation();
            Workload workload = new Workload(cluster.plan().table().workload());
            cluster.start();
            SimClient reader = client(cluster, workload, 1);
            SimClient burst = client(cluster, workload, 2);
            assertThat(simulation.runUntil(() -> reader.isReady() && burst.isReady(), 60 * SECOND))
                    .isTrue();

            reader.env().execute(() -> read(reader, 0));
            simulation.runFor(300 * MILLI);
            assertThat(p99()).isLessThan(QUIET_NANOS_MAX);

            burst.loops().get(0).startLanes();
            assertThat(simulation.runUntil(
                            () -> !workload.isLeft() && burst.loops().get(0).isIdle(), 60 * SECOND))
                    .isTrue();
            assertThat(p99()).isLessThan(BESIDE_NANOS_MAX);
            over = true;
        }
    }

    private static SimClient client(SimCluster cluster, Workload workload, int number) {
        SimClient client = new SimClient(cluster, List.of(workload), number, "client" + number);
        workload.add(client.loops().get(0));
        client.setUp(true, ready -> {});
        return client;
    }

    /** Gets a record each millisecond. */
    private void read(SimClient reader, int number) {
        if (over) {
            return;
        }
        reader.env().schedule(MILLI, () -> read(reader, number + 1));
        long started = reader.env().nowNanos();
        SimOperation get = SimOperation.of(new SimOperation.Call(
                reader.loops().get(0).table(),
                started + 5 * SECOND,
                new SimOperation.Asked(Kind.GET, "k" + number, null, null, WriteOptions.NONE),
                new Values(0, false),
                (result, out, version, failure) -> latencies.add(reader.env().nowNanos() - started)));
        assertThat(reader.node().window().tryEnter(get.windowBytes())).isTrue();
        get.run();
    }

    /** Of the latencies since the last call. */
    private long p99() {
        Collections.sort(latencies);
        assertThat(latencies).hasSizeGreaterThan(100);
        long p99 = latencies.get(latencies.size() * 99 / 100);
        latencies.clear();
        return p99;
    }

    /** A healthy cluster with the usual bounds, and a table that does not split. */
    private static ClusterPlan plan(long seed) {
        ClusterPlan drawn = new ClusterSeeds(Scenario.BURSTS, ClusterPlan.Severity.CALM).plan(seed);
        return new ClusterPlan(
                seed,
                1,
                drawn.bricks(),
                1,
                2,
                256L << 20,
                drawn.network(),
                drawn.brickDelayNanos(),
                ServiceTimes.DEFAULT.times(WORK),
                StageLimits.DEFAULT,
                64 << 20,
                0,
                drawn.sessionLeaseNanos(),
                drawn.mergeAfterNanos(),
                drawn.rebalanceAfterNanos(),
                drawn.faults(),
                0,
                List.of(drawn.table().withCapacity(10 * PUTS).withWorkload(puts())));
    }

    private static WorkloadPlan puts() {
        return new WorkloadPlan(
                PUTS,
                PUTS,
                1,
                0,
                100,
                1_000,
                WorkloadPlan.PATIENCE_NANOS,
                0,
                150,
                WINDOW,
                false,
                0,
                0,
                false,
                false,
                WorkloadPlan.Queries.NONE);
    }
}
