package io.sdds.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.PooledByteBufAllocator;
import io.sdds.client.ClientSettings;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.TableOptions;
import io.sdds.testkit.EmbeddedCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The load generator, and that overload costs no memory; what it costs in throughput needs a machine of its own. */
@Isolated("it measures")
class OverloadTest {
    private static final OverloadSettings SHORT = new OverloadSettings(
            LoadMode.MIXED, 2, 100, 1000, List.of(1.0, 10.0), Duration.ofMillis(300), Duration.ofMillis(400), 400);

    @Test
    void tenTimesTheSaturatingLoadIsAnsweredOrRefusedAndCostsNoMemory() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(1)) {
            cluster.client().createHashTable("t", TableOptions.defaults(), Codec.bytes(), Codec.bytes());
            run(cluster);
            long before = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory(); // what it took, used now or not
            OverloadResult result = run(cluster);
            assertThat(result.isSound()).isTrue();
            assertThat(PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory() - before)
                    .as("buffers of the second run beyond those of the first")
                    .isLessThan(64 << 20);

            assertThat(result.kneeOutstanding()).isEqualTo(400);
            OverloadResult.Step closed = result.closed().get(1);
            assertThat(closed.connections()).isEqualTo(20);
            assertThat(closed.outstanding()).isEqualTo(4000);
            assertThat(closed.goodputPerSecond()).isPositive();
            OverloadResult.Step open = result.open().get(1);
            assertThat(open.offeredPerSecond()).isGreaterThan(9 * result.peakPerSecond());
            assertThat(open.goodputPerSecond()).isPositive();
            assertThat(open.late() + open.refusedPerSecond()).isPositive();
            assertThat(LoadReports.text("x", result)).contains("10.0x").contains("of knee");
            assertThat(LoadReports.document("x", result)).containsKeys("closed", "open", "knee_outstanding");
        }
    }

    @Test
    void framesOfItsOwnReadAndWriteATableOfSeveralBricksWithCopies() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(2)) {
            TableOptions options = TableOptions.defaults().withReplicas(2).withPartitions(4);
            cluster.client().createHashTable("t", options, Codec.bytes(), Codec.bytes());
            for (LoadMode mode : List.of(LoadMode.READ, LoadMode.WRITE)) {
                OverloadSettings settings = new OverloadSettings(
                        mode, 2, 100, 1000, List.of(1.0, 10.0), Duration.ofMillis(100), Duration.ofMillis(200), 40);
                OverloadResult result = Overload.run(cluster(cluster, ClientSettings.defaults()), "t", settings, true);
                assertThat(result.isSound())
                        .as(LoadReports.text(mode.text(), result))
                        .isTrue();
                assertThat(result.closed()).allMatch(step -> step.goodputPerSecond() > 0);
                assertThat(result.open()).allMatch(step -> step.goodputPerSecond() > 0);
            }
        }
    }

    @Test
    void recordsThatAGroupHasNoRoomForAtOnceAreWrittenWhenItHas() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(2)) {
            HashTable<byte[], byte[]> table = cluster.client()
                    .createHashTable("t", TableOptions.defaults().withReplicas(2), Codec.bytes(), Codec.bytes());
            LoadSettings load = LoadSettings.defaults()
                    .withServices(1, 1)
                    .withRecords(3000, 16_000)
                    .withTimes(Duration.ofMillis(20), Duration.ofMillis(50));

            assertThat(ClosedLoop.run(load, table, LoadProgress.Listener.none()).isSound())
                    .isTrue();
            assertThat(table.size()).isEqualTo(3000);
        }
    }

    private static OverloadResult run(EmbeddedCluster cluster) throws InterruptedException {
        ClientSettings settings =
                ClientSettings.builder().timeout(Duration.ofSeconds(20)).build();
        return Overload.run(cluster(cluster, settings), "t", SHORT, false);
    }

    private static LoadCluster cluster(EmbeddedCluster cluster, ClientSettings settings) {
        return new LoadCluster(
                cluster.client(), List.of(cluster.address()), settings, "", LoadProgress.Listener.none());
    }

    @Test
    void theSaturatingLoadItselfIsAlwaysAStep() {
        OverloadSettings settings = new OverloadSettings(
                LoadMode.READ, 2, 150, 1000, List.of(10.0), Duration.ZERO, Duration.ofSeconds(1), 0);
        assertThat(settings.factors()).containsExactly(1.0, 10.0);
        assertThat(OverloadSettings.defaults().factors()).containsExactly(0.5, 1.0, 2.0, 10.0);
    }

    @Test
    void refusesStepsThatAreNone() {
        assertThatThrownBy(() -> new OverloadSettings(
                        LoadMode.READ, 2, 150, 1000, List.of(0.0), Duration.ZERO, Duration.ofSeconds(1), 0))
                .hasMessageContaining("steps of [0.0]");
        assertThatThrownBy(() -> new OverloadSettings(
                        LoadMode.READ, 0, 150, 1000, List.of(1.0), Duration.ZERO, Duration.ofSeconds(1), 0))
                .hasMessageContaining("connections of 0");
    }
}
