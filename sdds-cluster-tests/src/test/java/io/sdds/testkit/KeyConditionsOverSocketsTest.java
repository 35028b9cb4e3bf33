package io.sdds.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.client.ChangeCount;
import io.sdds.client.Codec;
import io.sdds.client.CodecException;
import io.sdds.client.Cursor;
import io.sdds.client.QueryException;
import io.sdds.client.Range;
import io.sdds.client.RangeTable;
import io.sdds.client.Row;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import io.sdds.core.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Conditions on the first columns of keys: queries of a range table ask only the partitions that can have records. */
class KeyConditionsOverSocketsTest {
    private static final int COUNTRIES = 20;
    private static final int EACH = 200;
    private static final int PARTITIONS_MIN = 20;

    private static EmbeddedCluster cluster;
    private static RangeTable<Place, Size> table;

    record Place(String country, int number) {}

    record Size(long people) {}

    @BeforeAll
    static void start() {
        cluster = EmbeddedCluster.start(3);
        TableOptions small = TableOptions.builder()
                .capacityRecords(200)
                .schema("country varchar key, number integer key, people bigint not null")
                .build();
        table = cluster.client()
                .createRangeTable("places", small, Codec.ofRecord(Place.class), Codec.ofRecord(Size.class));
        Map<Place, Size> all = new HashMap<>();
        for (int c = 0; c < COUNTRIES; c++) {
            for (int n = 0; n < EACH; n++) {
                all.put(new Place(country(c), n), new Size((long) c * n));
            }
        }
        table.putAll(all);
        Awaitility.await().until(() -> requests(table::size) >= PARTITIONS_MIN); // and the image knows them
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static String country(int c) {
        return "country" + (char) ('a' + c);
    }

    private static long requests(Runnable query) {
        SddsClient client = cluster.client();
        long before = client.statistics().requests();
        query.run();
        return client.statistics().requests() - before;
    }

    private static long count(Range<Place, Size> range) {
        return range.count();
    }

    @Test
    void onlyPartitionsThatCanHaveRecordsAreAsked() {
        long all = requests(
                () -> assertThat(count(table.range().where("people >= 0"))).isEqualTo(COUNTRIES * EACH));
        assertThat(all).isGreaterThanOrEqualTo(PARTITIONS_MIN);
        assertThat(requests(() -> assertThat(count(table.range().where("country = 'countryc' and number = 7")))
                        .isEqualTo(1)))
                .isEqualTo(1);
        assertThat(requests(() -> assertThat(count(table.range().where("country = 'countryc' and number >= 190")))
                        .isEqualTo(10)))
                .isLessThanOrEqualTo(2);
        assertThat(requests(() -> assertThat(count(table.range().where("country like 'countryd%' and people > 0")))
                        .isEqualTo(EACH - 1)))
                .isLessThanOrEqualTo(all / 4);
        assertThat(requests(() -> assertThat(count(table.range().where("country = 'x' and country = 'y'")))
                        .isZero()))
                .isZero();
        assertThat(requests(() -> assertThat(table.range()
                                .where("country between 'countrya' and 'countryb'")
                                .groupBy("country")
                                .aggregate("count(*) as n")
                                .toList())
                        .hasSize(2)))
                .isLessThanOrEqualTo(all / 4);
    }

    @Test
    void changesAskOnlyForTheirRecords() {
        long changing = requests(() -> assertThat(table.range()
                        .where("country = 'countrye' and number < 10")
                        .update("people = people + 0"))
                .isEqualTo(new ChangeCount(10, 0)));
        assertThat(changing).isLessThanOrEqualTo(12);
    }

    @Test
    void boundsFromConditionsAndOrderAndTokensAgree() {
        SplittableRandom random = Seeds.random("KeyConditionsOverSocketsTest");
        for (int run = 0; run < 60; run++) {
            String from = country(random.nextInt(COUNTRIES));
            int low = random.nextInt(EACH);
            int high = random.nextInt(EACH);
            String condition = "country >= '" + from + "' and country < '" + from + "~' and number between " + low
                    + " and " + high;
            List<Place> expected = new ArrayList<>();
            for (int n = low; n <= high; n++) {
                expected.add(new Place(from, n));
            }
            boolean isDescending = random.nextBoolean();
            Range<Place, Size> range = table.range().where(condition);
            if (isDescending) {
                range = range.descending();
                Collections.reverse(expected);
            }
            assertThat(keys(range::open)).isEqualTo(expected);
            assertThat(pages(range.limit(1 + random.nextInt(50)))).isEqualTo(expected);
            List<Row> rows = table.range().where(condition).select("number").toList();
            assertThat(rows).hasSize(expected.size());
        }
    }

    private static List<Place> keys(Supplier<Cursor<Place, Size>> opened) {
        List<Place> keys = new ArrayList<>();
        try (Cursor<Place, Size> cursor = opened.get()) {
            cursor.forEachRemaining(entry -> keys.add(entry.getKey()));
        }
        return keys;
    }

    private static List<Place> pages(Range<Place, Size> page) {
        List<Place> keys = new ArrayList<>();
        String[] token = {null};
        int before;
        do {
            before = keys.size();
            try (Cursor<Place, Size> cursor = token[0] == null ? page.open() : page.open(token[0])) {
                cursor.forEachRemaining(entry -> keys.add(entry.getKey()));
                token[0] = cursor.token();
            }
        } while (keys.size() > before);
        return keys;
    }

    @Test
    void rangesByFirstColumns() {
        assertThat(table.startingWith("countryf").count()).isEqualTo(EACH);
        assertThat(keys(() -> table.startingWith("countryf", 3).open())).containsExactly(new Place("countryf", 3));
        assertThat(table.startingWith("country").count()).isZero();
        assertThat(table.startingWith().count()).isEqualTo(COUNTRIES * EACH);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> table.startingWith("a", "b"))
                .withMessageContaining("number");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> table.startingWith("a", 1, 2))
                .withMessage("3 values of a key of 2 columns");
    }

    @Test
    void errorsNameTheColumnsOfTheKey() {
        assertThatThrownBy(() -> table.range()
                        .where("country = 'countryf' and 1 / (number - 3) = 1")
                        .count())
                .isInstanceOf(QueryException.class)
                .hasMessageEndingWith("division by zero at key 'countryf', 3");
        RangeTable<Place, byte[]> bytes =
                cluster.client().rangeTable("places", Codec.ofRecord(Place.class), Codec.bytes());
        Place damaged = new Place("it's", 1);
        bytes.put(damaged, new byte[] {9, 9});
        try {
            String why = "row cannot be read: 2 bytes, fewer than a header has, at key 'it''s', 1";
            assertThatThrownBy(() -> table.get(damaged))
                    .isInstanceOf(CodecException.class)
                    .hasMessageEndingWith(why);
            assertThatThrownBy(() -> keys(() -> table.startingWith("it's").open()))
                    .isInstanceOf(CodecException.class)
                    .hasMessageEndingWith(why);
            assertThatThrownBy(() -> table.range().where("people > 0").count())
                    .isInstanceOf(QueryException.class)
                    .hasMessageEndingWith("the row cannot be read at key 'it''s', 1");
            assertThatThrownBy(() -> table.update(damaged, "people = 1"))
                    .isInstanceOf(QueryException.class)
                    .hasMessageEndingWith("the row cannot be read, at key 'it''s', 1; not applied");
        } finally {
            table.remove(damaged);
        }
    }
}
