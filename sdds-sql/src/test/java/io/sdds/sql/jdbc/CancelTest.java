package io.sdds.sql.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.sql.SqlCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Statements end when they are cancelled from another thread, whatever they do. */
class CancelTest {
    private static final String DIGITS = "(VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9)) ";

    /** 10^12 rows that no brick has anything to do with. */
    private static final String ENDLESS = DIGITS + "a(n), " + DIGITS + "b(n), " + DIGITS + "c(n), " + DIGITS + "d(n), "
            + DIGITS + "e(n), " + DIGITS + "f(n), " + DIGITS + "g(n), " + DIGITS + "h(n), " + DIGITS + "i(n), " + DIGITS
            + "j(n), " + DIGITS + "k(n), " + DIGITS + "l(n)";

    private static SqlCluster sql;

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
        sql.update("CREATE TABLE cells (id INTEGER PRIMARY KEY, n INTEGER)");
        sql.update("INSERT INTO cells SELECT a.n * 1000 + b.n * 100 + c.n * 10 + d.n, a.n FROM " + DIGITS + "a(n), "
                + DIGITS + "b(n), " + DIGITS + "c(n), " + DIGITS + "d(n)");
    }

    @AfterAll
    static void stop() throws SQLException {
        sql.close();
        assertThatNoStatementGoesOn();
    }

    /**
     * A statement that has ended must not go on in the database, where it would take a processor for ever. Statements
     * of other test classes come and go meanwhile.
     */
    private static void assertThatNoStatementGoesOn() {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        Set<Thread> busy = threadsInDatabase();
        while (!busy.isEmpty() && System.nanoTime() < end) {
            busy.retainAll(threadsInDatabase());
        }
        assertThat(busy).isEmpty();
    }

    private static Set<Thread> threadsInDatabase() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getValue().length > 0
                        && thread.getValue()[0].getClassName().equals("org.duckdb.DuckDBNative"))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(HashSet::new));
    }

    /** The failure of a statement that another thread cancels as soon as it runs. */
    private static SQLException cancelled(Statement statement, String query) throws Exception {
        CompletableFuture<SQLException> end = new CompletableFuture<>();
        Thread runner = new Thread(() -> {
            try (ResultSet rows = statement.executeQuery(query)) {
                while (rows.next()) {
                    // The statement has no end.
                }
                end.complete(new SQLException("all rows have come"));
            } catch (SQLException e) {
                end.complete(e);
            }
        });
        runner.start();
        // A cancel before the execution is none: it is asked for until the statement ends.
        while (!end.isDone() && runner.isAlive()) {
            statement.cancel();
            runner.join(20);
        }
        return end.get(30, TimeUnit.SECONDS);
    }

    private static void endsWhenCancelled(String query) throws Exception {
        try (Statement statement = sql.connection.createStatement()) {
            SQLException failure = cancelled(statement, query);
            assertThat(failure.getSQLState()).as(failure.getMessage()).isEqualTo("57014");
            assertThat(failure.getMessage()).isEqualTo("the statement was cancelled");
            // The statement can be executed again.
            assertThat(SqlCluster.rows(statement.executeQuery("SELECT COUNT(*) FROM cells")))
                    .containsExactly("10000");
        }
    }

    @Test
    void aJoinEnds() throws Exception {
        endsWhenCancelled("SELECT a.id FROM cells a, cells b, cells c WHERE a.n + b.n + c.n < 0");
    }

    @Test
    void aSortAtTheClientEnds() throws Exception {
        endsWhenCancelled("SELECT a.n, b.n FROM " + ENDLESS + " ORDER BY a.n + b.n + l.n");
    }

    @Test
    void anAggregationAtTheClientEnds() throws Exception {
        endsWhenCancelled("SELECT COUNT(DISTINCT a.n * b.n), SUM(c.n) FROM " + ENDLESS + " GROUP BY a.n + b.n");
    }

    @Test
    void aRecursionWithoutEndEnds() throws Exception {
        endsWhenCancelled(
                "WITH RECURSIVE r(n) AS (VALUES (1) UNION ALL SELECT MOD(n + 1, 7) FROM r) SELECT MAX(n) FROM r");
    }

    @Test
    void aResultThatIsReadEnds() throws Exception {
        endsWhenCancelled("SELECT a.n FROM " + ENDLESS);
    }

    // ---- what bricks are asked for after the end

    /** A join that asks bricks for 10,000 scans, and is about to for hours. */
    private static final String MANY_SCANS =
            "SELECT /*+ SDDS_JOIN(packets, 1) */ a.id, b.n FROM cells a JOIN cells b ON a.n = b.n";

    /** A connection that shares its client with no other, since it is one of another driver. */
    private static Connection ofItsOwnClient() throws SQLException {
        return java.util.Objects.requireNonNull(new io.sdds.sql.SddsDriver()
                .connect("jdbc:sdds://" + sql.cluster.address(), new java.util.Properties()));
    }

    /** Requests that the client of a connection has begun. */
    private static long requests(Connection connection) {
        return SqlCluster.session(connection).client().statistics().requests();
    }

    /** While another connection reads the table several times, this one asks for nothing. */
    private static void assertThatBricksAreFree(Connection connection) throws SQLException {
        long requests = requests(connection);
        for (int k = 0; k < 20; k++) {
            assertThat(sql.rows("SELECT COUNT(*) FROM cells WHERE n * 2 >= 0")).containsExactly("10000");
        }
        assertThat(requests(connection)).isEqualTo(requests);
    }

    @Test
    void aCancelledJoinAsksBricksForNothing() throws Exception {
        try (Connection connection = ofItsOwnClient();
                Statement statement = connection.createStatement()) {
            assertThat(cancelled(statement, MANY_SCANS).getSQLState()).isEqualTo("57014");
            assertThatBricksAreFree(connection);
        }
    }

    @Test
    void aJoinAsksBricksForNothingAfterItsTimeout() throws SQLException {
        try (Connection connection = ofItsOwnClient();
                Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(1);
            long requests = requests(connection);
            assertThatThrownBy(() -> SqlCluster.rows(statement.executeQuery(MANY_SCANS)))
                    .isInstanceOf(SQLTimeoutException.class);
            assertThat(requests(connection)).isGreaterThan(requests);
            assertThatBricksAreFree(connection);
        }
    }

    @Test
    void aResultThatIsClosedHalfWayAsksBricksForNothing() throws SQLException {
        for (String query : List.of(MANY_SCANS, "SELECT id, n FROM cells WHERE n * 2 >= 0")) {
            try (Connection connection = ofItsOwnClient();
                    Statement statement = connection.createStatement()) {
                statement.setFetchSize(10);
                ResultSet rows = statement.executeQuery(query);
                assertThat(rows.next()).isTrue();
                rows.close();
                assertThatBricksAreFree(connection);
                assertThat(SqlCluster.rows(statement.executeQuery("SELECT COUNT(*) FROM cells")))
                        .containsExactly("10000");
            }
        }
    }

    @Test
    void aTimeoutEndsASort() throws SQLException {
        try (Statement statement = sql.connection.createStatement()) {
            statement.setQueryTimeout(1);
            SQLException failure = org.assertj.core.api.Assertions.catchThrowableOfType(
                    SQLException.class,
                    () -> statement
                            .executeQuery("SELECT a.n FROM " + ENDLESS + " ORDER BY a.n + l.n")
                            .next());
            assertThat((Throwable) failure).isInstanceOf(SQLTimeoutException.class);
            assertThat(failure.getSQLState()).isEqualTo("57014");
        }
    }

    // ---- the making of a plan

    /** Calcite looks through all columns for each of them: for minutes. */
    private static final String MANY_COLUMNS = IntStream.range(0, 20_000)
            .mapToObj(k -> "n + " + k)
            .collect(Collectors.joining(", ", "SELECT ", " FROM cells ORDER BY 1"));

    /** DuckDB makes a plan of it for more than ten seconds. */
    private static final String MANY_SUBQUERIES = IntStream.range(0, 32)
            .mapToObj(k -> "EXISTS (SELECT 1 FROM cells b, cells c, cells d WHERE b.n + c.n + d.n = a.n + " + k + ")")
            .collect(Collectors.joining(" OR ", "SELECT COUNT(*) FROM cells a WHERE ", ""));

    /** Longest time of a statement with a timeout of 1 s. In a build other processes may have the processors. */
    private static final Duration END_MOST = Duration.ofSeconds(System.getProperty("sdds.soak") == null ? 8 : 2);

    private static void endsAtItsTimeout(String query) throws SQLException {
        try (Statement statement = sql.connection.createStatement()) {
            statement.setQueryTimeout(1);
            long begin = System.nanoTime();
            assertThatThrownBy(() -> SqlCluster.rows(statement.executeQuery(query)))
                    .isInstanceOf(SQLTimeoutException.class)
                    .hasMessageContaining("the query timeout has passed");
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(END_MOST);
            assertThat(SqlCluster.rows(statement.executeQuery("SELECT COUNT(*) FROM cells")))
                    .containsExactly("10000");
            assertThat(SqlCluster.rows(
                            statement.executeQuery("SELECT COUNT(*) FROM cells a JOIN cells b ON a.id = b.id")))
                    .containsExactly("10000");
        }
    }

    @Test
    void theParserAndTheValidatorEndAtTheTimeout() throws SQLException {
        endsAtItsTimeout(MANY_COLUMNS);
        endsAtItsTimeout("SELECT a.id FROM cells a, cells b WHERE a.n + b.n IN (1" + ", 1".repeat(1_000_000) + ")");
    }

    @Test
    void thePlannerOfTheDatabaseAtTheClientEndsAtTheTimeout() throws SQLException {
        endsAtItsTimeout(MANY_SUBQUERIES);
    }

    @Test
    void theMakingOfAPlanEnds() throws Exception {
        endsWhenCancelled(MANY_COLUMNS);
        endsWhenCancelled(MANY_SUBQUERIES);
    }
}
