package io.sdds.bench.queries;

import io.sdds.bench.load.LoadCluster;
import io.sdds.bench.load.LoadException;
import io.sdds.bench.load.LoadProgress;
import io.sdds.bench.load.LoadProgress.Step;
import io.sdds.bench.load.Machine;
import io.sdds.bench.load.Median;
import io.sdds.bench.queries.PlanCosts.Cost;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * Measures what the planner of SQL weighs: the parts of plans, as differences between statements that differ by the
 * part. All statements are prepared, so that no time is for planning.
 */
public final class PlanCostBenchmark {
    private static final int MATCHED_ROWS = 1_000;
    private static final int OUTER_PART = 10;
    private static final int INSERTED_AT_ONCE = 5_000;
    private static final int MORE_COLUMNS = 5;

    /**
     * The statements. Keys of {@code a} are numbers from 0 on, {@code k} of {@code b} is beyond them, {@code k} of
     * {@code o} is a key of {@code a}, and {@code k} of {@code s} is -1 in all rows. The client evaluates conditions
     * with RAND.
     */
    private enum Question {
        NOTHING("SELECT COUNT(*) FROM {s} WHERE c1 + c2 < 0"),
        LOOK("SELECT COUNT(*) FROM {a} WHERE c1 + c2 < 0"),
        CLIENT("SELECT COUNT(*) FROM {a} WHERE k < RAND()"),
        ONE_COLUMN("SELECT k FROM {a}"),
        ALL_COLUMNS("SELECT id, k, c1, c2, c3, c4 FROM {a}"),
        SORTED("SELECT k FROM {a} ORDER BY k"),
        OUTER("SELECT COUNT(*) FROM {o} WHERE k < RAND()"),
        PROBED("SELECT /*+ SDDS_JOIN(hash) */ COUNT(*) FROM {s} JOIN {a} ON {s}.k = {a}.k"),
        KEPT("SELECT /*+ SDDS_JOIN(hash) */ COUNT(*) FROM {a} JOIN {b} ON {a}.k = {b}.k"),
        JOINED("SELECT /*+ SDDS_JOIN(hash) */ COUNT(*) FROM {s} JOIN {s} t ON {s}.k = t.k"),
        LOOKUPS("SELECT /*+ SDDS_JOIN(lookup) */ COUNT({a}.c1) FROM {o} JOIN {a} ON {o}.k = {a}.id"),
        SEMI("SELECT /*+ SDDS_JOIN(semi) */ COUNT({a}.c1) FROM {o} JOIN {a} ON {o}.k = {a}.k");

        private final String template;

        Question(String template) {
            this.template = template;
        }

        String sql(String prefix) {
            return template.replaceAll("\\{(\\w)}", '"' + prefix + "-$1\"");
        }
    }

    /**
     * The times of all statements.
     *
     * @param micros medians of the rounds, in the order of the questions
     */
    private record Times(double[] micros) {
        double of(Question question) {
            return micros[question.ordinal()];
        }
    }

    private final Connection connection;
    private final PlanCostSettings settings;
    private final LoadProgress.Listener listener;

    private PlanCostBenchmark(Connection connection, PlanCostSettings settings, LoadProgress.Listener listener) {
        this.connection = connection;
        this.settings = settings;
        this.listener = listener;
    }

    /**
     * Creates the tables, measures, and drops the tables.
     *
     * @throws LoadException if a statement fails
     */
    public static PlanCosts run(LoadCluster cluster, PlanCostSettings settings) {
        Machine machine = Machine.here();
        try (Connection connection =
                DriverManager.getConnection("jdbc:sdds://" + String.join(",", cluster.addresses()))) {
            return new PlanCostBenchmark(connection, settings, cluster.listener()).costs(machine, cluster.site());
        } catch (SQLException e) {
            throw new LoadException("a statement has failed: " + e.getMessage(), e);
        }
    }

    private PlanCosts costs(Machine machine, String site) throws SQLException {
        int rows = settings.rows();
        int outer = rows / OUTER_PART;
        try {
            fill("a", rows, row -> row);
            fill("b", rows, row -> (long) row + rows);
            fill("o", outer, row -> (long) row * OUTER_PART);
            fill("s", MATCHED_ROWS, row -> -1);
            Times times = measured();
            List<PlanCosts.Statement> statements = new ArrayList<>();
            for (Question question : Question.values()) {
                statements.add(new PlanCosts.Statement(question.sql(settings.table()), times.of(question) / 1e3));
            }
            return new PlanCosts(settings, machine, site, parts(times, rows, outer), statements);
        } finally {
            for (String table : List.of("a", "b", "o", "s")) {
                execute("DROP TABLE IF EXISTS " + name(table));
            }
        }
    }

    // ---- tables

    private String name(String table) {
        return '"' + settings.table() + '-' + table + '"';
    }

    private void fill(String table, int rows, IntToLongFunction k) throws SQLException {
        execute("CREATE TABLE " + name(table) + " (id BIGINT PRIMARY KEY, k BIGINT NOT NULL, c1 BIGINT NOT NULL,"
                + " c2 BIGINT NOT NULL, c3 BIGINT NOT NULL, c4 BIGINT NOT NULL)");
        try (PreparedStatement insert =
                connection.prepareStatement("UPSERT INTO " + name(table) + " VALUES (?, ?, ?, ?, ?, ?)")) {
            for (int row = 0; row < rows; row++) {
                insert.setLong(1, row);
                insert.setLong(2, k.applyAsLong(row));
                for (int column = 3; column <= 6; column++) {
                    insert.setLong(column, (long) row * column);
                }
                insert.addBatch();
                if ((row + 1) % INSERTED_AT_ONCE == 0 || row + 1 == rows) {
                    insert.executeBatch();
                    listener.progressed(new LoadProgress(Step.PRELOAD, (row + 1.0) / rows, 0));
                }
            }
        }
        execute("ANALYZE TABLE " + name(table));
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    // ---- times

    private Times measured() throws SQLException {
        List<PreparedStatement> prepared = new ArrayList<>();
        for (Question question : Question.values()) {
            PreparedStatement statement = connection.prepareStatement(question.sql(settings.table()));
            prepared.add(statement);
            long endNanos = System.nanoTime() + settings.warmup().toNanos();
            do {
                micros(statement);
            } while (System.nanoTime() - endNanos < 0);
        }
        double[][] rounds = new double[prepared.size()][settings.rounds()];
        for (int round = 0; round < settings.rounds(); round++) {
            for (int k = 0; k < rounds.length; k++) {
                rounds[k][round] = micros(prepared.get(k));
            }
            listener.progressed(new LoadProgress(Step.MEASURE, (round + 1.0) / settings.rounds(), 0));
        }
        for (PreparedStatement statement : prepared) {
            statement.close();
        }
        return new Times(Arrays.stream(rounds).mapToDouble(Median::of).toArray());
    }

    private static double micros(PreparedStatement statement) throws SQLException {
        long began = System.nanoTime();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                rows.getLong(1);
            }
        }
        return (System.nanoTime() - began) / 1e3;
    }

    // ---- parts

    private static List<Cost> parts(Times micros, int rows, int outer) {
        double query = micros.of(Question.NOTHING);
        double lookedAt = (micros.of(Question.LOOK) - query) / rows;
        double scan = micros.of(Question.CLIENT);
        double result = micros.of(Question.ONE_COLUMN);
        double column = (micros.of(Question.ALL_COLUMNS) - result) / rows / MORE_COLUMNS;
        double narrow = (scan - query) / rows - lookedAt;
        double row = narrow - column;
        double probed = (micros.of(Question.PROBED) - scan) / rows;
        double kept = (micros.of(Question.KEPT) - 2 * scan) / rows - probed;
        double joined = (micros.of(Question.JOINED) - 2 * query) / MATCHED_ROWS / MATCHED_ROWS;
        double beside = micros.of(Question.OUTER) + outer * (kept + joined);
        double lookup = (micros.of(Question.LOOKUPS) - query - beside) / outer;
        double semi = micros.of(Question.SEMI) - 2 * query - beside;
        double filtered = (semi - rows * lookedAt - outer * (narrow + probed)) / outer;
        List<Cost> costs = new ArrayList<>();
        add(costs, "a row that comes to the client, without its columns", row, row);
        add(costs, "a column of such a row", column, row);
        add(costs, "a record that a brick looks at", lookedAt, row);
        add(costs, "a query", query, row);
        add(costs, "a record that is read by its key, in a batch", lookup, row);
        add(costs, "a row that a hash join keeps", kept, row);
        add(costs, "a row whose key a hash join looks up", probed, row);
        add(costs, "a row that a join makes", joined, row);
        add(costs, "a row that is sorted", (micros.of(Question.SORTED) - result) / rows, row);
        add(costs, "a value that a Bloom filter gets", filtered, row);
        add(costs, "a row that the application reads", (result - scan) / rows, row);
        return costs;
    }

    private static void add(List<Cost> costs, String part, double micros, double row) {
        costs.add(new Cost(part, micros, micros / row));
    }
}
