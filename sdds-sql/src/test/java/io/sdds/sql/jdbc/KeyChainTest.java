package io.sdds.sql.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.core.Seeds;
import io.sdds.sql.SqlCluster;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Joins that are chains of look-ups by key answer as the database at the client does, and do without it. */
class KeyChainTest {
    private static final int QUERIES = 80;

    /** Equalities of any kind; {@code ?} is a BIGINT. */
    private static final List<String> CONDITIONS = List.of(
            "a.id = ?",
            "? = a.id",
            "a.id = 1",
            "a.id = 3",
            "b.id = a.big",
            "a.big = b.id",
            "b.id = a.whole",
            "a.s = c.s",
            "a.whole = c.n",
            "c.n = 2",
            "c.s = 'x'",
            "c.s = 'x '",
            "c.big = b.id",
            "b.s = a.s",
            "b.d = a.d",
            "a.d = b.e",
            "a.w = b.w",
            "b.id > 0");

    private static SqlCluster sql;
    private static Connection plain;

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
        plain = sql.connect(";pushdown=false");
        String columns = "id BIGINT PRIMARY KEY, whole INTEGER, big BIGINT, s VARCHAR(10), d DECIMAL(8, 2),"
                + " e DECIMAL(9, 1), w DOUBLE, v VARBINARY, day DATE, moment TIMESTAMP, u UUID";
        sql.update("CREATE TABLE t (" + columns + ")");
        sql.update("CREATE TABLE o (" + columns + ") WITH (kind = 'range')");
        for (String table : List.of("t", "o")) {
            sql.update("INSERT INTO " + table + " VALUES (1, 2, 2, 'x', 1.50, 1.5, 7e0, x'00ff', DATE '2026-01-31',"
                    + " TIMESTAMP '2026-01-31 23:59:59.123', '00000000-0000-0001-0000-000000000002'),"
                    + " (2, 1, 1, 'x ', 2.50, 2.5, CAST('NaN' AS DOUBLE), x'', NULL, NULL, NULL),"
                    + " (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),"
                    + " (4, 2, 99, 'X', 1.50, 1.5, 0e0, NULL, NULL, NULL, NULL)");
        }
        for (String table : List.of("t", "o")) {
            try (PreparedStatement zero =
                    sql.connection.prepareStatement("UPDATE " + table + " SET w = ? WHERE id = 1")) {
                zero.setDouble(1, -0.0);
                zero.executeUpdate();
            }
        }
        sql.update("CREATE TABLE pairs (s VARCHAR(20), n INTEGER, big BIGINT, PRIMARY KEY (s, n))");
        sql.update("INSERT INTO pairs VALUES ('x', 2, 1), ('x ', 1, 2), ('X', 2, 4), ('x', 1, NULL)");
        sql.update("CREATE TABLE prices (d DECIMAL(8, 2) PRIMARY KEY, t BIGINT)");
        sql.update("INSERT INTO prices VALUES (1.50, 1), (2.50, 2)");
        sql.update("CREATE TABLE floats (w DOUBLE PRIMARY KEY, t BIGINT)");
        sql.update("INSERT INTO floats VALUES (0, 1), (CAST('NaN' AS DOUBLE), 2)");
        sql.update("CREATE TABLE ids (u UUID PRIMARY KEY, v VARBINARY)");
        sql.update("INSERT INTO ids VALUES ('00000000-0000-0001-0000-000000000002', x'00ff')");
        sql.update("CREATE TABLE bytes (v VARBINARY PRIMARY KEY, t BIGINT)");
        sql.update("INSERT INTO bytes VALUES (x'00ff', 4)");
    }

    @AfterAll
    static void stop() throws SQLException {
        plain.close();
        sql.close();
    }

    private static boolean isChain(String query) throws SQLException {
        try (PreparedStatement ignored = sql.connection.prepareStatement(query)) {
            return SqlCluster.session(sql.connection).schema().planned().read() != null;
        }
    }

    private static void isChainWithTheRowsOfOthers(String query, Object... parameters) throws SQLException {
        assertThat(isChain(query)).as(query).isTrue();
        sql.rowsAlsoOf(plain, query, parameters);
    }

    @Test
    void chainsHaveTheRowsOfTheDatabaseAtTheClient() throws SQLException {
        for (long id = 0; id <= 4; id++) {
            isChainWithTheRowsOfOthers("SELECT * FROM t a JOIN o b ON b.id = a.big WHERE a.id = ?", id);
            isChainWithTheRowsOfOthers("SELECT b.w, a.w FROM t a, o AS b WHERE a.id = ? AND a.big = b.id", id);
            isChainWithTheRowsOfOthers("SELECT b.w FROM o b, t a WHERE b.id = a.big AND ? = a.id", id);
            isChainWithTheRowsOfOthers(
                    "SELECT c.* FROM t a JOIN pairs c ON c.s = a.s AND c.n = a.whole WHERE a.id = ?", id);
            isChainWithTheRowsOfOthers(
                    "SELECT a.s, b.s, c.s, d.s FROM t a JOIN o b ON b.id = a.big JOIN t c ON c.id = b.big"
                            + " CROSS JOIN o d WHERE a.id = ? AND d.id = 2",
                    id);
            isChainWithTheRowsOfOthers("SELECT a.id, b.* FROM t a LEFT JOIN o b ON b.id = a.big WHERE a.id = ?", id);
            isChainWithTheRowsOfOthers(
                    "SELECT a.id, b.id, c.n FROM t a LEFT JOIN o b ON b.id = a.big"
                            + " LEFT JOIN pairs c ON c.s = b.s AND c.n = b.whole WHERE a.id = ?",
                    id);
            isChainWithTheRowsOfOthers(
                    "SELECT a.id, c.id FROM t a LEFT JOIN o b ON b.id = a.big JOIN t c ON c.id = b.big"
                            + " WHERE a.id = ? AND b.s = 'x'",
                    id);
        }
        isChainWithTheRowsOfOthers("SELECT p.* FROM t a JOIN prices p ON p.d = a.d WHERE a.id = ?", 1);
        isChainWithTheRowsOfOthers(
                "SELECT a.* FROM prices p JOIN t a ON a.id = p.t WHERE p.d = ?", new BigDecimal("1.5"));
        isChainWithTheRowsOfOthers(
                "SELECT a.* FROM prices p JOIN t a ON a.id = p.t WHERE p.d = ?", new BigDecimal("1.501"));
        isChainWithTheRowsOfOthers(
                "SELECT y.t FROM t a JOIN ids i ON i.u = a.u JOIN bytes y ON y.v = i.v WHERE a.id = ?", 1);
    }

    @Test
    void conditionsBesideTheKeysAreTested() throws SQLException {
        for (long id = 0; id <= 4; id++) {
            String join = "SELECT a.id, b.id FROM t a JOIN o b ON b.id = a.big WHERE a.id = ? AND ";
            for (String condition : List.of("b.id = a.big", "a.s = 'x'", "b.s = 'x '", "a.s = b.s", "a.d = b.d")) {
                isChainWithTheRowsOfOthers(join + condition, id);
            }
            isChainWithTheRowsOfOthers(join + "a.id = ?", id, 1);
            isChainWithTheRowsOfOthers(join + "b.d = ?", id, new BigDecimal("2.500"));
            isChainWithTheRowsOfOthers(join + "b.d = ?", id, new BigDecimal("2.501"));
            isChainWithTheRowsOfOthers(join + "b.u = ?", id, null);
        }
    }

    @Test
    void randomConjunctionsHaveTheSameRows() throws SQLException {
        SplittableRandom random = Seeds.random("KeyChainTest");
        int chains = 0;
        for (int k = 0; k < QUERIES; k++) {
            StringBuilder where = new StringBuilder("b.id = a.big");
            for (int n = 1 + random.nextInt(4); n > 0; n--) {
                where.append(" AND ").append(CONDITIONS.get(random.nextInt(CONDITIONS.size())));
            }
            String from = where.indexOf("c.") >= 0 ? "t a, pairs c, o b" : "t a, o b";
            String query = "SELECT a.id, b.* FROM " + from + " WHERE " + where + " AND a.id = ?";
            Object[] parameters =
                    new Object[(int) query.chars().filter(c -> c == '?').count()];
            Arrays.setAll(parameters, n -> random.nextInt(8) == 0 ? null : (Object) (1L + random.nextInt(3)));
            List<String> rows = SqlCluster.rows(sql.connection, query, parameters);
            assertThat(rows).as(query + Arrays.toString(parameters)).hasSizeLessThanOrEqualTo(4);
            rows.sort(null);
            List<String> expected = SqlCluster.rows(plain, query, parameters);
            expected.sort(null);
            assertThat(rows).as(query + Arrays.toString(parameters)).isEqualTo(expected);
            chains += isChain(query) ? 1 : 0;
        }
        assertThat(chains).isBetween(QUERIES / 8, QUERIES - 1);
    }

    @Test
    void otherJoinsAreLeftToTheDatabaseAtTheClient() throws SQLException {
        String join = "SELECT a.id FROM t a JOIN o b ON b.id = a.big WHERE a.id = ?";
        for (String query : List.of(
                "SELECT a.id FROM t a JOIN o b ON b.id = a.whole WHERE a.id = ?",
                "SELECT a.id FROM t a JOIN pairs c ON c.s = a.s AND c.n = a.big WHERE a.id = ?",
                "SELECT a.id FROM t a JOIN prices p ON p.d = a.e WHERE a.id = ?",
                "SELECT f.t FROM t a JOIN floats f ON f.w = a.w WHERE a.id = ?",
                "SELECT a.id FROM t a JOIN o b ON b.big = a.id WHERE a.id = ?",
                "SELECT a.id FROM t a JOIN o b ON b.id = a.big",
                "SELECT a.id FROM t a JOIN o b ON b.id = a.big + 1 WHERE a.id = ?",
                "SELECT a.id FROM t a JOIN pairs c ON c.s = a.s WHERE a.id = ?",
                "SELECT a.id FROM t a LEFT JOIN o b ON b.id = a.big AND b.s = 'x' WHERE a.id = ?",
                "SELECT a.id FROM t a LEFT JOIN o b ON b.id = a.big AND a.s = 'x' WHERE a.id = ?",
                "SELECT a.id FROM t a LEFT JOIN o b ON TRUE WHERE a.id = ? AND b.id = a.big",
                "SELECT a.id FROM t a RIGHT JOIN o b ON b.id = a.big WHERE a.id = ?",
                "SELECT a.id FROM t a FULL JOIN o b ON b.id = a.big WHERE a.id = ?",
                "SELECT id FROM t a JOIN o b USING (id) WHERE id = ?",
                "SELECT /*+ SDDS_JOIN(hash) */ a.id FROM t a JOIN o b ON b.id = a.big WHERE a.id = ?",
                "SELECT DISTINCT a.id FROM t a JOIN o b ON b.id = a.big WHERE a.id = ?",
                "SELECT a.id + b.id FROM t a JOIN o b ON b.id = a.big WHERE a.id = ?",
                "SELECT COUNT(*) FROM t a JOIN o b ON b.id = a.big WHERE a.id = ?",
                join + " LIMIT 1",
                join + " ORDER BY 1",
                join + " AND b.w = a.w",
                join + " AND b.day = DATE '2026-01-31'",
                join + " AND a.id > 0",
                join + " OR a.id = 1",
                join + " AND EXISTS (SELECT 1 FROM o)",
                join + " UNION ALL " + join)) {
            assertThat(isChain(query)).as(query).isFalse();
            Object[] parameters =
                    new Object[(int) query.chars().filter(c -> c == '?').count()];
            Arrays.fill(parameters, 1L);
            List<String> rows = SqlCluster.rows(sql.connection, query, parameters);
            rows.sort(null);
            List<String> expected = SqlCluster.rows(plain, query, parameters);
            expected.sort(null);
            assertThat(rows).as(query).isEqualTo(expected);
        }
    }

    @Test
    void chainsDoWithoutTheDatabaseAtTheClient() throws SQLException {
        String query = "SELECT b.s FROM t a JOIN o b ON b.id = a.big WHERE a.id = ";
        try (SqlCluster own = new SqlCluster()) {
            own.update("CREATE TABLE t (id BIGINT PRIMARY KEY, big BIGINT)");
            own.update("CREATE TABLE o (id BIGINT PRIMARY KEY, s VARCHAR)");
            own.update("INSERT INTO t VALUES (1, 2), (2, NULL)");
            own.update("INSERT INTO o VALUES (2, 'found'), (3, NULL)");
            own.session().schema().shared().database().close();
            assertThat(SqlCluster.rows(own.connection, query + "?", 1)).containsExactly("found");
            assertThat(SqlCluster.rows(own.connection, query + "?", 2)).isEmpty();
            assertThat(own.rows(query + "1")).containsExactly("found");
            assertThatThrownBy(() -> own.rows(query + "1 AND b.s LIKE 'f%'")).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void aCancelledOrLateChainEnds() throws SQLException {
        try (PreparedStatement query =
                sql.connection.prepareStatement("SELECT b.s FROM t a JOIN o b ON b.id = a.big WHERE a.id = ?")) {
            query.setLong(1, 1);
            query.setQueryTimeout(10);
            query.setMaxRows(1);
            assertThat(SqlCluster.rows(query.executeQuery())).containsExactly("x ");
            query.cancel(); // nothing runs
            assertThat(SqlCluster.rows(query.executeQuery())).containsExactly("x ");
        }
    }

    @Test
    void aChangeOfAnyOfItsTablesIsHeardOf() throws SQLException {
        sql.update("CREATE TABLE changed (id BIGINT PRIMARY KEY, a INTEGER)");
        sql.update("INSERT INTO changed VALUES (2, 10)");
        try (PreparedStatement query =
                sql.connection.prepareStatement("SELECT c.* FROM t a JOIN changed c ON c.id = a.big WHERE a.id = ?")) {
            query.setLong(1, 1);
            assertThat(SqlCluster.rows(query.executeQuery())).containsExactly("2, 10");
            sql.update("ALTER TABLE changed ADD COLUMN b VARCHAR DEFAULT 'x'");
            assertThat(SqlCluster.rows(query.executeQuery())).containsExactly("2, 10, x");
            sql.update("DROP TABLE changed");
            sql.update("CREATE TABLE changed (id INTEGER PRIMARY KEY, c VARCHAR)");
            sql.update("INSERT INTO changed VALUES (2, 'new')");
            assertThat(SqlCluster.rows(query.executeQuery())).containsExactly("2, new");
            sql.update("DROP TABLE changed");
            assertThatThrownBy(query::executeQuery).isInstanceOf(SQLException.class);
        }
    }
}
