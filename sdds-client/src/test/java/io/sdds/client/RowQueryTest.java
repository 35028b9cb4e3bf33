package io.sdds.client;

import static io.sdds.client.Filters.key;
import static io.sdds.client.Filters.where;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.client.internal.routing.FakeCluster.Answer;
import io.sdds.core.Seeds;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.Status;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Queries for rows, of scripted bricks that evaluate row by row and answer a few records at a time. */
class RowQueryTest {
    private static final int RECORDS = 500;

    private final Map<String, String> all = new HashMap<>();
    private ClientFixture world = new ClientFixture(3, 5);

    private HashTable<String, String> filled() {
        for (int k = 0; k < RECORDS; k++) {
            all.put("key" + k, "value" + k * 7);
        }
        all.forEach((key, value) -> world.cluster.put(key.getBytes(UTF_8), value.getBytes(UTF_8)));
        return world.table;
    }

    private <T> List<T> rows(RowQuery<T> query) {
        return world.await(query.toListAsync());
    }

    @Test
    void selectsOfTheRecordsThatMeetACondition() {
        HashTable<String, String> table = filled();
        Map<String, Integer> expected = new HashMap<>();
        all.forEach((key, value) -> {
            if (value.contains("99")) {
                expected.put(key, value.length());
            }
        });
        RowQuery<Row> query = table.scan().where("value contains '99'").select("key", "length(value) as n");
        assertThat(query.columns()).containsExactly("key", "n");
        Map<String, Integer> found = new HashMap<>();
        rows(query)
                .forEach(row -> assertThat(found.put(row.getString("KEY"), row.getInt(1)))
                        .isNull());
        assertThat(found).isEqualTo(expected).isNotEmpty();
        assertThat(world.await(query.countAsync())).isEqualTo(expected.size());
        assertThat(world.cluster.programs()).isPositive();
    }

    @Test
    void conditionsAndFiltersCombineAndGiveRecords() {
        HashTable<String, String> table = filled();
        Scan<String, String> scan = table.scan(where(key().startsWith("key1")))
                .where("length(key) = 5")
                .where("value contains '9'");
        Map<String, String> expected = all.entrySet().stream()
                .filter(each -> each.getKey().startsWith("key1"))
                .filter(each -> each.getKey().length() == 5)
                .filter(each -> each.getValue().contains("9"))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        Map<String, String> found = new HashMap<>();
        world.await(scan.forEachAsync(
                (key, value) -> assertThat(found.put(key, value)).isNull()));
        assertThat(found).isEqualTo(expected).isNotEmpty();
        assertThat(world.await(scan.countAsync())).isEqualTo(expected.size());
        assertThat(rows(scan.rows())).hasSize(expected.size());

        List<String> keys = new ArrayList<>();
        world.await(scan.keysOnly().limit(3).forEachAsync((key, nothing) -> {
            assertThat(nothing).isNull();
            keys.add(key);
        }));
        assertThat(keys).hasSize(3).doesNotHaveDuplicates().allMatch(expected::containsKey);
    }

    private static final String BLOCK = "substring(value, 6, 1)";

    private Map<String, List<Integer>> blocks() {
        return all.values().stream()
                .collect(Collectors.groupingBy(
                        value -> value.substring(5, 6),
                        TreeMap::new,
                        Collectors.mapping(value -> Integer.parseInt(value.substring(5)), Collectors.toList())));
    }

    private List<String> expectedBlocks() {
        return blocks().entrySet().stream()
                .map(block -> block.getKey() + " " + block.getValue().size() + " "
                        + block.getValue().stream().mapToInt(k -> k).sum() + " "
                        + block.getValue().stream().mapToInt(k -> k).max().orElse(0))
                .toList();
    }

    private RowQuery<Row> blockQuery() {
        return world.table
                .scan()
                .groupBy(BLOCK + " as block")
                .aggregate("count(*) as n, sum(cast(substring(value, 6) as integer)) as total")
                .aggregate("count(*) as n, sum(cast(substring(value, 6) as integer)) as total,"
                        + " max(cast(substring(value, 6) as integer)) as largest")
                .orderBy("block");
    }

    private static List<String> texts(List<Row> rows) {
        return rows.stream()
                .map(row -> row.getString("block") + " " + row.getLong("n") + " " + row.getLong("total") + " "
                        + row.getInt("largest"))
                .toList();
    }

    @Test
    void groupsOfAllPartsAreMerged() {
        filled();
        assertThat(texts(rows(blockQuery()))).isEqualTo(expectedBlocks()).hasSize(10);
        assertThat(world.await(blockQuery().countAsync())).isEqualTo(10);
        assertThat(world.await(blockQuery().limit(4).countAsync())).isEqualTo(4);
    }

    @Test
    void averagesAreQuotientsOfWhatWasMerged() {
        HashTable<String, String> table = filled();
        Row row = rows(table.scan().aggregate("avg(length(value)), sum(length(value)) / count(*) as same, count(*)"))
                .get(0);
        int sum = all.values().stream().mapToInt(String::length).sum();
        BigDecimal average = new BigDecimal(sum).divide(new BigDecimal(RECORDS), 6, java.math.RoundingMode.HALF_UP);
        assertThat(row.getDecimal(0)).isEqualTo(average);
        assertThat(row.getDecimal("same")).isEqualTo(average);
        assertThat(row.getLong(2)).isEqualTo(RECORDS);
    }

    @Test
    void noRecordsAreOneGroupWithoutKeysAndNoneWithKeys() {
        HashTable<String, String> table = world.table;
        Row row = rows(table.scan().aggregate("count(*) as n, sum(length(value)) as s, max(key) as m"))
                .get(0);
        assertThat(row.getLong("n")).isZero();
        assertThat(row.isNull("s")).isTrue();
        assertThat(row.get("m")).isNull();
        assertThat(rows(table.scan().groupBy("key").aggregate("count(*)"))).isEmpty();
        assertThat(rows(table.scan().rows())).isEmpty();
    }

    @Test
    void theFirstRowsOfAnOrderComeInThisOrder() {
        HashTable<String, String> table = filled();
        List<String> expected = all.keySet().stream()
                .sorted(Comparator.comparing((String key) -> key.length())
                        .reversed()
                        .thenComparing(key -> key))
                .toList();
        RowQuery<Row> query = table.scan().select("key").orderBy("length(key) desc, key");
        assertThat(rows(query.limit(20)).stream().map(row -> row.getString(0))).isEqualTo(expected.subList(0, 20));
        assertThat(rows(query).stream().map(row -> row.getString(0))).isEqualTo(expected);
        assertThat(rows(query.limit(0))).isEmpty();
        assertThat(rows(table.scan().select("key").limit(7))).hasSize(7);
        assertThat(world.await(query.limit(20).countAsync())).isEqualTo(20);
    }

    @Test
    void laterStepsAnswerOnlyRowsBeforeTheLastOneThatIsKept() {
        HashTable<String, String> table = filled();
        List<String> expected = all.keySet().stream().sorted().toList().subList(0, 4);
        RowQuery<Row> query = table.scan().select("key").orderBy("key").limit(4);
        assertThat(rows(query).stream().map(row -> row.getString(0))).isEqualTo(expected);
        assertThat(world.cluster.bounds()).isPositive();
    }

    @Test
    void nullsStandWhereTheOrderSays() {
        HashTable<String, String> table = filled();
        RowQuery<Row> query = table.scan().select("case when key > 'key3' then null else key end as k");
        long nulls =
                all.keySet().stream().filter(key -> key.compareTo("key3") > 0).count();
        List<Row> first = rows(query.orderBy("k nulls first"));
        List<Row> last = rows(query.orderBy("k"));
        assertThat(first.subList(0, (int) nulls)).allMatch(row -> row.isNull(0));
        assertThat(last.subList((int) (RECORDS - nulls), RECORDS)).allMatch(row -> row.isNull(0));
        assertThat(first.get((int) nulls).getString(0)).isEqualTo("key0");
        assertThat(rows(query.orderBy("k desc").limit(1)).get(0).isNull(0)).isTrue();
    }

    @Test
    void staysExactWhilePartitionsSplitAndMoveAndBricksDoNotKnowThePrograms() {
        filled();
        SplittableRandom random = Seeds.random("RowQueryTest");
        for (int round = 0; round < 30; round++) {
            world.cluster.refuseProgramsIf(() -> random.nextInt(40) == 0);
            world.cluster.script(request -> {
                int dice = random.nextInt(100);
                if (dice < 10 && world.cluster.partitions() < 120) {
                    world.cluster.split();
                } else if (dice < 15) {
                    world.cluster.move(random.nextInt(world.cluster.partitions()), 1 + random.nextInt(3));
                }
                return dice >= 92 ? Answer.CLOSE : dice >= 85 ? Answer.redirect() : null;
            });
            assertThat(texts(rows(blockQuery()))).isEqualTo(expectedBlocks());
            assertThat(rows(world.table.scan().select("key")).stream().map(row -> row.getString(0)))
                    .containsExactlyInAnyOrderElementsOf(all.keySet());
        }
        assertThat(world.cluster.partitions()).isGreaterThan(60);
    }

    @Test
    void withoutPushdownTheClientEvaluates() {
        world = new ClientFixture(3, 5, ClientSettings.builder().pushdown(false).build());
        HashTable<String, String> table = filled();
        assertThat(texts(rows(blockQuery()))).isEqualTo(expectedBlocks());
        assertThat(world.await(table.scan().where("value contains '99'").countAsync()))
                .isEqualTo(all.values().stream()
                        .filter(value -> value.contains("99"))
                        .count());
        assertThat(world.cluster.programs()).isZero();
    }

    @Test
    void anErrorOfARecordEndsTheQueryWithAndWithoutPushdown() {
        for (boolean pushdown : new boolean[] {true, false}) {
            world = new ClientFixture(
                    3, 5, ClientSettings.builder().pushdown(pushdown).build());
            HashTable<String, String> table = filled();
            RowQuery<Row> query = table.scan().select("10 / (length(key) - 5)");
            QueryException failure = world.awaitFailure(query.toListAsync(), QueryException.class);
            assertThat(failure).hasMessageContaining("division by zero").hasMessageContaining("key");
            assertThat(world.await(query.countAsync())).isEqualTo(RECORDS);
            world.awaitFailure(table.scan().where("1 / (length(key) - 5) = 1").countAsync(), QueryException.class);
        }
    }

    @Test
    void namesWhatItCouldNotReach() {
        HashTable<String, String> table = filled();
        world.cluster.script(
                request -> request.opcode() == Opcode.SCAN && request.partition() == 3 ? Answer.of(Status.LOST) : null);
        IncompleteRangeException failure =
                world.awaitFailure(table.scan().aggregate("count(*)").toListAsync(), IncompleteRangeException.class);
        assertThat(failure.missing()).contains("c000000000000000-end");
    }

    @Test
    void wrongTextsAreRefusedWithTheirPosition() {
        Scan<String, String> scan = world.table.scan();
        assertThatThrownBy(() -> scan.where("value contains"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("where, position 15");
        assertThatThrownBy(() -> scan.where("valeu contains 'x'"))
                .hasMessageContaining("no column 'valeu'; did you mean 'value'?");
        assertThatThrownBy(() -> scan.groupBy("key").select("value").columns())
                .hasMessageContaining("'value' is neither in group by nor in an aggregate");
        assertThatThrownBy(() -> scan.aggregate("sum(value)").columns()).hasMessageContaining("aggregate, position 1");
        assertThatThrownBy(() -> scan.select("lenght(key)").columns()).hasMessageContaining("did you mean 'length'?");
        assertThatThrownBy(() -> scan.rows().limit(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    record Sized(String key, long size, double half, Integer none) {}

    record Wrong(String city) {}

    @Test
    void rowsBecomeRecords() {
        HashTable<String, String> table = filled();
        RowQuery<Row> query = table.scan()
                .select("key", "length(value) as size", "length(value) / 2.0 as half", "cast(null as integer) as none")
                .orderBy("key")
                .limit(1);
        assertThat(rows(query.as(Sized.class))).containsExactly(new Sized("key0", 6, 3.0, null));
        assertThatThrownBy(() -> query.as(Wrong.class).toListAsync())
                .hasMessageContaining("component 'city' of Wrong: the result has no column 'city'");
        assertThatThrownBy(() ->
                        query.select("length(key) as city").as(Wrong.class).toListAsync())
                .hasMessageContaining("which takes no integer");
    }

    private static final class Some implements Flow.Subscriber<Row> {
        final List<String> keys = new ArrayList<>();
        Flow.Subscription subscription;
        Throwable failure;
        boolean complete;

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
        }

        @Override
        public void onNext(Row row) {
            keys.add(row.getString(0));
        }

        @Override
        public void onError(Throwable why) {
            failure = why;
        }

        @Override
        public void onComplete() {
            complete = true;
        }
    }

    @Test
    void aSubscriberGetsNoMoreThanItAsksFor() {
        HashTable<String, String> table = filled();
        Some some = new Some();
        int before = world.cluster.programs();
        table.scan().select("key").publisher().subscribe(some);
        world.run(100);
        assertThat(world.cluster.programs()).isEqualTo(before);
        some.subscription.request(3);
        world.run(100);
        assertThat(some.keys).hasSize(3);
        int asked = world.cluster.programs();
        world.run(1000);
        assertThat(world.cluster.programs()).isEqualTo(asked).isLessThanOrEqualTo(before + 10);
        some.subscription.request(Long.MAX_VALUE);
        world.runUntil(() -> some.complete, 5000);
        assertThat(some.complete).isTrue();
        assertThat(some.keys).containsExactlyInAnyOrderElementsOf(all.keySet());
    }

    @Test
    void aCancelledSubscriptionAsksForNothingMore() {
        HashTable<String, String> table = filled();
        Some some = new Some();
        table.scan().select("key").publisher().subscribe(some);
        some.subscription.request(5);
        world.run(100);
        some.subscription.cancel();
        int asked = world.cluster.programs();
        some.subscription.request(100);
        world.run(1000);
        assertThat(world.cluster.programs()).isEqualTo(asked);
        assertThat(some.keys).hasSize(5);
        assertThat(some.complete).isFalse();
        assertThat(some.failure).isNull();
    }

    @Test
    void aRequestForNothingIsAnError() {
        Some some = new Some();
        filled().scan().select("key").publisher().subscribe(some);
        some.subscription.request(0);
        world.run(10);
        assertThat(some.failure).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aFailingConsumerEndsItsQueryAlone() {
        HashTable<String, String> table = filled();
        CompletableFuture<Void> rows = table.scan().select("key").forEachAsync(row -> {
            throw new IllegalArgumentException("on purpose");
        });
        world.awaitFailure(rows, IllegalArgumentException.class);
        assertThat(world.await(table.getAsync("key1"))).isEqualTo("value7");
    }
}
