package io.sdds.sql.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sdds.sql.SqlCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.calcite.runtime.Hook;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Statements end in time although the planner does not: a planted planner waits until the test is over. */
@Isolated("plans that were left count for all connections")
class SlowPlanTest {
    private static SqlCluster sql;

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
        sql.update("CREATE TABLE cells (id INTEGER PRIMARY KEY, n INTEGER)");
        sql.update("INSERT INTO cells VALUES (1, 2)");
    }

    @AfterAll
    static void stop() throws SQLException {
        sql.close();
    }

    /** While it is open, the plans of texts with {@link #SLOW} are not ready. */
    private static final class SlowPlanner implements AutoCloseable {
        static final String SLOW = "SELECT id FROM cells WHERE n = 4711";

        private final CountDownLatch begun;
        private final CountDownLatch over = new CountDownLatch(1);
        private final CountDownLatch ended;
        private final Hook.Closeable hook;

        SlowPlanner(int plans) {
            begun = new CountDownLatch(plans);
            ended = new CountDownLatch(plans);
            Consumer<Object[]> slow = parsed -> {
                if (String.valueOf(parsed[0]).contains("4711")) {
                    begun.countDown();
                    await(over);
                    ended.countDown();
                }
            };
            hook = Hook.PARSE_TREE.add(slow);
        }

        static void await(CountDownLatch latch) {
            try {
                assertThat(latch.await(2, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            over.countDown();
            await(ended);
            hook.close();
        }
    }

    /** What a call that another thread makes has thrown. */
    private static CompletableFuture<SQLException> failure(Call call) {
        CompletableFuture<SQLException> failure = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                call.run();
                failure.complete(new SQLException("it has ended well"));
            } catch (SQLException e) {
                failure.complete(e);
            }
        });
        return failure;
    }

    private interface Call {
        void run() throws SQLException;
    }

    private static SQLException of(CompletableFuture<SQLException> failure) throws Exception {
        return failure.get(2, TimeUnit.MINUTES);
    }

    private static void assertThatItIsUsable(Connection connection) throws SQLException {
        assertThat(SqlCluster.rows(connection, "SELECT n FROM cells WHERE n < 5"))
                .containsExactly("2");
    }

    @Test
    void aTimeoutEndsAStatementThatIsPlanned() throws Exception {
        try (SlowPlanner planner = new SlowPlanner(1);
                Statement statement = sql.connection.createStatement()) {
            statement.setQueryTimeout(1);
            SQLException failure = of(failure(() -> statement.executeQuery(SlowPlanner.SLOW)));
            assertThat((Throwable) failure).isInstanceOf(SQLTimeoutException.class);
            assertThat(failure.getSQLState()).isEqualTo("57014");
            assertThatItIsUsable(sql.connection);
        }
    }

    @Test
    void aCancelEndsAStatementThatIsPlanned() throws Exception {
        try (SlowPlanner planner = new SlowPlanner(1);
                Statement statement = sql.connection.createStatement()) {
            CompletableFuture<SQLException> failure = failure(() -> statement.executeQuery(SlowPlanner.SLOW));
            SlowPlanner.await(planner.begun);
            statement.cancel();
            assertThat(of(failure).getSQLState()).isEqualTo("57014");
            assertThatItIsUsable(sql.connection);
        }
    }

    @Test
    void aClosedConnectionEndsWhatIsPlannedAndPrepared() throws Exception {
        for (boolean isPrepared : List.of(false, true)) {
            try (SlowPlanner planner = new SlowPlanner(1);
                    Connection connection = sql.connect("")) {
                Statement statement = connection.createStatement();
                CompletableFuture<SQLException> failure = failure(() -> {
                    if (isPrepared) {
                        connection.prepareStatement(SlowPlanner.SLOW);
                    } else {
                        statement.executeQuery(SlowPlanner.SLOW);
                    }
                });
                SlowPlanner.await(planner.begun);
                connection.close();
                assertThat(of(failure).getSQLState()).isEqualTo("57014");
            }
        }
    }

    @Test
    void noMoreThanFourPlansGoOnBehindTheEndOfTheirStatements() throws Exception {
        try (SlowPlanner planner = new SlowPlanner(4)) {
            List<CompletableFuture<SQLException>> failures = new ArrayList<>();
            List<Connection> connections = new ArrayList<>();
            for (int k = 0; k < 4; k++) {
                Connection connection = sql.connect("");
                connections.add(connection);
                failures.add(failure(() -> connection.prepareStatement(SlowPlanner.SLOW)));
            }
            SlowPlanner.await(planner.begun);
            for (int k = 0; k < 4; k++) {
                connections.get(k).close();
                assertThat(of(failures.get(k)).getSQLState()).isEqualTo("57014");
            }
            assertThatThrownBy(() -> sql.rows("SELECT n FROM cells WHERE n < 6"))
                    .hasMessage("4 statements that have ended are still being planned here: this one was not begun")
                    .extracting(e -> ((SQLException) e).getSQLState())
                    .isEqualTo("53000");
        }
        assertThat(rowsOnceAPlanHasEnded("SELECT n FROM cells WHERE n < 6")).containsExactly("2");
    }

    private static List<String> rowsOnceAPlanHasEnded(String query) throws SQLException {
        long begun = System.nanoTime();
        while (true) {
            try {
                return sql.rows(query);
            } catch (SQLException e) {
                if (!"53000".equals(e.getSQLState()) || System.nanoTime() - begun > TimeUnit.MINUTES.toNanos(2)) {
                    throw e;
                }
                Thread.yield();
            }
        }
    }

    // ---- what is refused at once, and what is not

    private static String chain(int joins) {
        StringBuilder query = new StringBuilder("SELECT t0.n FROM cells t0");
        for (int k = 1; k <= joins; k++) {
            query.append(" LEFT JOIN cells t" + k + " ON t" + k + ".id = t" + (k - 1) + ".id");
        }
        return query.toString();
    }

    private static void assertThatItIsTooLarge(String query, String why) {
        SQLException failure = catchThrowableOfType(SQLException.class, () -> sql.rows(query));
        assertThat(failure.getSQLState()).as(failure.getMessage()).isEqualTo("54000");
        assertThat(failure.getMessage()).contains(why);
    }

    @Test
    void joinsThatDuckDBWouldOrderForMinutesAreRefused() throws SQLException {
        assertThat(sql.rows(chain(40))).containsExactly("2");
        assertThatItIsTooLarge(chain(101), "more than 100 joins and subqueries");
        assertThatItIsTooLarge(chain(400), "more than 100 joins and subqueries");
        assertThatItIsTooLarge(
                "SELECT " + "(SELECT MAX(n) FROM cells) + ".repeat(200) + "1 FROM cells",
                "more than 100 joins and subqueries");
    }

    @Test
    void operandsThatTheValidatorWouldCopyAThousandTimesAreRefused() throws SQLException {
        assertThat(sql.rows("SELECT " + "NULLIF(".repeat(5) + "n" + ", 5)".repeat(5) + " FROM cells"))
                .containsExactly("2");
        assertThatItIsTooLarge(
                "SELECT " + "NULLIF(".repeat(40) + "n" + ", 5)".repeat(40) + " FROM cells",
                "more than 10 calls of NULLIF and COALESCE are nested");
    }

    @Test
    void longRowsOfLikeAreRefusedUnlessTheyAreInParentheses() throws SQLException {
        String row = "n BETWEEN 1 AND 3 OR ".repeat(69) + "n BETWEEN 1 AND 3";
        assertThat(sql.rows("SELECT n FROM cells WHERE (" + row + ") AND (" + row + ") AND (" + row + ")"))
                .containsExactly("2");
        assertThatItIsTooLarge(
                "SELECT n FROM cells WHERE " + row + " OR " + row + " OR " + row, "of LIKE and BETWEEN in a row");
    }

    @Test
    void aListOfTenThousandParametersIsNoRow() throws SQLException {
        try (PreparedStatement statement =
                sql.connection.prepareStatement("SELECT n FROM cells WHERE n IN (?" + ", ?".repeat(9_999) + ")")) {
            for (int k = 1; k <= 10_000; k++) {
                statement.setInt(k, k);
            }
            assertThat(SqlCluster.rows(statement.executeQuery())).containsExactly("2");
        }
    }
}
