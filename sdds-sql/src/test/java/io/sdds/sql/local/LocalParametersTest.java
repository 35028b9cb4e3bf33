package io.sdds.sql.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sql.SqlCluster;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Parameters of statements that the database at the client evaluates. */
class LocalParametersTest {
    private static SqlCluster sql;
    private static Connection withoutPushdown;

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
        withoutPushdown = sql.connect(";pushdown=false");
        sql.update("CREATE TABLE goods (id INTEGER PRIMARY KEY, price DECIMAL(8, 2), name VARCHAR)");
        sql.update("INSERT INTO goods VALUES (1, 1.50, 'tea'), (2, 2.00, NULL)");
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
    void aDecimalWithMoreDigitsThanItsColumnIsEqualToNoValue() throws SQLException {
        String query = "SELECT id FROM goods WHERE price = ? ORDER BY id";
        assertThat(rows(query, new BigDecimal("1.501"))).isEmpty();
        assertThat(rows(query, new BigDecimal("1.5"))).isEqualTo("1");
        assertThat(rows("SELECT id FROM goods WHERE price < ? ORDER BY id", new BigDecimal("1.501")))
                .isEqualTo("1");
    }

    @Test
    void aWindowSeesTheRowsThatAParameterLeaves() throws SQLException {
        String query = "SELECT 8 FROM (SELECT SUM(id) OVER (PARTITION BY '10') AS c FROM (VALUES (1), (2)) AS v (id)"
                + " WHERE CAST(? AS TIMESTAMP) <> TIMESTAMP '1999-01-01 00:00:00') AS w";
        assertThat(rows(query, LocalDateTime.parse("2023-12-31T09:30:00"))).isEqualTo("8; 8");
        assertThat(rows(query, LocalDateTime.parse("1999-01-01T00:00:00"))).isEmpty();
    }

    @Test
    void aParameterOfWhichNothingIsKnownHasTheTypeOfItsValue() throws SQLException {
        assertThat(rows("SELECT COALESCE(name, ?) FROM goods ORDER BY id", "none"))
                .isEqualTo("tea; none");
        assertThat(rows("SELECT CAST(NULLIF(10, ?) AS INTEGER) FROM goods WHERE id = 1", 10))
                .isEqualTo("null");
        assertThat(rows("SELECT ? AS given FROM goods WHERE id = 1", "x")).isEqualTo("x");
        assertThat(rows("SELECT name || ? FROM goods WHERE id = 1", "!")).isEqualTo("tea!");
    }

    @Test
    void parametersAreThoseOfTheirPlacesInCase() throws SQLException {
        assertThat(rows(
                        "SELECT CASE WHEN id > 5 THEN 'x' WHEN id < ? THEN CAST(? AS VARCHAR) ELSE name END"
                                + " FROM goods ORDER BY id",
                        2,
                        "007"))
                .isEqualTo("007; null");
    }

    @Test
    void aTimeOfADayIsEqualToNoDateAndIsWrittenAsItsDay() throws SQLException {
        LocalDateTime noon = LocalDateTime.parse("2024-01-01T12:00:00");
        sql.update("CREATE TABLE days (k DATE PRIMARY KEY, v DATE)");
        sql.update("INSERT INTO days VALUES (DATE '2024-01-01', DATE '2020-02-02')");
        assertThat(rows("SELECT v FROM days WHERE k = ?", noon)).isEmpty();
        assertThat(rows("SELECT v FROM days WHERE k = ? AND v IS NOT NULL", noon))
                .isEmpty();
        assertThat(rows("SELECT v FROM days WHERE k < ?", noon)).isEqualTo("2020-02-02");
        assertThat(written(sql.connection, "UPDATE days SET v = ? WHERE k = DATE '2024-01-01'", noon))
                .isEqualTo(1);
        assertThat(rows("SELECT v FROM days")).isEqualTo("2024-01-01");
        for (Connection connection : List.of(sql.connection, withoutPushdown)) {
            assertThat(written(connection, "UPDATE days SET v = ? WHERE v IS NOT NULL", noon))
                    .isEqualTo(1);
            assertThat(written(connection, "UPSERT INTO days VALUES (?, NULL)", noon.plusDays(1)))
                    .isEqualTo(1);
            assertThat(written(connection, "DELETE FROM days WHERE k = ?", noon))
                    .isZero();
        }
        assertThat(rows("SELECT k, v FROM days ORDER BY k")).isEqualTo("2024-01-01, 2024-01-01; 2024-01-02, null");
    }

    private static int written(Connection connection, String change, Object parameter) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(change)) {
            statement.setObject(1, parameter);
            return statement.executeUpdate();
        }
    }
}
