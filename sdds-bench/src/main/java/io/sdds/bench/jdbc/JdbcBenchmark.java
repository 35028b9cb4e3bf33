package io.sdds.bench.jdbc;

import io.sdds.bench.jdbc.JdbcResult.Unit;
import io.sdds.bench.load.LoadCluster;
import io.sdds.bench.load.LoadException;
import io.sdds.bench.load.LoadProgress;
import io.sdds.bench.load.LoadProgress.Step;
import io.sdds.bench.load.Machine;
import io.sdds.client.SddsClient;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Measures the JDBC driver of SDDS beside {@code Table} of its client and beside other databases: the same work in
 * short blocks in turn, whose order is reversed in every other round.
 */
public final class JdbcBenchmark implements AutoCloseable {
    static final String TABLE = "Table";

    private static final int BATCH_BLOCKS = 10;
    private static final int REPEATS = 7;
    private static final int FIRST_REPEATS = 3;

    private final JdbcSettings settings;
    private final LoadProgress.Listener listener;
    private final long endNanos;
    private final List<String> absent = new ArrayList<>();
    private final List<Database> databases = new ArrayList<>();
    private final List<Blocks> stores = new ArrayList<>();
    private final Figures figures = new Figures();
    private final Figures times = new Figures();
    private int roundsDone;

    private JdbcBenchmark(JdbcSettings settings, LoadProgress.Listener listener) {
        this.settings = settings;
        this.listener = listener;
        this.endNanos = System.nanoTime() + settings.deadline().toNanos();
    }

    /**
     * Creates the tables, measures the driver and {@code Table} of the client, and drops the tables.
     *
     * @throws LoadException if a database fails
     */
    public static JdbcResult run(LoadCluster cluster, JdbcSettings settings) throws InterruptedException {
        Machine machine = Machine.here();
        try (JdbcBenchmark benchmark = new JdbcBenchmark(settings, cluster.listener())) {
            benchmark.open(cluster.client(), cluster.addresses());
            benchmark.measure();
            return new JdbcResult(
                    settings,
                    machine,
                    cluster.site(),
                    benchmark.lines(),
                    benchmark.absent,
                    benchmark.failures(),
                    benchmark.roundsDone);
        } catch (SQLException e) {
            throw new LoadException("a statement has failed: " + e.getMessage(), e);
        }
    }

    // ---- stores

    private void open(SddsClient client, List<String> addresses) throws SQLException, InterruptedException {
        databases.add(Database.sdds(addresses));
        for (Peer peer : settings.peers()) {
            try {
                databases.add(Database.of(peer, settings.postgresql()));
            } catch (LoadException e) {
                absent.add(peer.text() + ": " + e.getMessage());
            }
        }
        for (Database database : databases) {
            AtomicLong nextKey = new AtomicLong();
            stores.add(new Blocks(database.name(), settings.rows(), connections(database), nextKey));
            if (database.name().equals(Database.SDDS)) {
                TableOperations operations = new TableOperations(client);
                stores.add(new Blocks(
                        TABLE, settings.rows(), Collections.nCopies(settings.threads(), operations), nextKey));
            }
        }
    }

    private List<Operations> connections(Database database) throws SQLException {
        List<Operations> connections = new ArrayList<>();
        try (Connection connection = database.connect()) {
            JdbcOperations.createTables(connection);
        }
        for (int k = 0; k < settings.threads(); k++) {
            connections.add(new JdbcOperations(database.connect()));
        }
        return connections;
    }

    /** Writes the accounts that later operations find. */
    private void preload() throws InterruptedException {
        for (Blocks store : stores) {
            if (!store.name().equals(TABLE)) { // which is that of SDDS
                store.batches(settings.rows(), Duration.ofNanos(left()));
            }
        }
    }

    private long left() {
        return Math.max(1, endNanos - System.nanoTime());
    }

    private boolean isOver() {
        return endNanos - System.nanoTime() <= 0;
    }

    private List<JdbcResult.Line> lines() {
        return Stream.concat(figures.lines().stream(), times.lines().stream()).toList();
    }

    private List<String> failures() {
        return stores.stream()
                .filter(store -> store.failures() > 0)
                .map(store -> store.name() + ": " + store.failures() + " operations; first: " + store.firstFailure())
                .toList();
    }

    // ---- blocks

    private void measure() throws SQLException, InterruptedException {
        preload();
        if (!settings.warmup().isZero()) {
            round(0, settings.warmup(), new Figures());
        }
        boolean isQuick = settings.warmup().isZero();
        for (int k = 0; k < (isQuick ? 1 : FIRST_REPEATS) && !isOver(); k++) {
            connections(k, isQuick ? 1 : REPEATS);
        }
        for (int k = 0; k < settings.rounds() && !isOver(); k++) {
            Figures ofRound = new Figures();
            if (!round(k, settings.duration(), ofRound)) {
                break;
            }
            figures.add(ofRound);
            roundsDone++;
            listener.progressed(new LoadProgress(Step.MEASURE, (k + 1.0) / settings.rounds(), 0));
        }
    }

    /** One block of each work on each store. Returns false if the deadline has passed. */
    private boolean round(int number, Duration time, Figures to) throws InterruptedException {
        for (Work work : Work.values()) {
            for (int threads : List.of(1, settings.threads())) {
                String name = work.text() + ", " + threads + (threads == 1 ? " thread" : " threads");
                for (Blocks store : inTurn(number, stores)) {
                    if (isOver()) {
                        return false;
                    }
                    to.note(name, Unit.PER_SECOND, store.name(), store.rate(work, threads, time));
                }
            }
        }
        int rows = settings.batchRows() / settings.rounds();
        for (Blocks store : inTurn(number, rows == 0 ? List.<Blocks>of() : stores)) {
            if (isOver()) {
                return false;
            }
            to.note(
                    "rows in batches of " + JdbcSettings.BATCH,
                    Unit.PER_SECOND,
                    store.name(),
                    store.batches(rows, time.multipliedBy(BATCH_BLOCKS)));
        }
        return true;
    }

    private static <T> List<T> inTurn(int number, List<T> all) {
        return number % 2 == 0 ? all : all.reversed();
    }

    private void connections(int number, int repeats) throws SQLException, InterruptedException {
        for (Database database : inTurn(number, databases)) {
            String name = database.name();
            ConnectionTimes.First first = ConnectionTimes.first(database);
            times.note("first connection of a process", Unit.MILLIS, name, first.connection());
            times.note("first CREATE TABLE of a process", Unit.MILLIS, name, first.createTable());
            times.note("first look-up of a process", Unit.MILLIS, name, first.lookUp());
            times.note("CREATE TABLE", Unit.MILLIS, name, ConnectionTimes.createTable(database, repeats));
            times.note(
                    "10th connection, first run/100th",
                    Unit.RATIO,
                    name,
                    ConnectionTimes.tenthOverHundredth(database, repeats));
        }
    }

    @Override
    public void close() {
        for (Blocks store : stores) {
            store.close();
        }
        for (Database database : databases) {
            try (database;
                    Connection connection = database.connect();
                    Statement statement = connection.createStatement()) {
                for (String sql : Accounts.DROP) {
                    statement.execute(sql);
                }
            } catch (SQLException e) {
                throw new LoadException("cannot drop the tables of " + database.name() + ": " + e.getMessage(), e);
            }
        }
    }
}
