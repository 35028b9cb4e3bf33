package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.client.Codec;
import io.sdds.client.CodecException;
import io.sdds.client.Cursor;
import io.sdds.client.HashTable;
import io.sdds.client.RangeTable;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Java records as rows and keys of tables, over real sockets. */
class RecordTableTest {
    private static EmbeddedCluster cluster;

    private record Person(String fullName, LocalDate bornOn, Integer visits) {}

    private record Resident(String fullName, String city) {}

    private record Counted(int visits) {}

    private record Reading(String sensor, long time) {}

    private record Measured(Double value) {}

    @BeforeAll
    static void start() {
        cluster = EmbeddedCluster.start(2);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static TableOptions schema(String columns) {
        return TableOptions.defaults().withSchema(columns);
    }

    @Test
    void recordsAreRowsBeforeAndBehindAChangeOfTheSchema() {
        SddsClient client = cluster.client();
        HashTable<Long, Person> people = client.createHashTable(
                "people",
                schema("ssn bigint key, full_name varchar(20) not null, born_on date, visits int"),
                Codec.int64(),
                Codec.ofRecord(Person.class));
        Person ada = new Person("Ada", LocalDate.of(1815, 12, 10), null);
        people.put(1L, ada);
        assertThat(people.get(1L)).isEqualTo(ada);
        assertThat(people.compareAndSet(1L, ada, new Person("Ada", null, 5))).isTrue();

        client.addColumn("people", "city varchar not null default 'London'");
        HashTable<Long, Resident> residents = client.hashTable("people", Codec.int64(), Codec.ofRecord(Resident.class));
        assertThat(residents.get(1L)).isEqualTo(new Resident("Ada", "London"));
        residents.put(2L, new Resident("Bob", "Rome"));
        assertThat(people.get(2L)).isEqualTo(new Person("Bob", null, null));
        people.put(2L, new Person("Bob", null, 1));
        assertThat(residents.get(2L)).as("a put puts the whole row").isEqualTo(new Resident("Bob", "London"));
    }

    @Test
    void whatDoesNotFitTheSchemaIsRefusedWithTheColumn() {
        SddsClient client = cluster.client();
        HashTable<Long, Person> strict = client.createHashTable(
                "strict",
                schema("ssn bigint key, full_name varchar(3) not null, born_on date, visits int"),
                Codec.int64(),
                Codec.ofRecord(Person.class));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> strict.put(1L, new Person("Bobby", null, 1)))
                .withMessageStartingWith("column 'full_name': text of 5 code points");
        strict.put(1L, new Person("Bob", null, null));
        HashTable<Long, Counted> counted = client.hashTable("strict", Codec.int64(), Codec.ofRecord(Counted.class));
        assertThatThrownBy(() -> counted.get(1L))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining("column 'visits' is NULL, and component 'visits' of Counted is int");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.hashTable("strict", Codec.int64(), Codec.ofRecord(Resident.class)))
                .withMessage("table 'strict': component 'city' of Resident: the value has no column 'city'");
    }

    @Test
    void recordsAreKeysInTheOrderOfTheirColumns() {
        RangeTable<Reading, Measured> readings = cluster.client()
                .createRangeTable(
                        "readings",
                        schema("sensor varchar key, time bigint key, value double"),
                        Codec.ofRecord(Reading.class),
                        Codec.ofRecord(Measured.class));
        for (String sensor : new String[] {"b", "a\0", "a"}) {
            for (long time : new long[] {1, -1, 0}) {
                readings.put(new Reading(sensor, time), new Measured((double) time));
            }
        }
        List<Reading> inOrder = new ArrayList<>();
        try (Cursor<Reading, Measured> all =
                readings.range(new Reading("a", 0), new Reading("b", -1)).open()) {
            while (all.hasNext()) {
                Map.Entry<Reading, Measured> record = all.next();
                assertThat(record.getValue())
                        .isEqualTo(new Measured((double) record.getKey().time()));
                inOrder.add(record.getKey());
            }
        }
        assertThat(inOrder)
                .containsExactly(
                        new Reading("a", 0),
                        new Reading("a", 1),
                        new Reading("a\0", -1),
                        new Reading("a\0", 0),
                        new Reading("a\0", 1),
                        new Reading("b", -1));
    }

    @Test
    void tablesWithoutASchemaTakeRecordsAsTheyAre() {
        RangeTable<Reading, Person> table = cluster.client()
                .createRangeTable(
                        "untyped",
                        TableOptions.defaults(),
                        Codec.ofRecord(Reading.class),
                        Codec.ofRecord(Person.class));
        table.put(new Reading("s", 10), new Person("Ada", LocalDate.EPOCH, 7));
        table.put(new Reading("s", 9), new Person(null, null, null));
        assertThat(table.get(new Reading("s", 10))).isEqualTo(new Person("Ada", LocalDate.EPOCH, 7));
        assertThat(table.asMap().firstKey()).isEqualTo(new Reading("s", 9));
    }
}
