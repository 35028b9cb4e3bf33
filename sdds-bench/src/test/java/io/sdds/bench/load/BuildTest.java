package io.sdds.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import io.sdds.testkit.EmbeddedCluster;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class BuildTest {
    private static EmbeddedCluster cluster;

    @BeforeAll
    static void start() {
        cluster = EmbeddedCluster.start(2);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static BuildSettings settings(int clients, int records) {
        return new BuildSettings("build", TableOptions.capacity(100), clients, 1, records, 20);
    }

    private static BuildResult build(int clients, int records) throws InterruptedException {
        try (SddsClient one = SddsClient.connect(cluster.address());
                SddsClient other = SddsClient.connect(cluster.address())) {
            return Build.run(
                    cluster.client(), List.of(one, other), settings(clients, records), LoadProgress.Listener.none());
        }
    }

    @Test
    void notesEachInsertOfEachClientOnce() throws Exception {
        BuildResult result = build(2, 3_000);

        assertThat(result.traces()).hasSize(2);
        assertThat(result.traces().stream().mapToInt(LatencyTrace::size).sum()).isEqualTo(3_000);
        assertThat(result.traces()).allSatisfy(trace -> assertThat(trace.size()).isPositive());
        assertThat(result.seconds()).isPositive();
    }

    @Test
    void tellsHowTheTableGrew() throws Exception {
        BuildResult result = build(1, 3_000);

        assertThat(result.sizes().get(0)).isEqualTo(new BuildResult.Size(0, 0, 1));
        assertThat(result.sizes()).isSortedAccordingTo((a, b) -> Integer.compare(a.partitions(), b.partitions()));
        assertThat(result.sizes()).isSortedAccordingTo((a, b) -> Long.compare(a.inserted(), b.inserted()));
        assertThat(result.partitions()).isGreaterThan(2);
        assertThat(result.splits())
                .isNotEmpty()
                .allSatisfy(span -> assertThat(span.fromSeconds()).isLessThan(span.toSeconds()));
    }

    @Test
    void dropsTheTable() throws Exception {
        build(1, 10);
        assertThat(cluster.client().tables()).isEmpty();
    }

    @Test
    void refusesSettingsThatMakeNoSense() {
        assertThatThrownBy(() -> settings(0, 10)).hasMessage("clients of 0 is not within 1 to 64");
        assertThatThrownBy(() -> settings(2, 1)).hasMessage("records of 1 is not within 2 to 50000000");
    }
}
