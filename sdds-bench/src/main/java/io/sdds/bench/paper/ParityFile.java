package io.sdds.bench.paper;

import io.sdds.bench.load.LoadException;
import io.sdds.bench.load.Series;
import io.sdds.client.ClientSettings;
import io.sdds.client.ClusterStatus;
import io.sdds.client.ClusterStatus.BrickStatus;
import io.sdds.client.ClusterStatus.PartitionStatus;
import io.sdds.client.ClusterStatus.RepairStatus;
import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.SddsClient;
import io.sdds.client.TableInfo;
import io.sdds.client.TableInfo.Health;
import io.sdds.client.TableOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The hash table of an experiment of LH*RS, on a cluster of a given number of bricks, some of which the experiment may
 * kill. At the end the table is dropped, and the killed bricks run again.
 */
final class ParityFile implements AutoCloseable {
    /** Partitions of a parity group, as in the paper. */
    static final int COLUMNS = 4;

    /** Capacity that no partition reaches: the number of partitions stays what it is at first. */
    private static final long CAPACITY_BYTES = 1L << 40;

    /** Outstanding requests of a client. */
    static final int WINDOW = 1000;

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final long POLL_MILLIS = 2;
    private static final double PATIENCE_SECONDS = 120;

    private final Testbed testbed;
    private final List<String> addresses;
    private final String name;
    private final SddsClient client;
    private final HashTable<byte[], byte[]> table;
    private final Series series;
    private final long beginNanos = System.nanoTime();

    /** Incarnations of the bricks that were killed. */
    private final Map<String, Long> killed = new TreeMap<>();

    /** Creates an empty table that gets up to {@code records} records. */
    ParityFile(Testbed testbed, int bricks, TableOptions options, int records, int valueBytes)
            throws InterruptedException {
        this.testbed = testbed;
        this.addresses = testbed.cluster(bricks);
        this.name = testbed.tableName();
        this.series = new Series(records, valueBytes);
        this.client = connect();
        this.table = client.createHashTable(name, options, Codec.bytes(), Codec.bytes());
    }

    /** Creates an empty table of one parity group. */
    static ParityFile of(Testbed testbed, int bricks, int parities, int records, int valueBytes)
            throws InterruptedException {
        return new ParityFile(testbed, bricks, options(COLUMNS, COLUMNS, parities), records, valueBytes);
    }

    /** Options of a table with a fixed number of partitions. Without parities the table has no parity groups. */
    static TableOptions options(int partitions, int columns, int parities) {
        TableOptions options = TableOptions.builder()
                .capacityBytes(CAPACITY_BYTES)
                .partitions(partitions)
                .build();
        return parities == 0 ? options : options.withParity(columns, parities);
    }

    /** Inserts all records. */
    void fill() throws InterruptedException {
        series.fill(table, progress -> testbed.tell(0, progress.operationsPerSecond()));
    }

    /** A client of its own. */
    SddsClient connect() {
        return SddsClient.connect(
                addresses,
                ClientSettings.builder()
                        .name("paper")
                        .timeout(TIMEOUT)
                        .windowRequests(WINDOW)
                        .build());
    }

    /** The table as another client has it. */
    HashTable<byte[], byte[]> of(SddsClient other) {
        return other.hashTable(name, Codec.bytes(), Codec.bytes());
    }

    List<String> addresses() {
        return addresses;
    }

    String name() {
        return name;
    }

    HashTable<byte[], byte[]> table() {
        return table;
    }

    Series series() {
        return series;
    }

    /** The moment of {@link System#nanoTime} that {@link #seconds} counts from. */
    long beginNanos() {
        return beginNanos;
    }

    double seconds() {
        return (System.nanoTime() - beginNanos) / 1e9;
    }

    // ---- the state of the table

    ClusterStatus status() {
        return client.status(true);
    }

    TableInfo info() {
        return info(status());
    }

    TableInfo info(ClusterStatus status) {
        return status.tables().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private Stream<PartitionStatus> partitions(ClusterStatus status) {
        int id = info(status).id();
        return status.partitions().stream().filter(each -> each.table() == id);
    }

    /** Ids of the bricks that lead the first partitions, by number. */
    List<String> bricks(int count) {
        String[] bricks = new String[count];
        partitions(status())
                .filter(each -> each.partition() < count)
                .forEach(each -> bricks[each.partition()] = each.brick());
        return List.of(bricks);
    }

    /** Id of the brick that has the first parity of the first group; empty while the parity is missing. */
    private String parity(ClusterStatus status) {
        return partitions(status).findFirst().orElseThrow().parities().getFirst();
    }

    /**
     * Waits until the table is in a state.
     *
     * @param what description of the state, for the message of a failure
     * @return time at which the table was seen in the state
     * @throws LoadException if the wait takes too long
     */
    double await(String what, Predicate<Health> state) throws InterruptedException {
        return awaitStatus(what, status -> state.test(info(status).health()));
    }

    private double awaitStatus(String what, Predicate<ClusterStatus> state) throws InterruptedException {
        double begin = seconds();
        while (!state.test(status())) {
            if (seconds() - begin > PATIENCE_SECONDS) {
                throw new LoadException("after " + (int) PATIENCE_SECONDS + " s " + what + " not yet");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            testbed.tell(0, 0);
        }
        return seconds();
    }

    // ---- losses

    /**
     * What a new brick of a lost partition has reported.
     *
     * @param seconds time at which the report was first seen
     * @param left records that the partition does not have yet, of all lost partitions together
     */
    record Report(double seconds, long left) {}

    /**
     * Times of a recovery, in {@link #seconds}.
     *
     * @param reports the reports of missing records, each when it was new
     */
    record Recovery(double killed, double reconfigured, double handedOver, double filled, List<Report> reports) {
        Recovery {
            reports = List.copyOf(reports);
        }

        /** From the decision that the partitions are lost until they have all their records. */
        double recoverySeconds() {
            return filled - reconfigured;
        }

        /** The last moment at which records were missing for certain: that of the last report. */
        double lastMissing() {
            return reports.isEmpty() ? handedOver : reports.getLast().seconds();
        }

        /**
         * Records a second between the first report and the last. If there are not two, all records until the
         * coordinator knew that they are there.
         */
        double recordsPerSecond(long records) {
            Report first = reports.isEmpty() ? new Report(handedOver, records) : reports.getFirst();
            Report last = reports.isEmpty() ? first : reports.getLast();
            return last.left() < first.left()
                    ? (first.left() - last.left()) / (last.seconds() - first.seconds())
                    : records / (filled - handedOver);
        }
    }

    /** Kills bricks at once, without a wait. */
    double kill(List<String> bricks) {
        ClusterStatus status = status();
        for (BrickStatus each : status.bricks()) {
            if (bricks.contains(each.id())) {
                killed.put(each.id(), each.incarnation());
            }
        }
        double now = seconds();
        bricks.forEach(testbed.site()::kill);
        return now;
    }

    /** Kills the bricks of the first partitions, and waits until these partitions have all their records again. */
    Recovery recover(int lost) throws InterruptedException {
        double killedSeconds = kill(bricks(lost));
        return awaitRecovery(killedSeconds, awaitLoss());
    }

    /**
     * Kills the brick that has the first parity of the first group, and waits until another brick has it.
     *
     * @return seconds from the last look at which the killed brick had the parity to the first at which another brick
     *     has all of it; a state between may be too short to be seen
     */
    double replaceParity() throws InterruptedException {
        String victim = parity(status());
        double[] had = {kill(List.of(victim))};
        double has = awaitStatus("the parity is on another brick", status -> {
            if (parity(status).equals(victim)) {
                had[0] = seconds();
            }
            return !parity(status).equals(victim) && info(status).health().missingParities() == 0;
        });
        return has - had[0];
    }

    /** Waits until the coordinator knows that a kill has cost partitions, or has other bricks for them already. */
    double awaitLoss() throws InterruptedException {
        return awaitStatus("the partitions are known as lost", status -> {
            Health health = info(status).health();
            return health.degraded() + health.filling() > 0
                    || partitions(status).noneMatch(this::isLedByKilled);
        });
    }

    private boolean isLedByKilled(PartitionStatus partition) {
        return killed.containsKey(partition.brick());
    }

    /** Waits until the partitions that a kill has cost have all their records again. */
    Recovery awaitRecovery(double killedSeconds, double reconfigured) throws InterruptedException {
        double handedOver = await("the partitions are on other bricks", health -> health.degraded() == 0);
        List<Report> reports = new ArrayList<>();
        double filled = awaitStatus("the partitions have all their records", status -> {
            note(status, reports);
            Health health = info(status).health();
            return health.degraded() + health.filling() == 0;
        });
        return new Recovery(killedSeconds, reconfigured, handedOver, filled, reports);
    }

    private void note(ClusterStatus status, List<Report> into) {
        int id = info(status).id();
        long left = status.repairs().stream()
                .filter(each -> each.table() == id && !each.isOfParity())
                .mapToLong(RepairStatus::left)
                .sum();
        if (left > 0 && (into.isEmpty() || into.getLast().left() != left)) {
            into.add(new Report(seconds(), left));
        }
    }

    /** Starts the killed bricks again, and waits until all of them are up. */
    private void restart() throws InterruptedException {
        List<String> all = new ArrayList<>(killed.keySet());
        all.forEach(testbed.site()::restart);
        awaitStatus(
                "the killed bricks are up",
                status -> status.bricks().stream()
                        .filter(each -> killed.containsKey(each.id()))
                        .allMatch(each -> each.up() && each.incarnation() > killed.getOrDefault(each.id(), 0L)));
        killed.clear();
    }

    @Override
    public void close() throws InterruptedException {
        try (client) {
            client.dropTable(name);
            restart();
        }
    }
}
