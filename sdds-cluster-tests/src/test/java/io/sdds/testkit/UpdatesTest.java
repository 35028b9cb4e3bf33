package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.QueryException;
import io.sdds.client.SddsClient;
import io.sdds.client.Table;
import io.sdds.client.TableOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Updates that bricks compute, over real sockets, of tables with copies and with parity. */
class UpdatesTest {
    private static final String COLUMNS = "id bigint key, name varchar(5) not null, visits int not null";
    private static final int KEYS = 20;
    private static final int UPDATES = 2_000;

    private static EmbeddedCluster cluster;

    private record Person(String name, int visits) {}

    private record Resident(String city) {}

    @BeforeAll
    static void start() {
        cluster = EmbeddedCluster.start(4);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static TableOptions.Builder options() {
        return TableOptions.builder().schema(COLUMNS);
    }

    /** Each update counts once, also those of a record that are under way at the same time. */
    private static void countsEachOnce(Table<Long, Person> table) {
        for (long key = 0; key < KEYS; key++) {
            table.put(key, new Person("p", 0));
        }
        List<CompletableFuture<Boolean>> begun = new ArrayList<>();
        for (long k = 0; k < UPDATES; k++) {
            begun.add(table.updateAsync(k % KEYS, "visits = visits + 1, name = 'p' || (visits + 1)"));
        }
        begun.forEach(future -> assertThat(future.join()).isTrue());
        for (long key = 0; key < KEYS; key++) {
            assertThat(table.get(key)).isEqualTo(new Person("p" + UPDATES / KEYS, UPDATES / KEYS));
        }
        int removed = 0;
        for (long key = 0; key < KEYS; key++) {
            removed += table.removeIf(key, "id % 2 = 0 and visits = " + UPDATES / KEYS) ? 1 : 0;
        }
        assertThat(removed).isEqualTo(KEYS / 2);
        assertThat(table.size()).isEqualTo(KEYS - removed);
        assertThat(table.update(0L, "visits = 1")).as("the record is gone").isFalse();
    }

    @Test
    void aHashTableWithCopiesCountsEachUpdateOnce() {
        countsEachOnce(cluster.client()
                .createHashTable("copies", options().replicas(2).build(), Codec.int64(), Codec.ofRecord(Person.class)));
    }

    @Test
    void aRangeTableWithCopiesCountsEachUpdateOnce() {
        countsEachOnce(cluster.client()
                .createRangeTable(
                        "ordered", options().replicas(2).build(), Codec.int64(), Codec.ofRecord(Person.class)));
    }

    @Test
    void aTableWithParityCountsEachUpdateOnce() {
        countsEachOnce(cluster.client()
                .createHashTable("coded", options().parity(2, 1).build(), Codec.int64(), Codec.ofRecord(Person.class)));
    }

    @Test
    void aConditionDecidesAndAFailureChangesNothing() {
        HashTable<Long, Person> people = cluster.client()
                .createHashTable("people", options().build(), Codec.int64(), Codec.ofRecord(Person.class));
        people.put(1L, new Person("Ada", 9));
        assertThat(people.updateIf(1L, "visits < 10", "visits = visits + 1")).isTrue();
        assertThat(people.updateIf(1L, "visits < 10", "visits = visits + 1")).isFalse();
        long version = people.getVersioned(1L).version();
        assertThat(people.updateIf(1L, "_version = " + version, "name = 'Bob'")).isTrue();
        assertThat(people.updateIf(1L, "_version = " + version, "name = 'Eve'")).isFalse();
        assertThat(people.updateIfAsync(2L, "true", "visits = 0").join()).isFalse();
        assertThatThrownBy(() -> people.update(1L, "name = name || 'bers'"))
                .isInstanceOf(QueryException.class)
                .hasMessage("update in table 'people': column 'name': a value does not fit its column, at key 1;"
                        + " not applied");
        assertThatThrownBy(() -> people.update(1L, "visits = 1 / (visits - 10)"))
                .isInstanceOf(QueryException.class)
                .hasMessageContaining("column 'visits': division by zero");
        assertThatThrownBy(
                        () -> people.removeIfAsync(1L, "1 / (visits - 10) = 1").join())
                .hasCauseInstanceOf(QueryException.class);
        assertThat(people.get(1L)).isEqualTo(new Person("Bob", 10));
    }

    @Test
    void columnsThatAClientHasNotHeardOfStay() {
        SddsClient client = cluster.client();
        HashTable<Long, Person> people =
                client.createHashTable("grown", options().build(), Codec.int64(), Codec.ofRecord(Person.class));
        people.put(1L, new Person("Ada", 1));
        try (SddsClient other = SddsClient.connect(List.of(cluster.address()))) {
            other.addColumn("grown", "city varchar not null default 'Rome'");
            HashTable<Long, Resident> residents =
                    other.hashTable("grown", Codec.int64(), Codec.ofRecord(Resident.class));
            assertThat(residents.update(1L, "city = 'Paris'")).isTrue();
            assertThat(people.update(1L, "visits = visits + 1")).isTrue();
            assertThat(residents.get(1L)).isEqualTo(new Resident("Paris"));
            assertThat(people.get(1L)).isEqualTo(new Person("Ada", 2));
        }
    }

    @Test
    void aTableWithoutASchemaHasOneColumnTheValue() {
        HashTable<String, String> names =
                cluster.client().createHashTable("plain", TableOptions.replicas(2), Codec.utf8(), Codec.utf8());
        names.put("a", "x");
        assertThat(names.updateIf("a", "value = 'x'", "value = value || key")).isTrue();
        assertThat(names.get("a")).isEqualTo("xa");
        assertThat(names.removeIf("a", "value contains 'z'")).isFalse();
        assertThat(names.removeIf("a", "value contains 'a'")).isTrue();
        assertThat(names.get("a")).isNull();
    }
}
