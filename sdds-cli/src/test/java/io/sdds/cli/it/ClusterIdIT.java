package io.sdds.cli.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sdds.client.ClientSettings;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import io.sdds.client.UnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Processes that are left from a cluster whose coordinators have lost their directories, beside the cluster that begins
 * there.
 */
@Execution(ExecutionMode.CONCURRENT)
class ClusterIdIT {
    private static final Duration PATIENCE = SddsProcess.PATIENCE;

    @TempDir
    private Path directory;

    private final int port = SddsProcess.freePorts(3);

    private SddsProcess coordinator() {
        return SddsProcess.start(
                "coordinator",
                "--listen",
                address(0),
                "--dir",
                directory.resolve("c1").toString());
    }

    private SddsProcess brick(int number) {
        return SddsProcess.start(
                "brick",
                "--id",
                "b" + number,
                "--listen",
                address(number),
                "--coordinators",
                address(0),
                "--memory",
                "256m",
                "--dir",
                directory.resolve("b" + number).toString());
    }

    private String address(int number) {
        return "127.0.0.1:" + (port + number);
    }

    private String clusterOf(String process) throws IOException {
        return Files.readString(directory.resolve(process).resolve("cluster-id"))
                .strip();
    }

    private void wipe(String process) throws IOException {
        try (Stream<Path> all = Files.walk(directory.resolve(process))) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    private static void kill(SddsProcess process) {
        process.signal("KILL");
        process.end();
    }

    @Test
    void theOldBrickEndsAndTheOldClientIsRefusedWithBothIds() throws IOException {
        try (SddsProcess first = coordinator();
                SddsProcess old = brick(1);
                SddsClient client = connect(first, old)) {
            HashTable<String, String> table =
                    client.createHashTable("names", TableOptions.capacity(100), Codec.utf8(), Codec.utf8());
            table.put("k", "v");
            String own = clusterOf("c1");
            assertThat(clusterOf("b1")).isEqualTo(own);
            kill(first);
            wipe("c1");
            try (SddsProcess second = coordinator()) {
                second.awaitOut("ready");
                String other = clusterOf("c1");
                assertThat(other).isNotEqualTo(own);
                assertEndsWithBothIds(old, own, other);
                assertEndsWithBothIds(brick(1), own, other);

                UnavailableException refused =
                        catchThrowableOfType(UnavailableException.class, () -> table.put("k", "w"));
                assertThat(refused).hasMessageContaining(own).hasMessageContaining(other);
                assertTheNewClusterServes();
            }
        }
    }

    private SddsClient connect(SddsProcess coordinator, SddsProcess brick) {
        coordinator.awaitOut("ready");
        brick.awaitOut("ready");
        ClientSettings settings =
                ClientSettings.builder().followsNewCluster(false).build();
        return SddsClient.connect(List.of(address(0)), settings);
    }

    private static void assertEndsWithBothIds(SddsProcess brick, String own, String other) {
        try (brick) {
            SddsProcess.Ended ended = brick.end();
            assertThat(ended.exitCode()).as(ended.err()).isEqualTo(2);
            assertThat(ended.err().lines())
                    .anyMatch(line -> line.contains("brick 'b1' belongs to cluster " + own)
                            && line.contains("to cluster " + other)
                            && line.contains("cluster-id"));
        }
    }

    private void assertTheNewClusterServes() throws IOException {
        try (SddsProcess fresh = brick(2)) {
            fresh.awaitOut("ready");
            assertThat(clusterOf("b2")).isEqualTo(clusterOf("c1"));
            SddsProcess.runHere(address(0), "table", "create", "names").ok();
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> SddsProcess.runHere(address(0), "put", "names", "k", "v")
                                    .exitCode()
                            == 0);
        }
    }
}
