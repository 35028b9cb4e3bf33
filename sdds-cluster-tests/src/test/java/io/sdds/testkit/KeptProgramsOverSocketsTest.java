package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.ClientSettings;
import io.sdds.client.ClusterStatus;
import io.sdds.client.Codec;
import io.sdds.client.Row;
import io.sdds.client.RowCursor;
import io.sdds.client.RowQuery;
import io.sdds.client.SddsClient;
import io.sdds.client.Table;
import io.sdds.client.TableOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A query with a program of a mebibyte, while its table splits and a brick ends and begins anew. */
class KeptProgramsOverSocketsTest {
    private static final int RECORDS = 2_000;
    private static final int OTHERS = 30_000;
    private static final int CAPACITY = 200;
    private static final String PADDING = "-".repeat(400);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final EmbeddedCluster cluster = EmbeddedCluster.start(3, 256 << 20, 2);
    private final SddsClient client = SddsClient.connect(
            List.of(cluster.address()),
            ClientSettings.builder().timeout(PATIENCE).build());

    /** What the query has to find, whatever else comes. */
    private final Map<String, String> expected = new TreeMap<>();

    @AfterEach
    void close() {
        client.close();
        cluster.close();
    }

    private static String key(int number) {
        return "key %026d".formatted(number);
    }

    private RowQuery<Row> query(Table<String, String> table) {
        Stream<String> listed = Stream.concat(
                expected.keySet().stream(), IntStream.range(0, OTHERS).mapToObj(k -> key(10_000_000 + k)));
        String where =
                listed.map(key -> "'" + key + "'").collect(Collectors.joining(", ", "cast(key as varchar) in (", ")"));
        assertThat(where).hasSizeGreaterThan(1 << 20);
        return table.scan().rows().where(where).select("cast(key as varchar) as k, cast(value as varchar) as v");
    }

    private void fill(Table<String, String> table) {
        Map<String, String> all = new HashMap<>();
        for (int k = 0; k < RECORDS; k++) {
            all.put(key(k), "value " + k + PADDING);
            if (k % 2 == 0) {
                expected.put(key(k), "value " + k + PADDING);
            }
        }
        table.putAll(all);
    }

    /** The rows of a query, of which some are taken before something happens. */
    private void assertFinds(RowQuery<Row> query, Runnable meanwhile) {
        Map<String, String> found = new TreeMap<>();
        try (RowCursor<Row> cursor = query.open()) {
            for (int row = 0; cursor.hasNext(); row++) {
                if (row == 10) {
                    meanwhile.run();
                }
                Row next = cursor.next();
                assertThat(found.put(next.getString("k"), next.getString("v"))).isNull();
            }
        }
        assertThat(found).isEqualTo(expected);
    }

    private int partitions() {
        return client.status(true).partitions().size();
    }

    private void awaitCopies(Predicate<ClusterStatus> first) {
        Awaitility.await().atMost(PATIENCE).until(() -> {
            ClusterStatus status = client.status(true);
            return first.test(status)
                    && status.joins().isEmpty()
                    && status.splits().isEmpty()
                    && status.partitions().stream()
                            .allMatch(partition -> partition.backups().size() == 1);
        });
    }

    private void goesThroughSplitsAndARestart(Table<String, String> table) {
        fill(table);
        RowQuery<Row> query = query(table);
        int before = partitions();
        assertFinds(query, () -> {
            Map<String, String> more = new HashMap<>();
            for (int k = RECORDS; k < 2 * RECORDS; k++) {
                more.put(key(k), "another");
            }
            table.putAll(more);
            Awaitility.await().atMost(PATIENCE).until(() -> partitions() > before + 2);
        });
        awaitCopies(status -> true);
        assertFinds(query, () -> cluster.kill(1));
        assertFinds(query, () -> {
            cluster.startBrick(1);
            cluster.awaitReady();
            awaitCopies(status ->
                    status.bricks().stream().anyMatch(brick -> brick.id().equals("b1") && brick.incarnation() == 2));
        });
        assertFinds(query, () -> {});
        assertThat(query.count()).isEqualTo(expected.size());
    }

    private static TableOptions options() {
        return TableOptions.replicas(2).withCapacityRecords(CAPACITY);
    }

    @Test
    void aHashTable() {
        goesThroughSplitsAndARestart(client.createHashTable("t", options(), Codec.utf8(), Codec.utf8()));
    }

    @Test
    void aRangeTable() {
        goesThroughSplitsAndARestart(client.createRangeTable("t", options(), Codec.utf8(), Codec.utf8()));
    }
}
