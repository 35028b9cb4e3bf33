package io.sdds.cli.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.client.ClusterStatus;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.SddsClient;
import io.sdds.client.SddsException;
import io.sdds.client.TableOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tables of several copies on processes that are killed with -9, paused and started again. */
@Execution(ExecutionMode.CONCURRENT)
class ReplicasIT {
    private static final Duration PATIENCE = SddsProcess.PATIENCE;
    private static final int PARTITIONS = 6;
    private static final int RECORDS = 3_000;

    /** One record in so many is left when a table is emptied. */
    private static final int KEPT = 100;

    /** Writes are to go on within 2 s; the machine that tests run on has other things to do as well. */
    private static final Duration STALL_MAX = Duration.ofSeconds(10);

    @TempDir
    private Path directory;

    private static SddsClient connect(UpProcess up) {
        return SddsClient.connect(List.of(up.address()));
    }

    private static HashTable<String, String> table(SddsClient client, TableOptions options) {
        return client.createHashTable("t", options.withPartitions(PARTITIONS), Codec.utf8(), Codec.utf8());
    }

    @Test
    void aBrickKilledUnderWritesTakesNothingAcknowledgedWithItAndGetsItsCopiesBack() throws InterruptedException {
        try (UpProcess up = UpProcess.start(directory, 3, "--respawn");
                SddsClient client = connect(up)) {
            HashTable<String, String> table = table(client.withTimeout(PATIENCE), TableOptions.replicas(2));
            Writer writer = new Writer(table);
            writer.awaitMore(2_000);
            SddsProcess.signal("KILL", up.pid("b2"));
            writer.awaitMore(2_000);
            awaitCopies(client, status -> incarnation(status, "b2") == 2);
            writer.awaitMore(500);
            SddsProcess.signal("KILL", up.pid("b1")); // what only b2's first process and b1 had is at b2's second now
            writer.awaitMore(2_000);
            int written = writer.end();
            assertThat(writer.longestStall()).isLessThan(STALL_MAX);
            awaitCopies(client, status -> incarnation(status, "b1") == 2);
            Writer.assertAreThere(table, written);
            assertThat(table.size()).isEqualTo(written);
        }
    }

    @Test
    @Tag("soak")
    void aTableGrowsUnderWritesWhileABrickIsKilledAndNothingAcknowledgedIsLost() throws InterruptedException {
        try (UpProcess up = UpProcess.start(directory, 3, "--respawn");
                SddsClient client = connect(up)) {
            SddsProcess.Ended created = up.run("table", "create", "t", "--replicas", "2", "--capacity", "200");
            assertThat(created.exitCode()).isZero();
            Writer writer = new Writer(client.withTimeout(PATIENCE).hashTable("t", Codec.utf8(), Codec.utf8()));
            awaitPartitions(client, 4);
            SddsProcess.signal("KILL", up.pid("b2"));
            awaitPartitions(client, 12);
            awaitCopies(client, status -> incarnation(status, "b2") == 2);
            SddsProcess.signal("KILL", up.pid("b1"));
            writer.awaitMore(1_000);
            int written = writer.end();
            awaitCopies(client, status -> incarnation(status, "b1") == 2);
            HashTable<String, String> table = client.hashTable("t", Codec.utf8(), Codec.utf8());
            Writer.assertAreThere(table, written);
            assertThat(table.size()).isEqualTo(written);
        }
    }

    @Test
    @Tag("soak")
    void anEmptiedTableShrinksWhileABrickIsKilledAndKeepsWhatIsLeft() {
        try (UpProcess up = UpProcess.start(directory, 3, "--respawn");
                SddsClient client = connect(up)) {
            SddsProcess.Ended created = up.run("table", "create", "t", "--replicas", "2", "--capacity", "200");
            assertThat(created.exitCode()).isZero();
            HashTable<String, String> table = client.withTimeout(PATIENCE).hashTable("t", Codec.utf8(), Codec.utf8());
            Map<String, String> records = new TreeMap<>();
            IntStream.range(0, RECORDS).forEach(k -> records.put("key-" + k, "value-" + k));
            table.putAll(records);
            awaitPartitions(client, 8);
            // one at a time: thousands at once may be too much for cold bricks, which refuse them
            IntStream.range(0, RECORDS)
                    .filter(k -> k % KEPT != 0)
                    .forEach(k -> assertThat(table.remove("key-" + k)).isTrue());
            int most = partitions(client);
            Awaitility.await().atMost(PATIENCE).until(() -> partitions(client) < most);
            SddsProcess.signal("KILL", up.pid("b2"));
            table.put("while", "it shrinks");
            Awaitility.await().atMost(PATIENCE).until(() -> partitions(client) == 1);
            awaitCopies(client, status -> incarnation(status, "b2") == 2);
            SddsProcess.signal("KILL", up.pid("b1"));
            Writer.assertAreThere(table, "key-", IntStream.range(0, RECORDS).filter(k -> k % KEPT == 0));
            assertThat(table.get("while")).isEqualTo("it shrinks");
            assertThat(table.size()).isEqualTo(RECORDS / KEPT + 1);
        }
    }

    @Test
    void aPausedMemberIsLeftBehindAndWritesWaitForTheCopiesThatTheTableAsksFor() {
        try (UpProcess up = UpProcess.start(directory, 3);
                SddsClient client = connect(up)) {
            HashTable<String, String> table =
                    table(client, TableOptions.replicas(3).withMinCopies(3));
            HashTable<String, String> spare = client.createHashTable(
                    "two", TableOptions.replicas(3).withMinCopies(2).withPartitions(2), Codec.utf8(), Codec.utf8());
            table.put("a", "b");
            SddsProcess.signal("STOP", up.pid("b3"));
            spare.put("while b3", "is paused");
            HashTable<String, String> hasty =
                    client.withTimeout(Duration.ofSeconds(3)).hashTable("t", Codec.utf8(), Codec.utf8());
            assertThatThrownBy(() -> hasty.put("a", "c"))
                    .isInstanceOf(SddsException.class)
                    .hasMessageContaining("fewer copies than its table asks for");
            assertThat(table.get("a")).isEqualTo("b");
            SddsProcess.signal("CONT", up.pid("b3"));
            awaitCopies(client, status -> true);
            table.put("a", "d");
            assertThat(table.get("a")).isEqualTo("d");
            assertThat(spare.get("while b3")).isEqualTo("is paused");
        }
    }

    private static long incarnation(ClusterStatus status, String brick) {
        return status.bricks().stream()
                .filter(each -> each.id().equals(brick))
                .findFirst()
                .orElseThrow()
                .incarnation();
    }

    private static void awaitPartitions(SddsClient client, int least) {
        Awaitility.await().atMost(PATIENCE).until(() -> partitions(client) >= least);
    }

    private static int partitions(SddsClient client) {
        return client.status(false).tables().getFirst().partitions();
    }

    /** Until every partition has all its copies again. */
    private static void awaitCopies(SddsClient client, Predicate<ClusterStatus> first) {
        Awaitility.await().atMost(PATIENCE).until(() -> {
            ClusterStatus status = client.status(true);
            return first.test(status)
                    && status.joins().isEmpty()
                    && status.partitions().stream()
                            .allMatch(
                                    partition -> partition.backups().size() + 1 == replicas(status, partition.table()));
        });
    }

    private static int replicas(ClusterStatus status, int table) {
        return status.tables().stream()
                .filter(each -> each.id() == table)
                .findFirst()
                .orElseThrow()
                .options()
                .replicas();
    }
}
