package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.client.ClientSettings;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.NoSuchTableException;
import io.sdds.client.SddsClient;
import io.sdds.client.Table;
import io.sdds.client.TableOptions;
import io.sdds.client.internal.SchemaCodec;
import io.sdds.core.row.Schema;
import io.sdds.core.row.SchemaText;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Schemas of tables, over real sockets. */
class SchemaOverSocketsTest {
    private static final String COLUMNS = "id bigint key, name varchar(40) not null, born date";
    private static EmbeddedCluster cluster;

    @BeforeAll
    static void start() {
        cluster = EmbeddedCluster.start(2);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static SddsClient connect() {
        return SddsClient.connect(List.of(cluster.address()), ClientSettings.defaults());
    }

    private static String text(Table<?, ?> table) {
        return table.schema().version() + ": " + SchemaText.print(table.schema());
    }

    private static HashTable<byte[], byte[]> create(String name) {
        return cluster.client()
                .createHashTable(name, TableOptions.defaults().withSchema(COLUMNS), Codec.bytes(), Codec.bytes());
    }

    @Test
    void aSchemaIsCreatedAlteredAndFoundByOthers() {
        HashTable<byte[], byte[]> created = create("people");
        assertThat(text(created)).isEqualTo("1: " + COLUMNS);
        cluster.client().addColumn("people", "city varchar not null default 'Uppsala'");
        cluster.client().dropColumn("people", "BORN");
        String after = "3: id bigint key, name varchar(40) not null, city varchar not null default 'Uppsala'";
        try (SddsClient other = connect()) {
            assertThat(text(other.table("people", Codec.bytes(), Codec.bytes())))
                    .isEqualTo(after);
            assertThat(other.tables())
                    .filteredOn(table -> table.name().equals("people"))
                    .singleElement()
                    .satisfies(table -> assertThat(table.schema().version()).isEqualTo(3));
        }
        cluster.client().hashTable("people", Codec.bytes(), Codec.bytes());
        assertThat(text(created)).as("a table that was open hears of it").isEqualTo(after);
        created.put(new byte[] {1}, new byte[] {2});
        assertThat(created.get(new byte[] {1})).containsExactly(2);
    }

    @Test
    void changesThatDoNotFitAreRefusedWithTheColumn() {
        SddsClient client = cluster.client();
        create("fixed");
        client.createHashTable("untyped", TableOptions.defaults(), Codec.bytes(), Codec.bytes());
        assertThatThrownBy(() -> client.addColumn("fixed", "ID bigint"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("table 'fixed': column 'ID'");
        assertThatThrownBy(() -> client.addColumn("fixed", "must bigint not null"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'must'");
        assertThatThrownBy(() -> client.dropColumn("fixed", "id"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("part of the key");
        assertThatThrownBy(() -> client.dropColumn("untyped", "id"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("without a schema");
        assertThatThrownBy(() -> client.dropColumn("none", "id")).isInstanceOf(NoSuchTableException.class);
        assertThat(create("again").schema().version()).isEqualTo(1);
    }

    /** Encodes a text behind the version of the schema that it is bound to. */
    private static final class Versions implements SchemaCodec<String> {
        @Override
        public Codec<String> ofKey(Schema schema) {
            return ofValue(schema);
        }

        @Override
        public Codec<String> ofValue(Schema schema) {
            if (!schema.exists()) {
                throw new IllegalArgumentException("no schema");
            }
            return new Codec<>() {
                @Override
                public byte[] encode(String text) {
                    return (schema.version() + text).getBytes(StandardCharsets.UTF_8);
                }

                @Override
                public String decode(byte[] bytes) {
                    return schema.version() + " reads " + new String(bytes, StandardCharsets.UTF_8);
                }

                @Override
                public boolean ordered() {
                    return true;
                }
            };
        }

        @Override
        public byte[] encode(String object) {
            throw new IllegalStateException("not bound");
        }

        @Override
        public String decode(byte[] bytes) {
            throw new IllegalStateException("not bound");
        }

        @Override
        public boolean ordered() {
            return true;
        }
    }

    @Test
    void codecsThatKnowRowsAreBoundToTheNewestSchema() {
        SddsClient client = cluster.client();
        create("bound");
        HashTable<Long, String> table = client.hashTable("bound", Codec.int64(), new Versions());
        table.put(7L, "x");
        assertThat(table.get(7L)).isEqualTo("1 reads 1x");
        client.addColumn("bound", "more bigint");
        client.hashTable("bound", Codec.int64(), new Versions());
        assertThat(table.get(7L)).isEqualTo("2 reads 1x");
        table.put(7L, "y");
        assertThat(table.get(7L)).isEqualTo("2 reads 2y");
        HashTable<String, byte[]> keyed = client.hashTable("bound", new Versions(), Codec.bytes());
        keyed.put("k", new byte[] {1});
        assertThat(keyed.get("k")).containsExactly(1);
    }

    @Test
    void codecsThatDoNotFitAreRefusedWhenTheTableIsOpened() {
        SddsClient client = cluster.client();
        create("typed");
        client.createHashTable("plain", TableOptions.defaults(), Codec.utf8(), Codec.utf8());
        assertThatThrownBy(() -> client.hashTable("plain", Codec.utf8(), new Versions()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("table 'plain': no schema");
        assertThatThrownBy(() -> client.hashTable("typed", Codec.utf8(), Codec.bytes()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("table 'typed': the key has the columns (id bigint)");
        assertThatThrownBy(() -> client.hashTable("typed", Codec.int64(), Codec.utf8()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Codec.ofRecord");
    }

    /** A row of the table, without its key. */
    public record Person(String name, LocalDate born) {}

    @Test
    void recordsAreRowsAndOutliveNewColumns() {
        SddsClient client = cluster.client();
        create("persons");
        HashTable<Long, Person> persons = client.hashTable("persons", Codec.int64(), Codec.ofRecord(Person.class));
        Person ada = new Person("Ada", LocalDate.of(1815, 12, 10));
        persons.put(1L, ada);
        client.addColumn("persons", "city varchar not null default 'Uppsala'");
        try (SddsClient other = connect()) {
            HashTable<Long, Person> read = other.hashTable("persons", Codec.int64(), Codec.ofRecord(Person.class));
            assertThat(read.get(1L)).isEqualTo(ada);
        }
        assertThatThrownBy(() -> persons.put(2L, new Person(null, null)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'name'");
    }
}
