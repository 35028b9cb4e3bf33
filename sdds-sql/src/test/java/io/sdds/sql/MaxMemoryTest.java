package io.sdds.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Statements larger than {@code maxMemory}: they spill, or end with 53200. */
@Execution(ExecutionMode.SAME_THREAD) // the tests share a budget
class MaxMemoryTest {
    private static final int ROWS = 30_000;
    private static final String PADDING = "x".repeat(250);

    private static final String COPIES = "(VALUES (1), (2), (3), (4), (5), (6), (7), (8))";

    private static SqlCluster sql;
    private static Connection small;

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
        small = sql.connect(";maxMemory=64m");
        sql.update("CREATE TABLE t (id INTEGER PRIMARY KEY, s VARCHAR)");
        try (PreparedStatement insert = sql.connection.prepareStatement("INSERT INTO t VALUES (?, ?)")) {
            for (int k = 0; k < ROWS; k++) {
                insert.setInt(1, k);
                insert.setString(2, mixed(k) + PADDING);
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    @AfterAll
    static void stop() throws SQLException {
        small.close();
        sql.close();
    }

    /** Another order than that of the keys. */
    private static String mixed(int id) {
        return String.format("%05d", id * 7919L % ROWS);
    }

    /** Eight copies of the table: 60 MB, where DuckDB has 48. */
    @Test
    void rowsOfALargeTableAreSortedWhereTheySpill() throws SQLException {
        SqlCluster.session(small).schema().shared().refresh();
        String query = "SELECT id, s FROM t ORDER BY s";
        assertThat(SqlCluster.rows(small, "EXPLAIN PLAN FOR " + query).get(0)).startsWith("SddsLocal");
        assertThat(SqlCluster.rows(small, "EXPLAIN PLAN FOR " + query + " LIMIT 5")
                        .get(0))
                .startsWith("SddsScan");
        String ofFew = "SELECT id FROM t WHERE s = 'x' ORDER BY s, id";
        assertThat(SqlCluster.rows(small, "EXPLAIN PLAN FOR " + ofFew).get(0)).startsWith("SddsScan");
        try (Statement statement = small.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            for (int k = 0; k < ROWS; k++) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString(2)).startsWith(String.format("%05d", k));
            }
            assertThat(rows.next()).isFalse();
        }
    }

    @Test
    void aSortOfMoreThanTheMemoryIsSpilledAndStreamed() throws SQLException {
        try (Statement statement = small.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT t.s, c.n FROM t CROSS JOIN " + COPIES + " c(n) ORDER BY t.s, c.n")) {
            int inOrder = 0;
            while (inOrder < 8 * ROWS
                    && rows.next()
                    && rows.getInt(2) == inOrder % 8 + 1
                    && Integer.parseInt(rows.getString(1), 0, 5, 10) == inOrder / 8) {
                inOrder++;
            }
            assertThat(inOrder).isEqualTo(8 * ROWS);
            assertThat(rows.next()).isFalse();
        }
    }

    @Test
    void aJoinOfMoreThanTheMemoryIsSpilled() throws SQLException {
        String copies = "(SELECT t.s || CAST(c.n AS VARCHAR) AS s, t.id FROM t CROSS JOIN " + COPIES + " c(n))";
        assertThat(SqlCluster.rows(
                        small, "SELECT COUNT(*), SUM(a.id) FROM " + copies + " a JOIN " + copies + " b ON a.s = b.s"))
                .containsExactly(8 * ROWS + ", " + 8 * (ROWS - 1L) * ROWS / 2);
    }

    @Test
    void groupsBeyondTheMemoryEndWithAnErrorThatNamesThemAndTheConnectionGoesOn() throws SQLException {
        String groups = "SELECT COUNT(*), MAX(n) FROM (SELECT s, COUNT(*) AS n FROM t GROUP BY s) g";
        for (int k = 0; k < 2; k++) { // what the first one held is given back
            assertThatThrownBy(() -> SqlCluster.rows(small, groups))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("53200"))
                    .hasMessageContaining("groups of table t")
                    .hasMessageContaining("maxMemory");
            assertThat(SqlCluster.rows(small, "SELECT COUNT(*) FROM t a JOIN t b ON a.id = b.id WHERE a.id < 10"))
                    .containsExactly("10");
        }
        assertThat(sql.rows(groups)).containsExactly(ROWS + ", 1");
    }

    @Test
    void rowsReadByKeyBeyondTheMemoryEndWithAnError() throws SQLException {
        String keys = IntStream.range(0, ROWS / 2).mapToObj(Integer::toString).collect(Collectors.joining(", "));
        assertThatThrownBy(() -> SqlCluster.rows(
                        small,
                        "SELECT COUNT(*) FROM t a JOIN t b ON a.s = b.s WHERE a.id IN (" + keys + ") AND b.id IN ("
                                + keys + ")"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("53200"))
                .hasMessageContaining("rows read by key of table t");
    }

    @Test
    void theOptionIsASizeOfSixtyFourMebibytesAtLeast() throws SQLException {
        for (String wrong : List.of("1k", "63m", "much", "-1m", "", "64 mb", "999999999999999999t")) {
            assertThatThrownBy(() -> sql.connect(";maxMemory=" + wrong))
                    .isInstanceOf(SQLException.class)
                    .hasMessage(
                            "option maxMemory is '" + wrong + "', expected a size such as 256m or 2g, 64m at least");
        }
        String url = "jdbc:sdds://127.0.0.1:1";
        DriverPropertyInfo option = Arrays.stream(
                        DriverManager.getDriver(url).getPropertyInfo(url + ";maxMemory=1g", new Properties()))
                .filter(info -> info.name.equals("maxMemory"))
                .findFirst()
                .orElseThrow();
        assertThat(option.value).isEqualTo("1g");
    }
}
