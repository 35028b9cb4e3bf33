package io.sdds.sql.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sdds.sql.SqlCluster;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.calcite.runtime.Hook;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A text that comes again is run by the plan that it had, unless its tables have changed. */
class PlanCacheTest {
    private static final String GROUPS = "SELECT a, COUNT(*) FROM t GROUP BY a ORDER BY a";
    private static final String JOIN = "SELECT t.id, u.x FROM t JOIN u ON t.a = u.id ORDER BY t.id";

    private final SqlCluster sql;
    private final AtomicInteger plans = new AtomicInteger();
    private Hook.Closeable hook = () -> {};

    PlanCacheTest() throws SQLException {
        sql = new SqlCluster();
    }

    @BeforeEach
    void fill() throws SQLException {
        sql.update("CREATE TABLE t (id BIGINT PRIMARY KEY, a BIGINT)");
        sql.update("CREATE TABLE u (id BIGINT PRIMARY KEY, x BIGINT)");
        sql.update("INSERT INTO t VALUES (1, 10), (2, 20), (3, 10)");
        sql.update("INSERT INTO u VALUES (10, 100), (20, 200)");
        hook = Hook.PARSE_TREE.addThread((Consumer<Object>) tree -> plans.incrementAndGet());
    }

    @AfterEach
    void close() throws SQLException {
        hook.close();
        sql.close();
    }

    private int plansOf(String query, List<String> rows) throws SQLException {
        int before = plans.get();
        assertThat(sql.rows(query)).isEqualTo(rows);
        return plans.get() - before;
    }

    @Test
    void textThatComesAgainIsNotPlannedAgain() throws SQLException {
        assertThat(plansOf(GROUPS, List.of("10, 2", "20, 1"))).isEqualTo(1);
        assertThat(plansOf(JOIN, List.of("1, 100", "2, 200", "3, 100"))).isEqualTo(1);
        sql.update("INSERT INTO t VALUES (4, 20)");
        assertThat(plansOf(GROUPS, List.of("10, 2", "20, 2"))).isZero();
        assertThat(plansOf(JOIN, List.of("1, 100", "2, 200", "3, 100", "4, 200")))
                .isZero();
    }

    @Test
    void preparedStatementsShareAPlanAndHaveTheirOwnParameters() throws SQLException {
        String query = "SELECT id + ? FROM t WHERE a = ? ORDER BY 1";
        try (PreparedStatement one = sql.connection.prepareStatement(query);
                PreparedStatement other = sql.connection.prepareStatement(query)) {
            assertThat(plans).hasValue(1);
            one.setLong(1, 1000);
            one.setLong(2, 10);
            other.setLong(1, 2000);
            other.setLong(2, 20);
            try (ResultSet first = one.executeQuery();
                    ResultSet second = other.executeQuery()) {
                assertThat(first.next()).isTrue();
                assertThat(SqlCluster.rows(second)).containsExactly("2002");
                assertThat(first.getLong(1)).isEqualTo(1001);
                assertThat(SqlCluster.rows(first)).containsExactly("1003");
            }
        }
    }

    @Test
    void twoOpenResultsOfATextDoNotDisturbEachOther() throws SQLException {
        try (Statement one = sql.connection.createStatement();
                Statement other = sql.connection.createStatement();
                ResultSet first = one.executeQuery(JOIN);
                ResultSet second = other.executeQuery(JOIN)) {
            assertThat(first.next()).isTrue();
            assertThat(SqlCluster.rows(second)).hasSize(3);
            assertThat(SqlCluster.rows(first)).containsExactly("2, 200", "3, 100");
        }
    }

    @Test
    void aStatementWithABoundOfRowsHasAPlanOfItsOwn() throws SQLException {
        try (Statement statement = sql.connection.createStatement()) {
            statement.setMaxRows(1);
            try (ResultSet rows = statement.executeQuery(GROUPS)) {
                assertThat(SqlCluster.rows(rows)).containsExactly("10, 2");
            }
        }
        plansOf(GROUPS, List.of("10, 2", "20, 1"));
    }

    @Test
    void analyzeAndChangesOfTablesMakeANewPlan() throws SQLException {
        plansOf(GROUPS, List.of("10, 2", "20, 1"));
        sql.update("ANALYZE t");
        assertThat(plansOf(GROUPS, List.of("10, 2", "20, 1"))).isEqualTo(1);
        sql.update("DROP TABLE t");
        sql.update("CREATE TABLE t (a VARCHAR PRIMARY KEY, b BIGINT)");
        sql.update("INSERT INTO t VALUES ('x', 1)");
        assertThat(plansOf(GROUPS, List.of("x, 1"))).isEqualTo(1);
    }

    @Test
    void tableThatAnotherClientMadeAnewHasANewPlan() throws SQLException {
        plansOf(GROUPS, List.of("10, 2", "20, 1"));
        sql.cluster.client().dropTable("t");
        try (var other = sql.connect("");
                Statement statement = other.createStatement()) {
            statement.executeUpdate("CREATE TABLE t (a VARCHAR PRIMARY KEY, b BIGINT)");
            statement.executeUpdate("INSERT INTO t VALUES ('x', 1)");
        }
        schema().shared().forgetTables();
        assertThat(plansOf(GROUPS, List.of("x, 1"))).isEqualTo(1);
    }

    @Test
    void columnsThatAnotherClientAddsAndDropsAreSeen() throws SQLException {
        String query = "SELECT * FROM t WHERE id = 1";
        assertThat(plansOf(query, List.of("1, 10"))).isEqualTo(1);
        sql.cluster.client().addColumn("t", "c VARCHAR");
        schema().shared().forgetTables();
        assertThat(plansOf(query, List.of("1, 10, null"))).isEqualTo(1);
        sql.cluster.client().dropColumn("t", "a");
        schema().shared().forgetTables();
        assertThat(plansOf(query, List.of("1, null"))).isEqualTo(1);
    }

    @Test
    void tableThatThePlanDoesWithoutIsStillOneOfTheStatement() throws SQLException {
        String empty = "SELECT id FROM t WHERE 1 = 0";
        String unread = "SELECT u.x FROM u LEFT JOIN t ON t.id = u.id ORDER BY 1";
        plansOf(empty, List.of());
        plansOf(unread, List.of("100", "200"));
        sql.cluster.client().dropTable("t");
        schema().shared().forgetTables();
        for (String query : List.of(empty, unread)) {
            assertThatThrownBy(() -> sql.rows(query))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("'t'");
        }
    }

    @Test
    void tableThatHasGrownHasANewPlan() throws SQLException {
        plansOf(GROUPS, List.of("10, 2", "20, 1"));
        try (PreparedStatement insert = sql.connection.prepareStatement("INSERT INTO t VALUES (?, 30)")) {
            for (int k = 0; k < 2_000; k++) {
                insert.setLong(1, 100 + k);
                insert.addBatch();
            }
            insert.executeBatch();
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> recordsAsListed() > 2_000);
        assertThat(plansOf(GROUPS, List.of("10, 2", "20, 1", "30, 2000"))).isEqualTo(1);
    }

    /** Bricks tell the coordinator from time to time; a list that a connection has is a second old at most. */
    private long recordsAsListed() {
        schema().shared().forgetTables();
        return schema().table("t").records();
    }

    @Test
    void timeIsThatOfEachExecution() throws SQLException {
        String query = "SELECT CURRENT_TIMESTAMP, id FROM t WHERE id = 1";
        String first = sql.rows(query).get(0);
        String second = first;
        for (int k = 0; k < 1_000 && second.equals(first); k++) {
            second = sql.rows(query).get(0);
        }
        assertThat(second).isGreaterThan(first);
        assertThat(plans.get()).isEqualTo(1);
    }

    @Test
    void changesByPredicateAreRunByTheirPlanAgain() throws SQLException {
        String change = "UPDATE t SET a = a + 1 WHERE a >= 20";
        assertThat(sql.update(change)).isEqualTo(1);
        int planned = plans.get();
        assertThat(sql.update(change)).isEqualTo(1);
        assertThat(plans.get()).isEqualTo(planned);
        assertThat(sql.rows("SELECT a FROM t WHERE id = 2")).containsExactly("22");
    }

    @Test
    void insertsOfAQueryAndDeletesAreRunByTheirPlansAgain() throws SQLException {
        for (int k = 0; k < 2; k++) {
            assertThat(sql.update("INSERT INTO u SELECT id + 1000, a FROM t")).isEqualTo(3);
            assertThat(sql.update("DELETE FROM u WHERE id > 1000")).isEqualTo(3);
        }
        assertThat(plans).hasValue(2);
        assertThat(sql.rows("SELECT COUNT(*) FROM u")).containsExactly("2");
    }

    @Test
    void aBatchOfASecondStatementRunsByThePlanOfTheFirst() throws SQLException {
        for (int k = 0; k < 2; k++) {
            try (PreparedStatement change = sql.connection.prepareStatement("UPDATE t SET a = ? WHERE id = ?")) {
                for (int id = 1; id <= 3; id++) {
                    change.setLong(1, 100 * k + id);
                    change.setLong(2, id);
                    change.addBatch();
                }
                assertThat(change.executeBatch()).containsExactly(1, 1, 1);
            }
        }
        assertThat(plans).hasValue(1);
        assertThat(sql.rows("SELECT a FROM t ORDER BY id")).containsExactly("101", "102", "103");
    }

    @Test
    void plansThatWereNotUsedForLongestAreForgotten() throws SQLException {
        plansOf(GROUPS, List.of("10, 2", "20, 1"));
        plansOf(JOIN, List.of("1, 100", "2, 200", "3, 100"));
        for (int k = 0; k < PlanCache.PLANS_MAX - 1; k++) {
            sql.rows("SELECT " + k + " FROM t WHERE id = 1");
            if (k % 64 == 0) {
                assertThat(plansOf(GROUPS, List.of("10, 2", "20, 1"))).isZero();
            }
        }
        assertThat(plansOf(GROUPS, List.of("10, 2", "20, 1"))).isZero();
        assertThat(plansOf(JOIN, List.of("1, 100", "2, 200", "3, 100"))).isEqualTo(1);
    }

    // ---- what is not kept

    @Test
    void aRecursionIsKeptToo() throws SQLException {
        String query =
                "WITH RECURSIVE r (n) AS (SELECT id FROM t WHERE id = 1 UNION ALL SELECT n + 1 FROM r WHERE n < 4)"
                        + " SELECT n FROM r";
        assertThat(plansOf(query, List.of("1", "2", "3", "4"))).isEqualTo(1);
        assertThat(plansOf(query, List.of("1", "2", "3", "4"))).isZero();
    }

    @Test
    void everyFormOfExplainShowsThePlanOfTheMoment() throws SQLException {
        for (String form : List.of("", "AS JSON ", "WITH TYPE ", "INCLUDING ALL ATTRIBUTES ")) {
            String query = "EXPLAIN PLAN " + form + "FOR " + GROUPS;
            sql.rows(query);
            int before = plans.get();
            sql.rows(query);
            assertThat(plans.get() - before).as(query).isEqualTo(1);
        }
    }

    @Test
    void randomNumbersOfASeedAreRefused() {
        assertThatThrownBy(() -> sql.rows("SELECT RAND(7) FROM t WHERE id = 1"))
                .isInstanceOf(SQLFeatureNotSupportedException.class)
                .hasMessage("RAND with a seed is not supported");
    }

    @Test
    void aTextThatIsTooLongIsPlannedAgain() throws SQLException {
        String query = GROUPS + " ".repeat(PlanCache.TEXT_MAX);
        assertThat(plansOf(query, List.of("10, 2", "20, 1"))).isEqualTo(1);
        assertThat(plansOf(query, List.of("10, 2", "20, 1"))).isEqualTo(1);
    }

    @Test
    void aPlanIsKeptForAMinute() throws SQLException {
        sql.rows(GROUPS);
        AtomicLong nanos = new AtomicLong();
        PlanCache cache = new PlanCache(schema().shared(), nanos::get);
        PlanCache.Key key = new PlanCache.Key(GROUPS, Object[].class, -1, false);
        PlanCache.Plan plan = Objects.requireNonNull(schema().shared().plans().find(key));
        cache.keep(key, plan);
        nanos.set(PlanCache.AGE_MAX_NANOS);
        assertThat(cache.find(key)).isSameAs(plan);
        nanos.incrementAndGet();
        assertThat(cache.find(key)).isNull();
    }

    @Test
    void theHiddenKeyIsSeenByTheTextsThatNameIt() throws SQLException {
        sql.update("CREATE TABLE h (a BIGINT)");
        sql.update("INSERT INTO h VALUES (1)");
        for (int k = 0; k < 2; k++) {
            assertThat(sql.rows("SELECT * FROM h")).containsExactly("1");
            assertThat(sql.rows("SELECT _rowid, a FROM h").get(0)).hasSizeGreaterThan("1".length());
        }
    }

    private SddsSchema schema() {
        return sql.session().schema();
    }
}
