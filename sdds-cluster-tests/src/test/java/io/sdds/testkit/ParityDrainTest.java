package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.ClusterStatus;
import io.sdds.client.Codec;
import io.sdds.client.DrainStatus;
import io.sdds.client.RangeTable;
import io.sdds.client.Table;
import io.sdds.client.TableOptions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Bricks that hold members of parity groups are drained under writes, on real nodes, sockets and clocks. */
class ParityDrainTest {
    private static final int RECORDS = 300;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** After both drains another brick dies, so that its records are decoded from those that have moved. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void aHashTableKeepsWhatWasAcknowledgedAndItsParityIsRight() throws InterruptedException {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(6)) {
            Table<String, String> table = cluster.client()
                    .createHashTable("t", TableOptions.parity(2, 1).withPartitions(4), Codec.utf8(), Codec.utf8());
            try (Writer writer = new Writer(table)) {
                writer.awaitRounds(1);
                drainAndKill(cluster, 1);
                drainAndKill(cluster, 2);
                writer.awaitRounds(2);
            }
            cluster.kill(3);
            Writer.assertHas(table);
        }
    }

    @Test
    @Tag("soak")
    @Execution(ExecutionMode.CONCURRENT)
    void aRangeTableOfBricksWithTwoStagesKeepsWhatWasAcknowledged() throws InterruptedException {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(5, 64L << 20, 2)) {
            RangeTable<String, String> table =
                    cluster.client().createRangeTable("r", TableOptions.parity(2, 1), Codec.utf8(), Codec.utf8());
            try (Writer writer = new Writer(table)) {
                writer.awaitRounds(1);
                drainAndKill(cluster, 1);
                drainAndKill(cluster, 2);
                writer.awaitRounds(2);
            }
            Writer.assertHas(table);
        }
    }

    private static void drainAndKill(EmbeddedCluster cluster, int number) {
        String brick = "b" + number;
        DrainStatus begun = cluster.client().drainBrick(brick);
        assertThat(begun.draining()).as(begun.obstacle()).isTrue();
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(cluster.client().drainStatus(brick).partitionsLeft())
                                .isZero());
        ClusterStatus status = cluster.client().status(true);
        assertThat(status.partitions()).allSatisfy(partition -> {
            assertThat(partition.brick()).isNotEqualTo(brick);
            assertThat(partition.parities()).doesNotContain(brick).doesNotContain("");
        });
        cluster.kill(number);
    }

    /** Writes all records again and again, each time with the next value, until it is closed. */
    private static final class Writer implements AutoCloseable {
        private final Table<String, String> table;
        private final AtomicInteger rounds = new AtomicInteger();
        private final AtomicBoolean ends = new AtomicBoolean();
        private final Thread thread = new Thread(this::write, "writer");
        private volatile Throwable failure;

        Writer(Table<String, String> table) {
            this.table = table;
            thread.start();
        }

        private void write() {
            try {
                while (!ends.get()) {
                    for (int k = 0; k < RECORDS; k++) {
                        table.put("k" + k, "v" + rounds.get() + "-" + k);
                    }
                    rounds.incrementAndGet();
                }
                for (int k = 0; k < RECORDS; k++) {
                    table.put("k" + k, "last-" + k);
                }
            } catch (RuntimeException e) {
                failure = e;
            }
        }

        /** Waits until all records have been written so many times more. */
        void awaitRounds(int more) {
            int until = rounds.get() + more;
            Awaitility.await().atMost(PATIENCE).until(() -> failure != null || rounds.get() >= until);
            assertThat(failure).isNull();
        }

        @Override
        public void close() throws InterruptedException {
            ends.set(true);
            thread.join();
            assertThat(failure).isNull();
        }

        static void assertHas(Table<String, String> table) {
            for (int k = 0; k < RECORDS; k++) {
                assertThat(table.get("k" + k)).isEqualTo("last-" + k);
            }
            assertThat(table.size()).isEqualTo(RECORDS);
        }
    }
}
