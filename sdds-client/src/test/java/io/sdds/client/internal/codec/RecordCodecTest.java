package io.sdds.client.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sdds.client.Codec;
import io.sdds.client.internal.SchemaCodecs;
import io.sdds.core.row.KeyEncoding;
import io.sdds.core.row.MalformedRowException;
import io.sdds.core.row.RowLayout;
import io.sdds.core.row.RowReader;
import io.sdds.core.row.RowWriter;
import io.sdds.core.row.Schema;
import io.sdds.core.row.SchemaText;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RecordCodecTest {
    private static final Schema PEOPLE = SchemaText.parse(
            "ssn bigint key, full_name varchar not null, born_on date, visits int default 7, color varchar");

    enum Color {
        RED,
        BLUE
    }

    private record Person(String fullName, LocalDate bornOn, int visits, Color color) {}

    private static final Person ADA = new Person("Ada", LocalDate.of(1815, 12, 10), 3, Color.BLUE);

    private static <R extends Record> Codec<R> rows(Class<R> type, String schema) {
        return SchemaCodecs.ofValue(SchemaText.parse(schema), Codec.ofRecord(type));
    }

    private static <R extends Record> Codec<R> rows(Class<R> type) {
        return SchemaCodecs.ofValue(PEOPLE, Codec.ofRecord(type));
    }

    private static void assertRefused(Runnable use, String message) {
        assertThatIllegalArgumentException().isThrownBy(use::run).withMessage(message);
    }

    @Test
    void componentsAreTheColumnsOfTheirNames() {
        Codec<Person> codec = rows(Person.class);
        byte[] row = codec.encode(ADA);
        assertThat(codec.decode(row)).isEqualTo(ADA);
        RowReader reader = new RowReader(RowLayout.of(PEOPLE));
        reader.read(row);
        assertThat(reader.value(0)).isEqualTo("Ada");
        assertThat(reader.value(2)).isEqualTo(3);
        assertThat(reader.value(3)).isEqualTo("BLUE");
    }

    @Test
    void nullsAreNullAndAreRefusedWhereTheyMayNotBe() {
        Codec<Person> codec = rows(Person.class);
        Person unknown = new Person("Bob", null, 0, null);
        assertThat(codec.decode(codec.encode(unknown))).isEqualTo(unknown);
        assertRefused(
                () -> codec.encode(new Person(null, null, 0, null)),
                "column 'full_name' is not null, and component 'fullName' of Person is null");
        byte[] noVisits = new RowWriter(PEOPLE).write(new Object[] {"Eve", null, null, null});
        assertRefused(
                () -> codec.decode(noVisits),
                "column 'visits' is NULL, and component 'visits' of Person is int: declare it Integer");
    }

    record AllTypes(
            Boolean a,
            Integer b,
            Long c,
            Double d,
            BigDecimal e,
            LocalDate f,
            LocalTime g,
            LocalDateTime h,
            UUID i,
            String j,
            byte[] k,
            long l) {}

    @Test
    void everyTypeHasItsClass() {
        Codec<AllTypes> codec = rows(
                AllTypes.class,
                "key uuid key, a boolean, b int, c bigint, d double, e decimal(9,2), f date, g time, h timestamp, i"
                        + " uuid, j varchar, k varbinary, l int");
        AllTypes all = new AllTypes(
                true,
                1,
                2L,
                0.5,
                new BigDecimal("1.50"),
                LocalDate.EPOCH,
                LocalTime.NOON,
                LocalDateTime.MIN.withYear(9),
                new UUID(1, 2),
                "x",
                new byte[] {1},
                9);
        AllTypes read = codec.decode(codec.encode(all));
        assertThat(read).usingRecursiveComparison().isEqualTo(all);
        AllTypes nulls = new AllTypes(null, null, null, null, null, null, null, null, null, null, null, 0);
        assertThat(codec.decode(codec.encode(nulls))).isEqualTo(nulls);
        AllTypes large = new AllTypes(null, null, null, null, null, null, null, null, null, null, null, 1L << 40);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> codec.encode(large))
                .withMessageStartingWith("column 'l': 1099511627776 is no integer");
    }

    private record Name(String full_name) {}

    private record Visits(Integer visits) {}

    @Test
    void columnsWithoutComponentsAreWrittenWithTheirDefaults() {
        Codec<Name> names = rows(Name.class);
        assertThat(names.decode(rows(Person.class).encode(ADA))).isEqualTo(new Name("Ada"));
        assertThat(rows(Person.class).decode(names.encode(new Name("Bob"))))
                .isEqualTo(new Person("Bob", null, 7, null));
        Codec<Visits> visits = rows(Visits.class);
        assertThat(visits.decode(rows(Person.class).encode(ADA))).isEqualTo(new Visits(3));
        assertRefused(
                () -> visits.encode(new Visits(1)),
                "column 'full_name' is not null, has no default, and Visits has no component of it: add a component"
                        + " String full_name to write rows");
    }

    @Test
    void rowsOfEarlierAndLaterSchemasAreRead() {
        Schema later = PEOPLE.drop("visits").add(SchemaText.parseColumn("city varchar default 'London'"));
        record Place(String fullName, String city) {}
        Codec<Place> places = SchemaCodecs.ofValue(later, Codec.ofRecord(Place.class));
        assertThat(places.decode(rows(Person.class).encode(ADA))).isEqualTo(new Place("Ada", "London"));
        byte[] row = places.encode(new Place("Bob", "Rome"));
        assertThat(rows(Name.class).decode(row)).isEqualTo(new Name("Bob"));
        assertThat(rows(Visits.class).decode(row)).isEqualTo(new Visits(null));
    }

    private record Wrong(String fullName, long visitz) {}

    private record Narrow(String fullName, Long bornOn) {}

    private record WithKey(long ssn, String fullName) {}

    private record Maybe(Optional<String> fullName) {}

    private record Small(short visits) {}

    @Test
    void whatDoesNotFitIsRefusedWithTheFix() {
        assertRefused(
                () -> rows(Wrong.class),
                "component 'visitz' of Wrong: the value has no column 'visitz'; did you mean 'visits'?");
        assertRefused(
                () -> rows(Narrow.class),
                "component 'bornOn' of Narrow: column 'born_on' is date, and the component is Long: declare it"
                        + " LocalDate");
        assertRefused(
                () -> rows(WithKey.class),
                "component 'ssn' of WithKey: column 'ssn' is part of the key, not of the value: remove the component");
        assertRefused(
                () -> rows(Maybe.class),
                "component 'fullName' of Maybe is Optional, which no column can be: declare it as what is in the"
                        + " Optional, which may be null");
        assertRefused(
                () -> rows(Small.class),
                "component 'visits' of Small is short, which no column can be: declare it int");
        record Same(String ab) {}
        assertRefused(
                () -> rows(Same.class, "k int key, a_b varchar, a__b varchar"),
                "component 'ab' of Same: columns 'a_b' and 'a__b' both match it: give the component the name of one of"
                        + " them");
        assertThat(rows(Same.class, "k int key, a_b varchar, AB varchar").encode(new Same("x")))
                .endsWith('x');
    }

    private record Order(String customer, int number) {}

    @Test
    void recordsAreKeysInTheOrderOfTheKeyColumns() {
        Schema schema = SchemaText.parse("number int key, customer varchar(3) key, total double");
        Codec<Order> keys = SchemaCodecs.ofKey(schema, Codec.ofRecord(Order.class));
        byte[] key = keys.encode(new Order("ab", -1));
        assertThat(key).isEqualTo(KeyEncoding.of(schema).encode(-1, "ab"));
        assertThat(keys.decode(key)).isEqualTo(new Order("ab", -1));
        assertThat(keys.ordered()).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> keys.encode(new Order("abcd", 1)))
                .withMessageStartingWith("column 'customer': text of 4 code points");
        assertRefused(() -> keys.encode(new Order(null, 1)), "column 'customer': part of a key, which is never null");
        record Half(int number) {}
        assertRefused(
                () -> SchemaCodecs.ofKey(schema, Codec.ofRecord(Half.class)),
                "key column 'customer' has no component in Half: add a component String customer");
    }

    @Test
    void withoutASchemaTheComponentsAreTheColumns() {
        Codec<Order> keys = SchemaCodecs.ofKey(Schema.NONE, Codec.ofRecord(Order.class));
        assertThat(Arrays.compareUnsigned(keys.encode(new Order("a", 9)), keys.encode(new Order("a", 10))))
                .isNegative();
        record Before(String fullName) {}
        record Grown(String fullName, Integer age) {}
        Codec<Grown> grown = SchemaCodecs.ofValue(Schema.NONE, Codec.ofRecord(Grown.class));
        assertThat(grown.decode(Codec.ofRecord(Before.class).encode(new Before("Ada"))))
                .isEqualTo(new Grown("Ada", null));
        record Price(BigDecimal amount) {}
        assertRefused(
                () -> SchemaCodecs.ofValue(Schema.NONE, Codec.ofRecord(Price.class)),
                "component 'amount' of Price: BigDecimal needs a table with a schema, which says its digits");
    }

    private record Checked(int visits) {
        Checked {
            if (visits < 0) {
                throw new IllegalStateException("negative");
            }
        }
    }

    @Test
    void whatConstructorsThrowIsThrown() {
        Codec<Checked> codec = rows(Checked.class, "k int key, visits int");
        byte[] negative = rows(Visits.class, "k int key, visits int").encode(new Visits(-1));
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> codec.decode(negative)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("negative");
    }

    @Test
    void mappedRecordsAreBoundToo() {
        Codec<String> names = Codec.ofRecord(Name.class).map(Name::full_name, Name::new);
        Codec<String> bound = SchemaCodecs.ofValue(PEOPLE, names);
        assertThat(rows(Person.class).decode(bound.encode("Bob")).visits()).isEqualTo(7);
        assertThat(bound.decode(bound.encode("Bob"))).isEqualTo("Bob");
    }

    @Test
    void otherCodecsAreCheckedAgainstTheKeyColumns() {
        Schema pairs = SchemaText.parse("a varchar key, b bigint key");
        record Pair(String a, long b) {}
        Codec<Pair> composite = Codec.composite(Codec.utf8(), Codec.int64(), Pair::a, Pair::b, Pair::new);
        assertThat(SchemaCodecs.ofKey(pairs, composite)).isSameAs(composite);
        assertThat(composite.encode(new Pair("x\0", 5)))
                .isEqualTo(KeyEncoding.of(pairs).encode("x\0", 5));
        assertThat(SchemaCodecs.ofKey(PEOPLE, Codec.int64())).isSameAs(Codec.int64());
        assertThat(SchemaCodecs.ofKey(Schema.NONE, Codec.utf8())).isSameAs(Codec.utf8());
        assertThat(SchemaCodecs.ofKey(PEOPLE, Codec.bytes())).isSameAs(Codec.bytes());
        assertRefused(
                () -> SchemaCodecs.ofKey(PEOPLE, Codec.utf8()),
                "the key has the columns (ssn bigint), and the codec of the keys has varchar: use a codec of these"
                        + " types, or Codec.ofRecord");
        Codec<String> limited = SchemaCodecs.ofKey(SchemaText.parse("k varchar(2) key"), Codec.utf8());
        assertThat(limited.decode(limited.encode("ab"))).isEqualTo("ab");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limited.encode("abc"))
                .withMessageStartingWith("column 'k': text of 3 code points");
        Codec<Long> own = Codec.ofOrdered(number -> new byte[3], bytes -> 0L);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SchemaCodecs.ofKey(PEOPLE, own).encode(1L))
                .withMessageStartingWith("the codec's 3 bytes do not fit the schema of the table");
    }

    @Test
    void otherValuesThanRowsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SchemaCodecs.ofValue(PEOPLE, Codec.utf8()))
                .withMessageEndingWith("the codec of the values makes none: use Codec.ofRecord");
        Codec<byte[]> own = SchemaCodecs.ofValue(PEOPLE, Codec.<byte[]>of(bytes -> bytes, bytes -> bytes));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> own.encode(new byte[5]))
                .withCauseInstanceOf(MalformedRowException.class);
        byte[] row = rows(Person.class).encode(ADA);
        assertThat(own.encode(row)).isSameAs(row);
        byte[] loose = new RowWriter(SchemaText.parse("k bigint key, full_name varchar")).write(new Object[] {null});
        assertRefused(() -> own.encode(loose), "column 'full_name' is not null and has no value");
    }
}
