package io.sdds.cli.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.ClusterStatus;
import io.sdds.client.ClusterStatus.PartitionStatus;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.SddsClient;
import io.sdds.client.TableInfo.Health;
import io.sdds.client.TableOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tables with parity on processes that are killed with -9. */
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
class ParityIT {
    private static final Duration PATIENCE = SddsProcess.PATIENCE;

    /** Writes are to go on within 2 s. The machine that tests run on has other work, too. */
    private static final Duration STALL_MAX = Duration.ofSeconds(10);

    private static final Health WHOLE = new Health(2, 0, 0, 0, false);

    @TempDir
    private Path directory;

    @Test
    void twoBricksKilledOneAfterTheOtherUnderWritesTakeNothingAcknowledgedWithThem() throws InterruptedException {
        try (UpProcess up = UpProcess.start(directory, 5);
                SddsClient client = SddsClient.connect(List.of(up.address()))) {
            HashTable<String, String> table = client.withTimeout(PATIENCE)
                    .createHashTable("t", TableOptions.parity(2, 2).withPartitions(4), Codec.utf8(), Codec.utf8());
            Writer writer = new Writer(table);
            writer.awaitMore(1_000);
            String first = brickOf(client, 0);
            SddsProcess.signal("KILL", up.pid(first));
            Writer.assertAreThere(table, 1_000);
            writer.awaitMore(500);
            awaitWholeWithout(client, first);
            String second = brickOf(client, 1);
            assertThat(second).isNotEqualTo(first);
            SddsProcess.signal("KILL", up.pid(second));
            Writer.assertAreThere(table, 1_500);
            writer.awaitMore(500);
            int written = writer.end();
            assertThat(writer.longestStall()).isLessThan(STALL_MAX);
            Writer.assertAreThere(table, written);
            assertThat(table.size()).isEqualTo(written);
            assertThat(up.run("status").ok().out()).contains("parity 2,2", "CAN LOSE");
        }
    }

    private static String brickOf(SddsClient client, int partition) {
        return client.status(true).partitions().stream()
                .filter(each -> each.partition() == partition)
                .findFirst()
                .map(PartitionStatus::brick)
                .orElseThrow();
    }

    /** Until all members of all groups are on other bricks, and the table can lose two bricks again. */
    private static void awaitWholeWithout(SddsClient client, String brick) {
        Awaitility.await().atMost(PATIENCE).until(() -> {
            ClusterStatus status = client.status(true);
            return status.tables().getFirst().health().equals(WHOLE)
                    && status.partitions().stream()
                            .noneMatch(each -> each.brick().equals(brick)
                                    || each.parities().contains(brick));
        });
    }
}
