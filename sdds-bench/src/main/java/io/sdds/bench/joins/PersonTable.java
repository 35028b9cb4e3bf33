package io.sdds.bench.joins;

import static io.sdds.client.Filters.value;

import io.sdds.bench.load.SettledTable;
import io.sdds.client.ClientSettings;
import io.sdds.client.ClusterStatus.BrickStatus;
import io.sdds.client.Codec;
import io.sdds.client.Filter;
import io.sdds.client.Range;
import io.sdds.client.RangeTable;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import io.sdds.core.model.Routing;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A range table of persons on a cluster, dropped at the end. For one thread. */
public final class PersonTable implements AutoCloseable {
    private static final int PUT_AT_ONCE = 10_000;
    private static final long SEED = 19;
    /** Of the room of a partition, the part that is used at first. */
    private static final double FILLED = 2.0 / 3;

    private final SddsClient client;
    private final String name;
    private final List<Person> persons;
    private final RangeTable<Long, Columns> table;
    private final int partitions;

    /** The columns that are not in the key. */
    record Columns(String name, String city) {}

    /**
     * Creates a table and writes its persons, in random order.
     *
     * @param partitions the number of partitions that are wanted; there may be up to twice as many
     * @param routing how requests find keys; scans by filters go to all bricks at once with {@code MULTICAST} alone
     */
    public static PersonTable create(
            List<String> addresses, String name, List<Person> persons, int partitions, Routing routing)
            throws InterruptedException {
        SddsClient client = SddsClient.connect(
                addresses, ClientSettings.builder().name("paper").build());
        try {
            return new PersonTable(client, name, persons, partitions, routing);
        } catch (RuntimeException | InterruptedException e) {
            client.close();
            throw e;
        }
    }

    private PersonTable(SddsClient client, String name, List<Person> persons, int wanted, Routing routing)
            throws InterruptedException {
        this.client = client;
        this.name = name;
        this.persons = List.copyOf(persons);
        long capacity = Math.max(2, (long) (persons.size() / FILLED / wanted));
        TableOptions options =
                TableOptions.capacity(capacity).withRouting(routing).withSchema(Person.SCHEMA);
        this.table = client.createRangeTable(name, options, Codec.int64(), Codec.ofRecord(Columns.class));
        fill();
        this.partitions = SettledTable.partitions(client, name);
    }

    private void fill() {
        List<Person> order = new ArrayList<>(persons);
        Collections.shuffle(order, new Random(SEED));
        Map<Long, Columns> some = new HashMap<>();
        for (Person person : order) {
            some.put(person.ssn(), new Columns(person.name(), person.city()));
            if (some.size() == PUT_AT_ONCE) {
                table.putAll(some);
                some.clear();
            }
        }
        table.putAll(some);
    }

    public String name() {
        return name;
    }

    public int partitions() {
        return partitions;
    }

    /** Records of the brick that has most of them, over those of a brick in the mean. */
    public double mostRecords() {
        LongSummaryStatistics records = client.status(false).bricks().stream()
                .mapToLong(BrickStatus::records)
                .summaryStatistics();
        return records.getMax() / records.getAverage();
    }

    /**
     * Joins the persons with each other by a filter for each packet, which all bricks get at once.
     *
     * @param within the time after which a scan ends (probabilistic termination), though couples may be missing then;
     *     null: a scan ends when all bricks have answered (deterministic)
     */
    public Couples couples(int packet, boolean sorted, @Nullable Duration within) {
        return Packets.join(persons, packet, sorted, (cities, found) -> scan(cities, within, found));
    }

    /** Nanoseconds of a get that finds nobody: the shortest of many, in which no thread waited for a processor. */
    public long getNanos(int gets) {
        long shortest = Long.MAX_VALUE;
        for (int k = 0; k < gets; k++) {
            long began = System.nanoTime();
            table.get(-1L);
            shortest = Math.min(shortest, System.nanoTime() - began);
        }
        return shortest;
    }

    private void scan(List<String> cities, @Nullable Duration within, BiConsumer<Long, String> found) {
        Range<Long, Columns> range = table.range().where(anyOf(cities));
        if (within == null) {
            range.forEachUnorderedAsync((key, columns) -> found.accept(key, columns.city()))
                    .join();
        } else {
            range.forEachWithinAsync(within, (key, columns) -> found.accept(key, columns.city()))
                    .join();
        }
    }

    /** A filter that tests the cities one after the other, as the paper's bricks did. */
    private static Filter anyOf(List<String> cities) {
        ArrayDeque<Filter> filters = new ArrayDeque<>();
        cities.forEach(city -> filters.add(value().contains(city)));
        while (filters.size() > 1) {
            filters.add(filters.remove().or(filters.remove()));
        }
        return filters.remove();
    }

    @Override
    public void close() {
        client.dropTable(name);
        client.close();
    }
}
