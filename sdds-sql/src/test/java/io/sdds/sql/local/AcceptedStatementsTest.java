package io.sdds.sql.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.sql.SqlCluster;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Statements that Calcite refuses by itself have PostgreSQL's rows, with and without pushdown. */
class AcceptedStatementsTest {
    private static SqlCluster sql;
    private static Connection withoutPushdown;

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
        withoutPushdown = sql.connect(";pushdown=false");
        sql.update("CREATE TABLE p (id INTEGER PRIMARY KEY, i INTEGER, n DECIMAL(8, 2), s VARCHAR)");
        sql.update("CREATE TABLE q (id INTEGER PRIMARY KEY, i INTEGER, dt DATE, ts TIMESTAMP)");
        sql.update("CREATE TABLE w (id INTEGER PRIMARY KEY, x DECIMAL(12, 10), e DECIMAL(38, 0))");
        sql.update("INSERT INTO w VALUES (1, 1.5, 1E30), (2, 1.75, 1)");
        sql.update("INSERT INTO p VALUES (1, 10, 1.50, 'one'), (2, 20, 2.25, 'two'), (3, NULL, NULL, 'three')");
        sql.update("INSERT INTO q VALUES (1, 10, DATE '2024-03-01', TIMESTAMP '2024-03-01 00:00:00'),"
                + " (2, 30, DATE '2024-03-02', TIMESTAMP '2024-03-01 12:00:00'), (3, 20, NULL, NULL)");
    }

    @AfterAll
    static void stop() throws SQLException {
        withoutPushdown.close();
        sql.close();
    }

    private static String rows(String query, Object... parameters) throws SQLException {
        return String.join("; ", sql.rowsAlsoOf(withoutPushdown, query, parameters));
    }

    @Test
    void aColumnOfUsingStandsWithoutItsTableInConditionsAndFunctions() throws SQLException {
        assertThat(rows("SELECT a.id FROM p a JOIN q b USING (i) WHERE i IN (10, 11) ORDER BY a.id"))
                .isEqualTo("1");
        assertThat(rows("SELECT b.id FROM p a FULL JOIN q b USING (i) WHERE i BETWEEN 15 AND 40 ORDER BY b.id"))
                .isEqualTo("2; 3");
        assertThat(rows("SELECT i + 1 FROM p a RIGHT JOIN q b USING (i) WHERE 30 IN (i, 10) ORDER BY 1"))
                .isEqualTo("31");
        assertThat(rows("SELECT COALESCE(i, 0) AS c, COUNT(*) FROM p a FULL JOIN q b USING (i)"
                        + " GROUP BY i HAVING ABS(COALESCE(i, 5)) < 15 ORDER BY 1"))
                .isEqualTo("0, 1; 10, 1");
        assertThat(rows("SELECT i FROM (SELECT id, i FROM p) a NATURAL JOIN (SELECT id, i FROM q) b"
                        + " WHERE i IN (10, 20) AND EXISTS (SELECT 1 FROM (VALUES (10)) AS v (c) WHERE c = i)"))
                .isEqualTo("10");
    }

    @Test
    void aColumnOfTheOuterQueryStandsInAGroupedSubquery() throws SQLException {
        assertThat(rows("SELECT a.id FROM p a WHERE EXISTS (SELECT a.i AS c FROM q b GROUP BY b.i) ORDER BY 1"))
                .isEqualTo("1; 2; 3");
        assertThat(rows("SELECT a.id FROM p a WHERE a.i IN (SELECT a.i FROM q b GROUP BY b.i HAVING a.n > 2)"))
                .isEqualTo("2");
        assertThat(rows("SELECT a.id FROM p a WHERE a.i IN (SELECT a.i FROM q b WHERE b.i > 25 GROUP BY b.i)"
                        + " ORDER BY 1"))
                .isEqualTo("1; 2");
        assertThat(rows("SELECT (SELECT MAX(b.i) + a.i FROM q b) AS c FROM p a ORDER BY c"))
                .isEqualTo("40; 50; null");
    }

    @Test
    void aWindowStandsInASubqueryOfHaving() throws SQLException {
        assertThat(rows("SELECT i FROM p GROUP BY i HAVING i IN (SELECT MAX(b.i) OVER (ORDER BY b.id) FROM q b)"
                        + " ORDER BY 1"))
                .isEqualTo("10");
    }

    @Test
    void roundedAveragesAndQuotientsStandBesideNumbersWithAFraction() throws SQLException {
        assertThat(rows("SELECT CEIL(AVG(n)) AS c FROM p UNION SELECT n FROM p ORDER BY c"))
                .isEqualTo("1.50; 2.00; 2.25; null");
        assertThat(rows("SELECT ROUND(AVG(i), 0) AS c FROM p UNION SELECT -1.25 ORDER BY c"))
                .isEqualTo("-1.25; 15.00");
        assertThat(rows("SELECT n AS c FROM p UNION SELECT FLOOR(ROUND(SUM(n), 2)) FROM p ORDER BY c"))
                .isEqualTo("1.50; 2.25; 3.00; null");
        assertThat(rows("SELECT COALESCE(NULLIF(FLOOR(ROUND(n / 3, 2)), 0), 0.125) AS c FROM p WHERE id = 1"))
                .isEqualTo("0.125");
        assertThat(rows("SELECT FLOOR(SUM(n) + 1) AS c FROM p UNION SELECT 1.25 ORDER BY c"))
                .isEqualTo("1.25; 4.00");
        assertThat(rows("SELECT FLOOR(x.s) AS c FROM (SELECT SUM(n) AS s FROM p) x UNION SELECT 1.25 ORDER BY c"))
                .isEqualTo("1.25; 3.00");
        assertThat(rows("SELECT FLOOR(SUM(x)) AS c FROM w UNION SELECT 1.25 ORDER BY c"))
                .isEqualTo("1.25; 3.00");
        assertThat(rows("SELECT ROUND(AVG(n), 40) AS c, ROUND(SUM(e), 10) FROM p JOIN w ON p.id = w.id"))
                .startsWith("1.875");
    }

    @Test
    void aNameInOrderByIsTheOneOfTheResultInAnyCase() throws SQLException {
        assertThat(rows("SELECT CEIL(-SUM(id)) AS I, i AS x FROM p GROUP BY i ORDER BY i"))
                .isEqualTo("-3, null; -2, 20; -1, 10");
    }

    @Test
    void aParameterStandsBesideAConditionAUuidOrDatesInACase() throws SQLException {
        assertThat(rows("SELECT id FROM p WHERE COALESCE(i > 15, ?) ORDER BY id", true))
                .isEqualTo("2; 3");
        UUID uuid = UUID.fromString("12345678-1234-5678-0000-000000000001");
        assertThat(rows("SELECT CASE WHEN i > 15 THEN CAST(NULL AS UUID) ELSE ? END FROM p WHERE id < 3", uuid))
                .contains("null", uuid.toString());
        assertThat(rows("SELECT id FROM p WHERE GREATEST(i > 15, ?) = TRUE ORDER BY id", false))
                .isEqualTo("2");
        assertThat(rows(
                        "SELECT id FROM q WHERE (dt IN (TIMESTAMP '2024-03-02 00:00:00', ?)) IN (TRUE) ORDER BY id",
                        Date.valueOf("2024-03-01")))
                .isEqualTo("1; 2");
    }

    @Test
    void aDecimalParameterKeepsItsDigitsBesideANumberWithFewer() throws SQLException {
        assertThat(rows("SELECT CEIL(n) - ? FROM p WHERE id = 2", new BigDecimal("0.75")))
                .isEqualTo("2.25");
        assertThat(rows("SELECT n - ?, n * ? FROM p WHERE id = 1", new BigDecimal("0.125"), new BigDecimal("0.125")))
                .isEqualTo("1.375, 0.18750");
        assertThat(rows("SELECT SUM(n - ?) FROM p", new BigDecimal("0.001"))).isEqualTo("3.748");
        assertThat(rows("SELECT LEAST(FLOOR(n), ?), AVG(i) OVER () FROM p WHERE id = 2", new BigDecimal("1.125")))
                .startsWith("1.125, 20.00");
    }

    @Test
    void anUpdateWithAValueOfAnotherTypeSaysWhich() {
        assertThatThrownBy(() -> sql.update("UPDATE p SET s = 'x', n = (i > 1)"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("Cannot assign to target field 'n' of type DECIMAL(8, 2)")
                .extracting(failure -> ((SQLException) failure).getSQLState())
                .isEqualTo("42000");
    }

    @Test
    void datesStandBesideTimestamps() throws SQLException {
        assertThat(rows("SELECT id FROM q WHERE ts IN (dt, TIMESTAMP '2024-03-01 12:00:00') ORDER BY id"))
                .isEqualTo("1; 2");
        assertThat(rows("SELECT id FROM q WHERE ts BETWEEN dt AND TIMESTAMP '2024-03-05 00:00:00' ORDER BY id"))
                .isEqualTo("1");
        assertThat(rows("SELECT id FROM q WHERE dt BETWEEN TIMESTAMP '2024-03-01 01:00:00' AND dt ORDER BY id"))
                .isEqualTo("2");
    }

    @Test
    void initcapBeginsEachWordWithACapital() throws SQLException {
        assertThat(rows("SELECT INITCAP(s) FROM (VALUES ('hELLO wORLD-wide 2nd éa'), (''), (NULL)) AS v (s)"))
                .isEqualTo("Hello World-Wide 2nd Éa; ; null");
    }

    @Test
    void aWindowOfDistinctOrdersByAColumnThatIsNotSelected() throws SQLException {
        assertThat(rows("SELECT DISTINCT 1 AS c, MAX(10) OVER (ORDER BY a.i) AS d FROM p a ORDER BY 1"))
                .isEqualTo("1, 10");
    }

    @Test
    void anOrderedSubqueryIsAnArgumentOfExtractTrimAndPosition() throws SQLException {
        String first = "(SELECT %s FROM %s ORDER BY id LIMIT 1)";
        assertThat(rows("SELECT EXTRACT(DAY FROM " + first.formatted("dt", "q") + ")"))
                .isEqualTo("1");
        String name = first.formatted("s", "p");
        assertThat(rows("SELECT TRIM(" + name + "), POSITION('n' IN " + name + "), OVERLAY(" + name
                        + " PLACING 'x' FROM 1)"))
                .isEqualTo("one, 2, xne");
    }

    @Test
    void aParameterBesideATextIsATextInTheValueOfAColumn() throws SQLException {
        sql.update("UPSERT INTO p (id, s) VALUES (9, 'B')");
        try (PreparedStatement update =
                sql.connection.prepareStatement("UPDATE p SET s = (LOWER(p.s) || ?) WHERE id = 9")) {
            update.setString(1, "c");
            assertThat(update.executeUpdate()).isEqualTo(1);
        }
        assertThat(rows("SELECT s FROM p WHERE id = 9")).isEqualTo("bc");
        sql.update("DELETE FROM p WHERE id = 9");
    }

    @Test
    void aParameterOfAFunctionOfTextsIsAText() throws SQLException {
        assertThat(rows(
                        "SELECT CONCAT(?, s), REPLACE(s, ?, 'x'), SUBSTRING(? FROM ?) FROM p WHERE id = 1",
                        "a",
                        "o",
                        "bc",
                        2))
                .isEqualTo("aone, xne, c");
        assertThat(rows(
                        "SELECT POSITION(? IN s), OVERLAY(s PLACING ? FROM 1), INITCAP(?) FROM p WHERE id = 1",
                        "n",
                        "x",
                        "up"))
                .isEqualTo("2, xne, Up");
        assertThat(rows(
                        "SELECT id FROM p WHERE CASE WHEN id > 1 THEN REPLACE(s, ?, ?) ELSE UPPER(?) END = 'xwo'",
                        "t",
                        "x",
                        "c"))
                .isEqualTo("2");
    }

    @Test
    void aParameterThatIsShorterThanTheConstantBesideItHasNoBlanks() throws SQLException {
        assertThat(rows("SELECT LEAST('BA', ?) || '%', GREATEST('BA', ?) FROM p WHERE id = 1", "%", "c"))
                .isEqualTo("%%, c");
    }

    @Test
    void aDateParameterOfBetweenStandsBesideTimestamps() throws SQLException {
        Date first = Date.valueOf("2024-03-01");
        assertThat(rows("SELECT id FROM q WHERE ts BETWEEN ? AND TIMESTAMP '2024-03-01 06:00:00' ORDER BY id", first))
                .isEqualTo("1");
        assertThat(rows("SELECT id FROM q WHERE ? BETWEEN dt AND ts ORDER BY id", first))
                .isEqualTo("1");
        assertThat(rows("SELECT id FROM q WHERE dt BETWEEN ? AND ts ORDER BY id", first))
                .isEqualTo("1");
    }

    @Test
    void aListOfParametersStandsInsideCaseAndNullif() throws SQLException {
        assertThat(rows("SELECT CASE WHEN i IN (?, 20) THEN 1 END FROM p ORDER BY id", 10))
                .isEqualTo("1; 1; null");
        assertThat(rows(
                        "SELECT CASE WHEN (CASE WHEN i IN (20, i + 1, ?) THEN 2 END) IN (3, ?) THEN 1 END FROM p ORDER"
                                + " BY id",
                        10,
                        2))
                .isEqualTo("1; 1; null");
        assertThat(rows("SELECT NULLIF(? IN (20, i), TRUE) FROM p ORDER BY id", 10))
                .isEqualTo("null; false; null");
        assertThat(rows("SELECT NULLIF(i IN (?), TRUE) FROM p ORDER BY id", 10)).isEqualTo("null; false; null");
    }

    @Test
    void aLimitMayBeTheLargestNumber() throws SQLException {
        String all = "SELECT id FROM p ORDER BY id LIMIT ";
        assertThat(rows(all + Long.MAX_VALUE)).isEqualTo("1; 2; 3");
        assertThat(rows(all + Long.MAX_VALUE + " OFFSET 1")).isEqualTo("2; 3");
        assertThat(rows(all + "1 OFFSET " + Long.MAX_VALUE)).isEmpty();
        assertThat(rows(all + "?", Long.MAX_VALUE)).isEqualTo("1; 2; 3");
        assertThat(rows(all + "? OFFSET ?", Long.MAX_VALUE, 2L)).isEqualTo("3");
        assertThat(rows(all + "? OFFSET ?", Long.MAX_VALUE, Long.MAX_VALUE)).isEmpty();
        String joined = "SELECT a.id FROM p a JOIN q b USING (id) ORDER BY a.id LIMIT ";
        assertThat(rows(joined + Long.MAX_VALUE + " OFFSET 1")).isEqualTo("2; 3");
        assertThat(rows(joined + "? OFFSET ?", Long.MAX_VALUE, 2L)).isEqualTo("3");
        assertThat(rows(joined + "? OFFSET ?", Long.MAX_VALUE, Long.MAX_VALUE)).isEmpty();
    }
}
