package io.sdds.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Subqueries in conditions, with and without pushdown. */
class SubqueriesTest {
    private static final String NOTHING = "(SELECT a FROM t WHERE a > 5 AND a < 3)";

    private static SqlCluster sql;
    private static Connection plain;

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
        plain = sql.connect(";pushdown=false");
        sql.update("CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER)");
        sql.update("INSERT INTO t VALUES (0, 7, 5), (1, NULL, 9), (2, 3, 2), (3, 2, 3), (4, 8, NULL)");
    }

    @AfterAll
    static void stop() throws SQLException {
        plain.close();
        sql.close();
    }

    /** The ids of the rows that meet a condition, with and without pushdown. */
    private static List<String> ids(String condition) throws SQLException {
        return sql.rowsAlsoOf(plain, "SELECT id FROM t WHERE " + condition + " ORDER BY id");
    }

    @Test
    void aSubqueryWithoutRowsLeavesTheOtherPartOfAnOr() throws SQLException {
        assertThat(ids("b IN " + NOTHING + " OR b >= 4")).containsExactly("0", "1");
        assertThat(ids("b >= 4 OR b IN " + NOTHING + " OR id = 2")).containsExactly("0", "1", "2");
        assertThat(ids("(b IN " + NOTHING + ") IS NOT TRUE")).containsExactly("0", "1", "2", "3", "4");
        assertThat(ids("b NOT IN " + NOTHING + " OR b >= 4")).containsExactly("0", "1", "2", "3", "4");
        assertThat(ids("EXISTS " + NOTHING + " OR b >= 4")).containsExactly("0", "1");
        assertThat(ids("b > ALL " + NOTHING)).containsExactly("0", "1", "2", "3", "4");
        assertThat(ids("b > SOME " + NOTHING + " OR id = 4")).containsExactly("4");
    }

    @Test
    void anInInsideAnOrIsUnknownBesideANull() throws SQLException {
        assertThat(ids("b IN (SELECT a FROM t) OR id = 1")).containsExactly("1", "2", "3");
        assertThat(ids("NOT (b IN (SELECT a FROM t) OR id = 1)")).isEmpty();
        assertThat(ids("NOT (b IN (SELECT a FROM t WHERE a < 3) OR id = 1)")).containsExactly("0", "3");
        assertThat(ids("(b IN (SELECT a FROM t) OR id = 1) IS NULL")).containsExactly("0", "4");
    }

    @Test
    void tablesWithoutRowsHavePlans() throws SQLException {
        sql.update("CREATE TABLE blank (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER)");
        String query = "SELECT id FROM blank WHERE NOT (b IN (SELECT a FROM blank) OR id = 1) ORDER BY id";
        assertThat(sql.rows(query)).isEmpty();
        assertThat(SqlCluster.rows(plain, query)).isEmpty();
    }

    @Test
    void aJoinWithAnAggregateOfNothingKeepsItsRows() throws SQLException {
        String query = "SELECT t.id FROM t CROSS JOIN (SELECT COUNT(*) AS n FROM t WHERE a > 5 AND a < 3) ORDER BY id";
        assertThat(sql.rows(query)).containsExactly("0", "1", "2", "3", "4");
        assertThat(SqlCluster.rows(plain, query)).containsExactly("0", "1", "2", "3", "4");
        String unknown = query.replace("a > 5 AND a < 3", "a > 100");
        assertThat(sql.rows(unknown)).containsExactly("0", "1", "2", "3", "4");
        assertThat(SqlCluster.rows(plain, unknown)).containsExactly("0", "1", "2", "3", "4");
    }
}
