package io.sdds.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
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
    void aNullBesideOneRowOfTheOuterQueryIsNoneBesideTheOthers() throws SQLException {
        String unknown = "(SELECT (SELECT a FROM t WHERE id = 1) FROM t u WHERE t.id > 2)";
        assertThat(ids("b = ALL " + unknown)).containsExactly("0", "1", "2");
        assertThat(ids("b NOT IN " + unknown)).containsExactly("0", "1", "2");
        assertThat(ids("(b >= ANY " + unknown + ") IS NULL")).containsExactly("3", "4");
        assertThat(ids("'x' NOT IN ((SELECT SUBSTRING(CAST(u.b AS VARCHAR) FROM 1 FOR 1) FROM t u ORDER BY 1 LIMIT 3)"
                        + " UNION SELECT CAST(t.b AS VARCHAR))"))
                .containsExactly("0", "1", "2", "3");
    }

    @Test
    void aSubqueryThatNamesTheOuterRowIsComparedInAllWays() throws SQLException {
        String below = "(SELECT u.b FROM t u WHERE u.id < t.id)";
        assertThat(ids("a IN " + below)).containsExactly("3");
        assertThat(ids("a NOT IN " + below)).containsExactly("0", "2", "4");
        assertThat(ids("a > ALL " + below)).containsExactly("0");
        assertThat(ids("a < SOME " + below)).containsExactly("2", "3", "4");
        assertThat(ids("5 = ANY " + below + " AND 9 <> ALL " + below)).containsExactly("1");
        assertThat(ids("id IN (SELECT u.id FROM t u WHERE u.a NOT IN (SELECT v.b FROM t v WHERE v.id < t.id))"))
                .containsExactly("0", "2", "4");
    }

    @Test
    void anAggregateComparedWithASubqueryThatNamesItsGroupIsRefused() {
        for (Connection connection : List.of(sql.connection, plain)) {
            assertThatThrownBy(() -> SqlCluster.rows(
                            connection,
                            "SELECT b FROM t GROUP BY b HAVING COUNT(*) IN (SELECT u.a FROM t u WHERE u.b = t.b)"))
                    .isInstanceOf(SQLFeatureNotSupportedException.class)
                    .hasMessageContaining("IN, ANY or ALL of an aggregate");
        }
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
