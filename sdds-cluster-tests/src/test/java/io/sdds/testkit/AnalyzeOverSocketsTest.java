package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.client.ClientSettings;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.NoSuchTableException;
import io.sdds.client.QueryException;
import io.sdds.client.SddsClient;
import io.sdds.client.Table;
import io.sdds.client.TableOptions;
import io.sdds.client.TableStatistics;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Statistics of tables, over real sockets. */
class AnalyzeOverSocketsTest {
    private static final String COLUMNS = "id bigint key, name varchar not null, age integer, city varchar not null";
    private static final int LARGE = 160_000;
    private static final int BATCH = 20_000;

    private static EmbeddedCluster cluster;
    private static SddsClient client;

    record Data(String name, Integer age, String city) {}

    @BeforeAll
    static void start() {
        cluster = EmbeddedCluster.start(3);
        client = cluster.client();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static TableOptions options(long capacity) {
        return TableOptions.builder().capacityRecords(capacity).schema(COLUMNS).build();
    }

    /** Rows whose equal cities were written one after the other. */
    private static void fill(Table<Long, Data> table, int rows) {
        for (int from = 0; from < rows; from += BATCH) {
            Map<Long, Data> batch = new HashMap<>();
            for (long id = from; id < Math.min(rows, from + BATCH); id++) {
                batch.put(id - 10, new Data("name " + id, id % 4 == 0 ? null : (int) (id % 90), "city " + id / 200));
            }
            table.putAll(batch);
        }
    }

    private static TableStatistics.Column column(TableStatistics statistics, String name) {
        return statistics.columns().stream()
                .filter(column -> column.name().equals(name))
                .findAny()
                .orElseThrow();
    }

    private static void checkSmall(String name) {
        Instant before = Instant.now().minusSeconds(1);
        TableStatistics statistics = client.analyze(name);
        assertThat(client.tableStatistics(name)).isEqualTo(statistics);
        assertThat(statistics.time()).isAfter(before);
        assertThat(statistics.rows()).isEqualTo(3_000);
        assertThat(statistics.isExact()).isTrue();
        assertThat(column(statistics, "id"))
                .isEqualTo(new TableStatistics.Column("id", "bigint", 3_000, 0, 8, -10L, 2_989L));
        assertThat(column(statistics, "age"))
                .isEqualTo(new TableStatistics.Column("age", "integer", 90, 0.25, 4, 0, 89));
        assertThat(column(statistics, "city").distinct()).isEqualTo(15);
        assertThat(column(statistics, "city").max()).isEqualTo("city 9");
    }

    @Test
    void smallTablesAreReadWhole() {
        fill(client.createHashTable("small", options(500), Codec.int64(), Codec.ofRecord(Data.class)), 3_000);
        fill(client.createRangeTable("ordered", options(500), Codec.int64(), Codec.ofRecord(Data.class)), 3_000);
        assertThat(client.tableStatistics("small")).isNull();
        checkSmall("small");
        checkSmall("ordered");
    }

    private static void checkLarge(String name) {
        try (SddsClient patient = SddsClient.connect(
                List.of(cluster.address()),
                ClientSettings.builder().timeout(Duration.ofSeconds(30)).build())) {
            TableStatistics statistics = patient.analyze(name);
            assertThat(statistics.rows()).isEqualTo(LARGE);
            assertThat(statistics.isExact()).isFalse();
            assertThat(statistics.sampledRows()).isBetween(95_000L, 105_000L);
            assertThat(column(statistics, "id").distinct()).isEqualTo(LARGE);
            assertThat(column(statistics, "name").distinct()).isBetween(LARGE * 99L / 100, (long) LARGE);
            assertThat(column(statistics, "city").distinct()).isEqualTo(LARGE / 200);
            assertThat(column(statistics, "age").nulls()).isBetween(0.24, 0.26);
        }
    }

    @Test
    void aLargeHashTableIsSampledByIntervalsOfPoints() {
        fill(client.createHashTable("hashed", options(30_000), Codec.int64(), Codec.ofRecord(Data.class)), LARGE);
        checkLarge("hashed");
    }

    @Test
    void aLargeRangeTableIsSampledByVersions() {
        fill(client.createRangeTable("sorted", options(30_000), Codec.int64(), Codec.ofRecord(Data.class)), LARGE);
        checkLarge("sorted");
    }

    @Test
    void aTableWithoutASchemaHasKeysAndValues() {
        HashTable<String, String> table =
                client.createHashTable("bytes", TableOptions.defaults(), Codec.utf8(), Codec.utf8());
        table.putAll(Map.of("a", "same", "bcd", "same", "ef", "else"));
        TableStatistics statistics = client.analyze("bytes");
        TableStatistics.Column key = column(statistics, "key");
        assertThat(key.distinct()).isEqualTo(3);
        assertThat(key.meanBytes()).isEqualTo(2);
        assertThat((byte[]) key.max()).containsExactly('e', 'f');
        assertThat(column(statistics, "value").distinct()).isEqualTo(2);
    }

    @Test
    void statisticsFollowTheSchemaAndGoWithTheTable() {
        fill(client.createHashTable("changed", options(500), Codec.int64(), Codec.ofRecord(Data.class)), 100);
        client.analyze("changed");
        client.dropColumn("changed", "age");
        client.addColumn("changed", "more bigint");
        assertThat(client.tableStatistics("changed").columns().stream().map(TableStatistics.Column::name))
                .containsExactly("id", "name", "city");
        assertThat(client.analyze("changed").columns()).hasSize(4);
        client.dropTable("changed");
        assertThatThrownBy(() -> client.tableStatistics("changed")).isInstanceOf(NoSuchTableException.class);
        client.createHashTable("changed", TableOptions.defaults(), Codec.bytes(), Codec.bytes());
        assertThat(client.tableStatistics("changed")).isNull();
        assertThat(client.analyze("changed").rows()).isZero();
    }

    @Test
    void aRowThatCannotBeReadEndsTheAnalysis() {
        client.createHashTable("broken", options(500), Codec.bytes(), Codec.bytes())
                .put(new byte[8], new byte[] {1, 2});
        assertThatThrownBy(() -> client.analyze("broken"))
                .isInstanceOf(QueryException.class)
                .hasMessageContaining("row cannot be read");
        assertThat(client.tableStatistics("broken")).isNull();
        assertThatThrownBy(() -> client.analyze("none")).isInstanceOf(NoSuchTableException.class);
    }
}
