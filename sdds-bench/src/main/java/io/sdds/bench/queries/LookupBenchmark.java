package io.sdds.bench.queries;

import io.sdds.bench.load.LoadCluster;
import io.sdds.bench.load.LoadException;
import io.sdds.bench.load.LoadProgress;
import io.sdds.bench.load.LoadProgress.Step;
import io.sdds.bench.load.Machine;
import io.sdds.bench.queries.LookupResult.Round;
import io.sdds.client.Codec;
import io.sdds.client.Table;
import io.sdds.core.model.TableKind;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Measures look-ups of rows by key through a prepared statement, beside {@code get} of the client: threads that wait
 * for each row before they ask for the next.
 */
public final class LookupBenchmark implements AutoCloseable {
    private static final String SELECT = "SELECT n, amount, part, note FROM \"%s\" WHERE id = ?";

    private final SampleTable rows;
    private final Table<Long, SampleTable.Columns> table;
    private final LookupSettings settings;
    private final LoadProgress.Listener listener;
    private final ExecutorService threads;
    private final List<Connection> connections = new ArrayList<>();
    private final List<Lookup> byClient = new ArrayList<>();
    private final List<Lookup> byStatement = new ArrayList<>();

    /** Looks a row up, and returns its column {@code n}. */
    @FunctionalInterface
    private interface Lookup {
        int n(long key) throws SQLException;
    }

    private LookupBenchmark(LoadCluster cluster, LookupSettings settings, SampleTable rows) throws SQLException {
        this.rows = rows;
        this.settings = settings;
        this.listener = cluster.listener();
        this.table = cluster.client().table(rows.name(), Codec.int64(), Codec.ofRecord(SampleTable.Columns.class));
        this.threads = Executors.newFixedThreadPool(settings.threads());
        for (int k = 0; k < settings.threads(); k++) {
            byClient.add(this::get);
            Connection connection = DriverManager.getConnection("jdbc:sdds://" + String.join(",", cluster.addresses()));
            connections.add(connection);
            PreparedStatement prepared = connection.prepareStatement(String.format(SELECT, rows.name()));
            byStatement.add(key -> select(prepared, key));
        }
    }

    /**
     * Creates the table, measures look-ups by statements and gets of the client, and drops the table.
     *
     * @throws LoadException if look-ups fail or find a wrong row
     */
    public static LookupResult run(LoadCluster cluster, LookupSettings settings) throws InterruptedException {
        Machine machine = Machine.here();
        SampleTable rows = SampleTable.create(cluster, settings.table(), TableKind.HASH, settings.rows());
        try (LookupBenchmark benchmark = new LookupBenchmark(cluster, settings, rows)) {
            return new LookupResult(settings, machine, cluster.site(), benchmark.rounds());
        } catch (SQLException e) {
            throw new LoadException("a statement has failed: " + e.getMessage(), e);
        } finally {
            cluster.client().dropTable(rows.name());
        }
    }

    private List<Round> rounds() throws InterruptedException {
        rate(byClient, settings.warmup());
        rate(byStatement, settings.warmup());
        List<Round> rounds = new ArrayList<>();
        for (int k = 0; k < settings.rounds(); k++) {
            double get = rate(byClient, settings.duration());
            double jdbc = rate(byStatement, settings.duration());
            rounds.add(new Round(get, jdbc));
            listener.progressed(new LoadProgress(Step.MEASURE, (k + 1.0) / settings.rounds(), jdbc));
        }
        return rounds;
    }

    /** Look-ups a second of all threads. */
    private double rate(List<Lookup> lookups, Duration time) throws InterruptedException {
        long beganNanos = System.nanoTime();
        long endNanos = beganNanos + time.toNanos();
        List<Future<Long>> counts = new ArrayList<>();
        for (int k = 0; k < lookups.size(); k++) {
            Lookup lookup = lookups.get(k);
            SplittableRandom random = new SplittableRandom(k);
            counts.add(threads.submit(() -> repeat(lookup, random, endNanos)));
        }
        long sum = 0;
        try {
            for (Future<Long> count : counts) {
                sum += count.get();
            }
        } catch (ExecutionException e) {
            throw new LoadException("a look-up has failed: " + e.getCause(), e);
        }
        return sum * 1e9 / (System.nanoTime() - beganNanos);
    }

    private long repeat(Lookup lookup, SplittableRandom random, long endNanos) throws SQLException {
        long count = 0;
        while (System.nanoTime() - endNanos < 0) {
            int row = random.nextInt(rows.rows());
            int n = lookup.n(SampleTable.key(row));
            if (n < 0) {
                throw new LoadException("row " + row + " was not found");
            }
            count++;
        }
        return count;
    }

    private int get(long key) {
        SampleTable.Columns row = table.get(key);
        return row == null ? -1 : row.n();
    }

    private static int select(PreparedStatement statement, long key) throws SQLException {
        statement.setLong(1, key);
        try (ResultSet row = statement.executeQuery()) {
            return row.next() ? row.getInt(1) : -1;
        }
    }

    @Override
    public void close() throws SQLException {
        threads.shutdownNow();
        for (Connection connection : connections) {
            connection.close();
        }
    }
}
