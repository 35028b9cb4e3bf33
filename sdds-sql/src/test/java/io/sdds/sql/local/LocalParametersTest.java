package io.sdds.sql.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sql.SqlCluster;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
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
        String rows = rows(sql.connection, query, parameters);
        assertThat(rows(withoutPushdown, query, parameters)).as(query).isEqualTo(rows);
        return rows;
    }

    private static String rows(Connection connection, String query, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            for (int k = 0; k < parameters.length; k++) {
                statement.setObject(k + 1, parameters[k]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                return String.join("; ", SqlCluster.rows(rows));
            }
        }
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
}
