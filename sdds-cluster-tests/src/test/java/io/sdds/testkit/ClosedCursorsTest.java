package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.Codec;
import io.sdds.client.Query;
import io.sdds.client.Row;
import io.sdds.client.SddsClient;
import io.sdds.client.Table;
import io.sdds.client.TableOptions;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Cursors and streams that are left before their end: the client asks bricks for nothing more. */
class ClosedCursorsTest {
    private static final int RECORDS = 4_000;
    private static final int PARTITIONS_MIN = 20;
    private static final int GETS = 50;

    private static EmbeddedCluster cluster;
    private static List<Table<String, String>> tables;

    @BeforeAll
    static void start() {
        cluster = EmbeddedCluster.start(2);
        TableOptions small = TableOptions.builder().capacityRecords(200).build();
        SddsClient client = cluster.client();
        tables = List.of(
                client.createHashTable("hashed", small, Codec.utf8(), Codec.utf8()),
                client.createRangeTable("ordered", small, Codec.utf8(), Codec.utf8()));
        Map<String, String> all = new HashMap<>();
        IntStream.range(0, RECORDS).forEach(k -> all.put("key" + k, "value" + k));
        for (Table<String, String> table : tables) {
            table.putAll(all);
            Awaitility.await().until(() -> {
                long before = requests();
                table.size();
                return requests() - before >= PARTITIONS_MIN;
            });
        }
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static long requests() {
        return cluster.client().statistics().requests();
    }

    /** Opens something, takes a little and closes it. */
    private interface Visit {
        void run();
    }

    private static void assertThatNothingMoreIsAsked(Table<String, String> table, Visit visit) {
        visit.run();
        long before = requests(); // counted on the loop, where the query has stopped
        for (int k = 0; k < GETS; k++) {
            table.get("key" + k);
        }
        assertThat(requests() - before).isEqualTo(GETS);
    }

    private static void takeOne(Iterator<?> iterator) {
        assertThat(iterator.hasNext()).isTrue();
        iterator.next();
    }

    @Test
    void closedCursorsAndStreamsAskForNothingMore() {
        for (Table<String, String> table : tables) {
            Query<String, String> all = table.scan();
            assertThatNothingMoreIsAsked(table, () -> {
                try (var cursor = all.open()) {
                    takeOne(cursor);
                }
            });
            assertThatNothingMoreIsAsked(table, () -> all.open().close());
            assertThatNothingMoreIsAsked(table, () -> {
                try (Stream<Map.Entry<String, String>> stream = all.stream()) {
                    assertThat(stream.limit(3).count()).isEqualTo(3);
                }
            });
            assertThatNothingMoreIsAsked(table, () -> {
                try (var cursor = all.rows().open()) {
                    takeOne(cursor);
                }
            });
            assertThatNothingMoreIsAsked(table, () -> {
                try (var cursor = all.rows().openValues()) {
                    assertThat(cursor.next()).isTrue();
                }
            });
            assertThatNothingMoreIsAsked(table, () -> {
                try (Stream<Row> stream = all.select("length(value) as n").stream()) {
                    assertThat(stream.limit(3).count()).isEqualTo(3);
                }
            });
            assertThatNothingMoreIsAsked(
                    table, () -> all.groupBy("value").open().close());
        }
    }
}
