package io.sdds.core.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.core.Seeds;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaTextTest {
    private static Column column(String text) {
        return SchemaText.parseColumn(text);
    }

    @Test
    void readsTypesKeysNullsAndDefaults() {
        Schema schema = SchemaText.parse(
                "Id BIGINT key, name varchar(20) NOT NULL default 'it''s', price decimal(10,2), \"odd name\" int");
        assertThat(schema.version()).isEqualTo(1);
        assertThat(schema.columns()).extracting(Column::name).containsExactly("Id", "name", "price", "odd name");
        assertThat(schema.keyColumns()).extracting(Column::type).containsExactly(ValueType.BIGINT);
        assertThat(schema.column("PRICE").type()).isEqualTo(ValueType.decimal(10, 2));
        assertThat(schema.column("name").notNull()).isTrue();
        assertThat(Values.decode(ValueType.VARCHAR, schema.column("name").defaultValue()))
                .isEqualTo("it's");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a boolean default true",
                "a integer not null default -42",
                "a bigint default 9223372036854775807",
                "a double default -1.5e300",
                "a double default 1.0e0",
                "a double default 'NaN'",
                "a decimal(10,2) not null default -1.50",
                "a varchar default 'it''s'",
                "a varchar(20)",
                "a varbinary(8) default x'00ff'",
                "a date default date '2026-01-31'",
                "a time default time '10:15:30.5'",
                "a timestamp default timestamp '2026-01-31 10:15:30'",
                "a uuid default uuid '00000000-0000-0000-0000-000000000001'",
                "\"a b\"\"c\" integer"
            })
    void printsWhatItReads(String text) {
        assertThat(SchemaText.print(column(text))).isEqualTo(text);
    }

    @Test
    void printedSchemasAreReadAsTheyWere() {
        SplittableRandom random = Seeds.random("SchemaTextTest");
        for (int round = 0; round < 2_000; round++) {
            Schema schema = new RandomRows(random).schema(random.nextInt(10));
            assertThat(SchemaText.parse(SchemaText.print(schema))).isEqualTo(schema);
        }
    }

    @Test
    void quotedDefaultsNeedNoWordAndNullIsNone() {
        assertThat(column("a date default '2026-01-31'")).isEqualTo(column("a date default date '2026-01-31'"));
        assertThat(column("a int default null")).isEqualTo(column("a int"));
        assertThat(column("a double default 2")).isEqualTo(column("a double default 2e0"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        id bigin key|schema, position 4: unknown type 'bigin'; did you mean 'bigint'?
        id string key|schema, position 4: unknown type 'string'; did you mean 'varchar'?
        id zzzzzzzzz|schema, position 4: unknown type 'zzzzzzzzz'; the types are boolean
        id|schema, position 3: expected a type (boolean,
        id bigint kez|schema, position 11: expected 'key', 'not null', 'default', ',' or the end, found 'kez'; did you
        id bigint key,|schema, position 15: expected the name of a column, found the end
        id bigint key; x|schema, position 14: expected ',' or the end, found ';'
        id bigint key default 1|schema, position 1: column 'id' is part of the key and can't have a default
        id bigint key, ID int|schema, position 16: column 'ID' is there twice
        id bigint key, d decimal|schema, position 25: expected '(' and the digits
        id bigint key, d decimal(39,2)|schema, position 25: decimal(39,2) needs 1 to 38 digits
        id bigint key, d decimal(2,3)|schema, position 25: decimal(2,3) needs 0 to 2 digits behind the point
        id bigint key, v varchar(0)|schema, position 26: a length of 0
        id bigint key, n int default 'x'|schema, position 30: expected a default of integer such as 42, found the
        id bigint key, n int default 3000000000|schema, position 30: column 'n': 3000000000 is no integer
        id bigint key, v varchar(1) default 'xx'|schema, position 37: column 'v': text of 2 code points
        id bigint key, n int not|schema, position 25: expected 'null', found the end
        id bigint key, d date default '2026-02-30'|schema, position 31: column 'd': '2026-02-30' is no date: expected
        id bigint key, v varchar default 'x|schema, position 34: the text that begins here has no closing quote
        a int|no column is a key\
        """)
    void errorsSayWhereAndWhatWasExpected(String text, String message) {
        assertThatThrownBy(() -> SchemaText.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void columnsAreAddedLastAndDroppedColumnsKeepTheirPlace() {
        Schema first = SchemaText.parse("id bigint key, a int, b varchar");
        Schema second = first.add(column("c boolean not null default false"));
        Schema third = second.drop("A");
        assertThat(third.version()).isEqualTo(3);
        assertThat(third.column("a")).isNull();
        assertThat(third.valueColumns()).extracting(Column::dropped).containsExactly(true, false, false);
        assertThat(third.ordinal(third.column("c"))).isEqualTo(2);
        assertThat(third.add(column("a uuid")).liveColumns())
                .extracting(Column::name)
                .containsExactly("id", "b", "c", "a");
        assertThat(SchemaText.print(third)).isEqualTo("id bigint key, b varchar, c boolean not null default false");
    }

    @Test
    void changesThatRowsCannotFollowAreRefused() {
        Schema schema = SchemaText.parse("id bigint key, city int");
        assertThatThrownBy(() -> schema.add(column("CITY int"))).hasMessageContaining("is there twice");
        assertThatThrownBy(() -> schema.add(column("n int not null"))).hasMessageContaining("needs a default");
        assertThatThrownBy(() -> schema.add(column("n int key"))).hasMessageContaining("can't be a key");
        assertThatThrownBy(() -> schema.drop("id")).hasMessageContaining("part of the key");
        assertThatThrownBy(() -> schema.drop("citty")).hasMessage("no column 'citty'; did you mean 'city'?");
        String many =
                IntStream.range(0, 1_000).mapToObj(k -> ", c" + k + " int").collect(Collectors.joining());
        assertThatThrownBy(() -> SchemaText.parse("id bigint key" + many)).hasMessageContaining("1000 at most");
    }

    /** A filter or a scan for records would read the column in place of the bytes. */
    @Test
    void aColumnWithTheNameOfAPartOfRecordsIsRefused() {
        for (String name : List.of("_key", "_VALUE", "_version")) {
            assertThatThrownBy(() -> SchemaText.parse("id bigint key, " + name + " int"))
                    .hasMessage("column '" + name
                            + "' has a name that queries use for a part of every record; give it another one");
        }
        assertThat(SchemaText.parse("key bigint key, value int").column("value"))
                .isNotNull();
    }

    @Test
    void schemasFromElsewhereAreChecked() {
        assertThat(Schema.NONE.problem()).isNull();
        Column key = new Column("id", ValueType.BIGINT, true, true, false, new byte[0], false);
        Column broken = new Column("n", ValueType.INTEGER, false, false, true, new byte[3], false);
        Column unknown =
                new Column("u", new ValueType(ValueType.Kind.UNKNOWN, 0, 0), false, false, false, new byte[0], false);
        assertThat(new Schema(1, List.of(key)).problem()).isNull();
        assertThat(new Schema(1, List.of(key, broken)).problem()).startsWith("column 'n' has a default");
        assertThat(new Schema(1, List.of(key, unknown)).problem()).contains("a type of a later version");
        assertThat(new Schema(0, List.of(key)).problem()).startsWith("version 0");
    }
}
