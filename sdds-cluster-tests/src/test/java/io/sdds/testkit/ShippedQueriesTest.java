package io.sdds.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.client.ClientSettings;
import io.sdds.client.Codec;
import io.sdds.client.Cursor;
import io.sdds.client.Filters;
import io.sdds.client.HashTable;
import io.sdds.client.Query;
import io.sdds.client.QueryException;
import io.sdds.client.RangeTable;
import io.sdds.client.Row;
import io.sdds.client.RowCursor;
import io.sdds.client.RowQuery;
import io.sdds.client.SddsClient;
import io.sdds.client.Table;
import io.sdds.client.TableOptions;
import io.sdds.client.ValueCursor;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Queries whose programs bricks evaluate, over real sockets, against plain Java; with pushdown and without. */
class ShippedQueriesTest {
    private static final int PEOPLE = 5_000;
    private static final String COLUMNS =
            "ssn bigint key, name varchar not null, city varchar, age integer not null, salary decimal(10,2)";

    private static EmbeddedCluster cluster;
    private static SddsClient alone;
    private static List<Person> people;
    private static HashTable<Long, Data> hashed;
    private static RangeTable<Long, Data> ordered;
    private static HashTable<String, String> names;

    record Data(String name, String city, int age, BigDecimal salary) {}

    record Person(long ssn, Data data) {}

    record City(String city, long n, BigDecimal pay) {}

    @BeforeAll
    static void start() {
        cluster = EmbeddedCluster.start(3);
        alone = SddsClient.connect(
                List.of(cluster.address()),
                ClientSettings.builder().pushdown(false).build());
        SddsClient client = cluster.client();
        TableOptions small =
                TableOptions.builder().capacityRecords(600).schema(COLUMNS).build();
        hashed = client.createHashTable("hashed", small, Codec.int64(), Codec.ofRecord(Data.class));
        ordered = client.createRangeTable("ordered", small, Codec.int64(), Codec.ofRecord(Data.class));
        names = client.createHashTable("names", TableOptions.defaults(), Codec.utf8(), Codec.utf8());
        people = IntStream.range(0, PEOPLE).mapToObj(ShippedQueriesTest::person).toList();
        Map<Long, Data> all = people.stream().collect(Collectors.toMap(Person::ssn, Person::data));
        hashed.putAll(all);
        ordered.putAll(all);
        names.putAll(Map.of("U+1F63A", "SMILING CAT FACE", "U+41", "LATIN CAPITAL LETTER A", "U+1F408", "CAT"));
    }

    @AfterAll
    static void stop() {
        alone.close();
        cluster.close();
    }

    private static Person person(int k) {
        String city = k % 7 == 0 ? null : "city" + k * 31 % 60;
        BigDecimal salary = k % 5 == 0 ? null : BigDecimal.valueOf(k * 37L % 100_000, 2);
        return new Person(k * 11L - 7_000, new Data("name " + k, city, k % 90, salary));
    }

    /** The query of each table, with pushdown and without. */
    private static Stream<Query<Long, Data>> queries() {
        Codec<Data> rows = Codec.ofRecord(Data.class);
        return Stream.of(
                hashed.scan(),
                ordered.scan(),
                alone.hashTable("hashed", Codec.int64(), rows).scan(),
                alone.rangeTable("ordered", Codec.int64(), rows).scan());
    }

    private static void agree(Function<Query<Long, Data>, List<?>> query, List<?> expected) {
        queries().forEach(each -> assertThat(query.apply(each)).isEqualTo(expected));
    }

    @Test
    void aListOfAMegabyteFindsItsRecords() {
        List<Person> listed =
                people.stream().filter(person -> person.ssn() % 13 == 0).toList();
        String where = IntStream.range(0, 100_000)
                        .mapToObj(k -> String.valueOf(10_000_000_000L + k))
                        .collect(Collectors.joining(", ", "ssn in (", ", "))
                + listed.stream()
                        .map(person -> String.valueOf(person.ssn()))
                        .collect(Collectors.joining(", ", "", ")"));
        assertThat(where).hasSizeGreaterThan(1 << 20);
        List<List<Object>> expected =
                listed.stream().map(ShippedQueriesTest::values).toList();
        queries()
                .limit(2)
                .forEach(query -> assertThat(
                                query.rows().where(where).select("ssn, name, city, age, salary").orderBy("ssn").stream()
                                        .map(row -> IntStream.range(0, 5)
                                                .mapToObj(row::get)
                                                .toList()))
                        .isEqualTo(expected));
        assertThat(ordered.scan().where(where).count()).isEqualTo(listed.size());
    }

    private static List<Object> values(Person person) {
        Data data = person.data();
        return Arrays.asList(person.ssn(), data.name(), data.city(), data.age(), data.salary());
    }

    @Test
    void aTableWithoutASchemaHasKeyAndValue() {
        RowQuery<Row> query = names.scan()
                .where("value contains 'CAT'")
                .select("key, length(value) as n")
                .orderBy("key");
        assertThat(query.toList().stream().map(Row::toString))
                .containsExactly("key = x'552b3146343038', n = 3", "key = x'552b3146363341', n = 16");
        assertThat(query.count()).isEqualTo(2);
    }

    @Test
    void conditionsOnColumnsSelectRecords() {
        List<Long> expected = people.stream()
                .filter(person -> person.data().age() > 50
                        && "city31".equals(person.data().city()))
                .map(Person::ssn)
                .sorted()
                .toList();
        assertThat(expected).isNotEmpty();
        agree(
                query -> query.rows().where("age > 50 and city = 'city31'").select("ssn").orderBy("ssn").stream()
                        .map(row -> row.getLong(0))
                        .toList(),
                expected);
        assertThat(hashed.scan().where("age > 50").where("city = 'city31'").count())
                .isEqualTo(expected.size());
        List<Long> keys = new ArrayList<>();
        ordered.scan().where("age > 50 and city = 'city31'").forEach((key, data) -> keys.add(key));
        assertThat(keys).isEqualTo(expected);
    }

    @Test
    void groupsAreThoseOfPlainJava() {
        Comparator<City> byPay = Comparator.comparing(City::pay).reversed().thenComparing(City::city);
        Map<String, List<Data>> byCity = people.stream()
                .map(Person::data)
                .filter(data -> data.city() != null)
                .collect(Collectors.groupingBy(Data::city, TreeMap::new, Collectors.toList()));
        List<City> expected = byCity.entrySet().stream()
                .map(city -> new City(
                        city.getKey(),
                        city.getValue().size(),
                        city.getValue().stream()
                                .map(Data::salary)
                                .filter(salary -> salary != null)
                                .reduce(new BigDecimal("0.00"), BigDecimal::add)))
                .sorted(byPay)
                .limit(10)
                .toList();
        agree(
                query -> query.rows()
                        .where("city is not null")
                        .groupBy("city")
                        .aggregate("count(*) as n, coalesce(sum(salary), 0.00) as pay")
                        .orderBy("pay desc, city")
                        .limit(10)
                        .as(City.class)
                        .toList(),
                expected);
        agree(
                query -> List.of(query.groupBy("city").aggregate("count(*)").count()),
                List.of((long) byCity.size() + 1)); // one of NULL
    }

    @Test
    void averagesMinimaAndMaximaLeaveNullsOut() {
        List<BigDecimal> salaries = people.stream()
                .map(person -> person.data().salary())
                .filter(salary -> salary != null)
                .toList();
        BigDecimal sum = salaries.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
        List<?> expected = List.of(
                sum.divide(BigDecimal.valueOf(salaries.size()), 6, RoundingMode.HALF_UP),
                salaries.stream().min(Comparator.naturalOrder()).orElseThrow(),
                salaries.stream().max(Comparator.naturalOrder()).orElseThrow(),
                (long) salaries.size(),
                (long) PEOPLE);
        agree(
                query -> {
                    Row row = query.aggregate("avg(salary), min(salary), max(salary), count(salary), count(*)")
                            .toList()
                            .get(0);
                    return IntStream.range(0, 5).mapToObj(row::get).toList();
                },
                expected);
    }

    @Test
    void theFirstOfAnOrderAndTheRowsOfARangeComeInOrder() {
        List<String> expected = people.stream()
                .sorted(Comparator.comparing((Person person) -> person.data().age())
                        .reversed()
                        .thenComparing(Person::ssn))
                .limit(25)
                .map(person -> person.data().name())
                .toList();
        agree(
                query -> query.select("name").orderBy("age desc, ssn").limit(25).stream()
                        .map(row -> row.getString("name"))
                        .toList(),
                expected);
        List<Long> between = people.stream()
                .map(Person::ssn)
                .filter(ssn -> ssn >= -100 && ssn <= 4_000)
                .sorted(Comparator.reverseOrder())
                .toList();
        assertThat(ordered.range(-100L, 4_000L).descending().select("ssn").stream()
                        .map(row -> row.getLong(0)))
                .isEqualTo(between);
    }

    @Test
    void allRowsOfARangeTableComeInOrderOfTheKeyFromManyPartitions() {
        List<Long> expected = people.stream().map(Person::ssn).sorted().toList();
        assertThat(ordered.scan().select("ssn").stream().map(row -> row.getLong(0)))
                .isEqualTo(expected);
    }

    @Test
    void cursorsContinueInQueriesWithConditions() {
        Map<Long, Data> found = new HashMap<>();
        String token = null;
        for (int pages = 0; pages < 1_000; pages++) {
            var page = hashed.scan().where("age < 10").limit(37);
            try (Cursor<Long, Data> cursor = token == null ? page.openResumable() : page.open(token)) {
                if (!cursor.hasNext()) {
                    break;
                }
                cursor.forEachRemaining(entry ->
                        assertThat(found.put(entry.getKey(), entry.getValue())).isNull());
                token = cursor.token();
            }
        }
        assertThat(found)
                .isEqualTo(people.stream()
                        .filter(person -> person.data().age() < 10)
                        .collect(Collectors.toMap(Person::ssn, Person::data)));
    }

    @Test
    void filtersCombineWithConditions() {
        long expected = people.stream()
                .filter(person -> person.data().age() == 3)
                .filter(person -> person.data().name().contains("7"))
                .count();
        assertThat(expected).isPositive();
        assertThat(hashed.scan(Filters.value().contains("name"))
                        .where("age = 3 and name like '%7%'")
                        .count())
                .isEqualTo(expected);
        Table<Long, Data> table = ordered;
        assertThat(table.scan(Filters.value().contains("no such bytes")).rows().count())
                .isZero();
    }

    @Test
    void anErrorNamesTheKeyWithAndWithoutPushdown() {
        queries()
                .forEach(query -> assertThatThrownBy(() -> query.rows()
                                .where("ssn = -7000")
                                .select("1 / age")
                                .toList())
                        .isInstanceOf(QueryException.class)
                        .hasMessageEndingWith("division by zero at key -7000"));
    }

    @Test
    void cursorsOverValuesGiveTheRowsOfOtherCursors() {
        for (Query<Long, Data> query : queries().toList()) {
            RowQuery<Row> columns = query.select("ssn, salary, city");
            List<List<Object>> all = columns.toList().stream()
                    .map(row -> Arrays.asList(row.get(0), row.get(1), row.get(2)))
                    .toList();
            assertThat(values(columns)).containsExactlyInAnyOrderElementsOf(all);
            assertThat(values(columns.limit(7))).hasSize(7).isSubsetOf(all);
            assertThat(values(columns.limit(0))).isEmpty();
            assertThat(values(columns.orderBy("city desc, ssn").limit(20)))
                    .isEqualTo(columns.orderBy("city desc, ssn").limit(20).toList().stream()
                            .map(row -> Arrays.asList(row.get(0), row.get(1), row.get(2)))
                            .toList());
            ValueCursor failing = query.select("1 / (ssn - ssn) as n").openValues();
            assertThatThrownBy(failing::next).isInstanceOf(QueryException.class);
        }
    }

    private static List<List<Object>> values(RowQuery<Row> query) {
        List<List<Object>> rows = new ArrayList<>();
        try (ValueCursor values = query.openValues()) {
            while (values.next()) {
                rows.add(Arrays.asList(
                        values.getLong(0),
                        values.isNull(1) ? null : values.getDecimal(1),
                        values.isNull(2) ? null : new String(values.getBytes(2), UTF_8)));
            }
        }
        return rows;
    }

    @Test
    void aCursorThatIsClosedEarlyAsksForNothingMore() {
        try (RowCursor<Row> cursor = hashed.scan().select("ssn").open()) {
            assertThat(cursor.next().getLong(0)).isBetween(-7_000L, 11L * PEOPLE);
        }
        assertThat(hashed.scan().select("ssn").limit(3).toList()).hasSize(3);
        try (Stream<Row> rows = ordered.scan().select("ssn").stream()) {
            assertThat(rows.limit(2).map(row -> row.getLong(0))).containsExactly(-7_000L, -6_989L);
        }
    }

    record Citizen(String name, String city, int age) {}

    record Town(String city, long people, double age) {}

    @Test
    void theExampleOfTheReadmeRuns() {
        HashTable<Long, Citizen> table = cluster.client()
                .createHashTable(
                        "people",
                        TableOptions.defaults()
                                .withSchema(
                                        "ssn bigint key, name varchar not null, city varchar, age integer not null"),
                        Codec.int64(),
                        Codec.ofRecord(Citizen.class));
        table.put(1L, new Citizen("Ada", "London", 36));
        table.put(2L, new Citizen("Charles", "London", 79));
        table.put(3L, new Citizen("Kid", "Paris", 7));
        assertThat(table.scan()
                        .where("age >= 18")
                        .groupBy("city")
                        .aggregate("count(*) as people, avg(age) as age")
                        .orderBy("people desc, city")
                        .as(Town.class)
                        .toList())
                .containsExactly(new Town("London", 2, 57.5));
    }

    @Test
    void consumersAndSubscribersRunOnTheExecutorOneCallAtATime() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(3, task -> new Thread(task, "callbacks"));
        ClientSettings settings =
                ClientSettings.builder().callbackExecutor(threads).build();
        try (SddsClient client = SddsClient.connect(List.of(cluster.address()), settings)) {
            HashTable<byte[], byte[]> table = client.hashTable("hashed", Codec.bytes(), Codec.bytes());
            AtomicInteger inside = new AtomicInteger();
            List<Long> keys = new ArrayList<>();
            table.scan()
                    .select("ssn")
                    .forEachAsync(row -> {
                        assertThat(Thread.currentThread().getName()).isEqualTo("callbacks");
                        assertThat(inside.incrementAndGet()).isEqualTo(1);
                        keys.add(row.getLong(0));
                        inside.decrementAndGet();
                    })
                    .get(60, TimeUnit.SECONDS);
            assertThat(keys.stream().sorted())
                    .isEqualTo(people.stream().map(Person::ssn).sorted().toList());

            OneByOne subscriber = new OneByOne();
            table.scan().select("ssn").limit(50).publisher().subscribe(subscriber);
            assertThat(subscriber.done.get(60, TimeUnit.SECONDS)).isEqualTo(50);
        } finally {
            threads.shutdown();
        }
    }

    /** Asks for the next row when it has one. */
    private static final class OneByOne implements Flow.Subscriber<Row> {
        final CompletableFuture<Integer> done = new CompletableFuture<>();
        private Flow.Subscription subscription;
        private int rows;

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            given.request(1);
        }

        @Override
        public void onNext(Row row) {
            rows++;
            subscription.request(1);
        }

        @Override
        public void onError(Throwable failure) {
            done.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            done.complete(rows);
        }
    }
}
