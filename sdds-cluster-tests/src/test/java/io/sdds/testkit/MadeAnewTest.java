package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.sdds.client.ClientSettings;
import io.sdds.client.Codec;
import io.sdds.client.Cursor;
import io.sdds.client.HashTable;
import io.sdds.client.NoSuchTableException;
import io.sdds.client.RangeTable;
import io.sdds.client.SddsClient;
import io.sdds.client.Table;
import io.sdds.client.TableOptions;
import io.sdds.core.LogLines;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a client has of a table, in the table that was made in its place: in the same cluster, or in a new one. */
class MadeAnewTest {
    private EmbeddedCluster cluster;
    private SddsClient client;

    /** A table to drop and make again, on one copy, on two, and with parity. */
    private record Kind(String name, TableOptions options, boolean isRange) {
        Table<String, String> make(SddsClient client) {
            return isRange
                    ? client.createRangeTable(name, options, Codec.utf8(), Codec.utf8())
                    : client.createHashTable(name, options, Codec.utf8(), Codec.utf8());
        }
    }

    private static final List<Kind> KINDS = List.of(
            new Kind("hash", TableOptions.defaults(), false),
            new Kind("range", TableOptions.defaults(), true),
            new Kind("copies", TableOptions.replicas(2), false),
            new Kind("parity", TableOptions.defaults().withParity(2, 1), false));

    @BeforeEach
    void start() {
        cluster = EmbeddedCluster.start(4);
        client = cluster.client();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void versionsOfADroppedTableMatchNothingInTheTableThatWasMadeAgain() {
        for (Kind kind : KINDS) {
            assertVersionsMatchNothingAfter(kind, () -> client.dropTable(kind.name()));
        }
    }

    @Test
    void versionsOfTheOldClusterMatchNothingInTheNewOne() {
        for (Kind kind : KINDS) {
            assertVersionsMatchNothingAfter(kind, cluster::makeAnew);
        }
    }

    private void assertVersionsMatchNothingAfter(Kind kind, Runnable end) {
        Table<String, String> table = kind.make(client);
        long old = table.putVersioned("k", "old");
        end.run();
        Table<String, String> fresh = kind.make(client);
        assertThat(fresh.putVersioned("k", "new")).as(kind.name()).isNotEqualTo(old);
        assertThat(fresh.replaceIfVersion("k", "lost", old)).as(kind.name()).isFalse();
        assertThat(table.removeIfVersion("k", old)).as(kind.name()).isFalse();
        assertThat(table.get("k")).as(kind.name()).isEqualTo("new");
    }

    private String tokenOf(HashTable<String, String> table) {
        try (Cursor<String, String> cursor = table.scan().openResumable()) {
            cursor.next();
            return cursor.token();
        }
    }

    @Test
    void cursorTokensOfTheOldTableAreRefused() {
        for (Runnable end : List.<Runnable>of(() -> client.dropTable("t"), cluster::makeAnew)) {
            HashTable<String, String> table =
                    client.createHashTable("t", TableOptions.defaults(), Codec.utf8(), Codec.utf8());
            table.putAll(Map.of("a", "1", "b", "2"));
            String token = tokenOf(table);
            end.run();
            HashTable<String, String> fresh =
                    client.createHashTable("t", TableOptions.defaults(), Codec.utf8(), Codec.utf8());
            fresh.putAll(Map.of("a", "1", "b", "2"));
            assertThatThrownBy(() -> table.scan().open(token).next())
                    .isInstanceOfAny(IllegalArgumentException.class, NoSuchTableException.class);
            for (HashTable<String, String> handle : List.of(table, fresh)) {
                assertThat(handle.size()).isEqualTo(2);
                assertThatThrownBy(() -> handle.scan().open(token))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("token");
            }
            try (Cursor<String, String> cursor = fresh.scan().open(tokenOf(fresh))) {
                assertThat(cursor.next()).isNotNull();
                assertThat(cursor.hasNext()).isFalse();
            }
            client.dropTable("t");
        }
    }

    @Test
    void aScanIsTheFirstOperationOfAHandleWhoseTableWasMadeAgain() {
        List<Function<Table<String, String>, Long>> scans = List.of(
                table -> table instanceof HashTable<String, String> hash
                        ? hash.scan().count()
                        : ((RangeTable<String, String>) table).range().count(),
                table -> (long) (table instanceof HashTable<String, String> hash
                                ? hash.asMap()
                                : ((RangeTable<String, String>) table).asMap())
                        .entrySet().stream().toList().size());
        for (Kind kind : KINDS) {
            for (Function<Table<String, String>, Long> scan : scans) {
                Table<String, String> table = kind.make(client);
                table.put("old", "1");
                client.dropTable(kind.name());
                Table<String, String> fresh = kind.make(client);
                fresh.putAll(Map.of("a", "1", "b", "2"));
                assertThat(scan.apply(table)).as(kind.name()).isEqualTo(2);
                client.dropTable(kind.name());
            }
        }
    }

    @Test
    void mapsGoOnInTheNewCluster() {
        HashTable<String, String> table =
                client.createHashTable("t", TableOptions.defaults(), Codec.utf8(), Codec.utf8());
        ConcurrentMap<String, String> map = table.asMap();
        map.put("k", "old");
        cluster.makeAnew();
        try (SddsClient other = SddsClient.connect(cluster.address())) {
            other.createHashTable("t", TableOptions.defaults(), Codec.utf8(), Codec.utf8());
        }
        assertThat(map).isEmpty();
        assertThat(map.merge("k", "1", String::concat)).isEqualTo("1");
        assertThat(map.merge("k", "2", String::concat)).isEqualTo("12");
        assertThat(map).containsOnly(Map.entry("k", "12"));
    }

    @Test
    void aClientOfSeveralLoopsWarnsOnceOfTheNewCluster() {
        ClientSettings settings =
                ClientSettings.builder().name("several").eventLoops(3).build();
        try (SddsClient several = SddsClient.connect(List.of(cluster.address()), settings);
                LogLines lines = LogLines.ofAllThreads("io.sdds.client", Level.WARN)) {
            HashTable<String, String> table =
                    several.createHashTable("t", TableOptions.defaults(), Codec.utf8(), Codec.utf8());
            cluster.makeAnew();
            several.createHashTable("t", TableOptions.defaults(), Codec.utf8(), Codec.utf8());
            table.put("k", "v");
            assertThat(lines.texts())
                    .filteredOn(line -> line.contains("'several'"))
                    .hasSize(1);
        }
    }
}
