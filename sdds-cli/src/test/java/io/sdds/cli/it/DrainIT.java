package io.sdds.cli.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sdds.client.ClusterStatus;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bricks are taken out of a cluster of processes. */
class DrainIT {
    private static final Duration PATIENCE = SddsProcess.PATIENCE;
    private static final int PARTITIONS = 6;

    /** A group's writes pause for milliseconds; the machine that tests run on has other things to do as well. */
    private static final Duration STALL_MAX = Duration.ofSeconds(5);

    @TempDir
    private Path directory;

    private static HashTable<String, String> table(SddsClient client, TableOptions options) {
        return client.withTimeout(PATIENCE)
                .createHashTable("t", options.withPartitions(PARTITIONS), Codec.utf8(), Codec.utf8());
    }

    /** With two copies of each partition others are made elsewhere. */
    @Test
    void aBrickWithCopiesIsDrainedUnderWritesAndNothingAcknowledgedIsLost() throws InterruptedException {
        drainUnderWrites(2);
    }

    @Test
    @Tag("soak")
    void aBrickWithSolePartitionsIsDrainedUnderWritesAndNothingAcknowledgedIsLost() throws InterruptedException {
        drainUnderWrites(1);
    }

    private void drainUnderWrites(int replicas) throws InterruptedException {
        try (UpProcess up = UpProcess.start(directory, 4);
                SddsClient client = SddsClient.connect(List.of(up.address()))) {
            HashTable<String, String> table = table(client, TableOptions.replicas(replicas));
            Writer writer = new Writer(table);
            writer.awaitMore(2_000);
            writer.forgetStalls();
            JsonNode drained = up.run("brick-drain", "b2", "--json").ok().json();
            assertThat(drained.get("draining").booleanValue()).isTrue();
            assertThat(drained.get("partitions_left").intValue()).isZero();
            assertThat(up.brick("b2").get("draining").booleanValue()).isTrue();
            assertNothingIsOn("b2", client.status(true), replicas);
            writer.awaitMore(500);
            SddsProcess.signal("TERM", up.pid("b2"));
            Awaitility.await().atMost(PATIENCE).until(() -> !SddsProcess.isAlive(up.pid("b2")));
            writer.awaitMore(2_000);
            int written = writer.end();
            System.out.println("longest stall of " + written + " writes to " + replicas + " copies from the drain on: "
                    + writer.longestStall());
            assertThat(writer.longestStall()).isLessThan(STALL_MAX);
            Writer.assertAreThere(table, written);
            assertThat(table.size()).isEqualTo(written);
        }
    }

    @Test
    @Tag("soak")
    void termDrainsABrickBeforeItsProcessEnds() {
        try (UpProcess up = UpProcess.start(directory, 3);
                SddsClient client = SddsClient.connect(List.of(up.address()))) {
            HashTable<String, String> table = table(client, TableOptions.replicas(2));
            for (int k = 0; k < 1000; k++) {
                table.put("key-" + k, "value-" + k);
            }
            SddsProcess.signal("TERM", up.pid("b1"));
            up.process().awaitErr("b1 (process " + up.pid("b1") + ") ended with code 0");
            assertNothingIsOn("b1", client.status(true), 2);
            SddsProcess.signal("KILL", up.pid("b2")); // the third brick has all
            Writer.assertAreThere(table, 1000);
        }
    }

    @Test
    @Tag("soak")
    void termMovesAPartitionOfOneCopyAwayBeforeItsBrickEnds() {
        try (UpProcess up = UpProcess.start(directory, 2);
                SddsClient client = SddsClient.connect(List.of(up.address()))) {
            HashTable<String, String> table = table(client, TableOptions.replicas(1));
            for (int k = 0; k < 1000; k++) {
                table.put("key-" + k, "value-" + k);
            }
            SddsProcess.signal("TERM", up.pid("b1"));
            up.process().awaitErr("b1 (process " + up.pid("b1") + ") ended with code 0");
            assertNothingIsOn("b1", client.status(true), 1);
            for (int k = 0; k < 1000; k++) {
                assertThat(table.get("key-" + k)).isEqualTo("value-" + k);
            }
        }
    }

    @Test
    void aBrickThatCanNotBeDrainedGoesOnAndASecondTermStopsItAtOnce() {
        try (UpProcess up = UpProcess.start(directory, 2);
                SddsClient client = SddsClient.connect(List.of(up.address()))) {
            HashTable<String, String> table = table(client, TableOptions.replicas(2));
            table.put("a", "b");
            SddsProcess.signal("TERM", up.pid("b1"));
            awaitError("b1", "table t keeps 2 copies, and 1 other brick is up");
            table.put("a", "c");
            assertThat(up.brick("b1").get("draining").booleanValue()).isFalse();
            SddsProcess.signal("TERM", up.pid("b1"));
            up.process().awaitErr("b1 (process " + up.pid("b1") + ") ended with code 0");
            assertThat(table.get("a")).isEqualTo("c");
        }
    }

    private void awaitError(String brick, String line) {
        Path errors = directory.resolve(brick).resolve("log/stderr.log");
        Awaitility.await().atMost(PATIENCE).until(() -> Files.readString(errors).contains(line));
    }

    private static void assertNothingIsOn(String brick, ClusterStatus status, int replicas) {
        assertThat(status.partitions()).hasSize(PARTITIONS).allSatisfy(partition -> {
            assertThat(partition.brick()).isNotEqualTo(brick);
            assertThat(partition.backups()).hasSize(replicas - 1).doesNotContain(brick);
        });
    }
}
