package io.sdds.sql.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.sql.SqlCluster;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.TimeZone;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Prepared look-ups by key, which do without the engine, answer as the engine does. */
class KeyReadTest {
    private static SqlCluster sql;
    private static Connection byEngine;

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
        byEngine = sql.connect(";pushdown=false");
        sql.update("CREATE TABLE kinds (id BIGINT PRIMARY KEY, i INTEGER, d DOUBLE, n DECIMAL(12, 3), b BOOLEAN,"
                + " s VARCHAR(20), v VARBINARY, day DATE, clock TIME, moment TIMESTAMP, u UUID)");
        sql.update("INSERT INTO kinds VALUES (1, 7, 2.5, 12.34, TRUE, 'Ann', x'00ff', DATE '2026-01-31',"
                + " TIME '12:34:56.789', TIMESTAMP '2026-01-31 23:59:59.123', '00000000-0000-0001-0000-000000000002'),"
                + " (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)");
        sql.update("CREATE TABLE pairs (a VARCHAR, b INTEGER, x VARCHAR, PRIMARY KEY (a, b)) WITH (kind = 'range')");
        sql.update("INSERT INTO pairs VALUES ('p', 1, 'one'), ('p', 2, 'two'), ('q', 1, 'three')");
        sql.update("CREATE TABLE prices (price DECIMAL(8, 2) PRIMARY KEY, x INTEGER)");
        sql.update("INSERT INTO prices VALUES (1.50, 1)");
    }

    @AfterAll
    static void stop() throws SQLException {
        byEngine.close();
        sql.close();
    }

    private static PreparedStatement prepared(Connection connection, String query, Object... values)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(query);
        for (int k = 0; k < values.length; k++) {
            statement.setObject(k + 1, values[k]);
        }
        return statement;
    }

    private static boolean isKeyRead(Connection connection, String query) throws SQLException {
        try (PreparedStatement ignored = connection.prepareStatement(query)) {
            return SqlCluster.session(connection).schema().planned().read() != null;
        }
    }

    /** What an application can ask about a result, as text. */
    private static List<String> all(Connection connection, String query, Object... values) throws SQLException {
        List<String> all = new ArrayList<>();
        try (PreparedStatement statement = prepared(connection, query, values);
                ResultSet rows = statement.executeQuery()) {
            ResultSetMetaData data = rows.getMetaData();
            for (int k = 1; k <= data.getColumnCount(); k++) {
                all.add(data.getColumnLabel(k) + " " + data.getColumnTypeName(k) + " " + data.getColumnType(k) + " "
                        + data.getPrecision(k) + " " + data.getScale(k) + " " + data.isNullable(k) + " "
                        + data.getColumnClassName(k) + " " + rows.findColumn(data.getColumnLabel(k)));
            }
            all.add("before " + rows.isBeforeFirst() + " " + rows.getRow());
            while (rows.next()) {
                for (int k = 1; k <= data.getColumnCount(); k++) {
                    Object value = rows.getObject(k);
                    all.add(k + " " + (value instanceof byte[] bytes ? List.of(bytes.length, bytes[1]) : value) + " "
                            + (value == null ? "" : value.getClass().getName()) + " " + rows.wasNull() + " "
                            + rows.getString(k) + " " + rows.wasNull());
                }
                all.add("row " + rows.getRow());
            }
            all.add("after " + rows.next());
        }
        return all;
    }

    private static void isAsByEngine(String query, Object... values) throws SQLException {
        assertThat(isKeyRead(sql.connection, query)).as(query).isTrue();
        assertThat(isKeyRead(byEngine, query)).as(query).isFalse();
        assertThat(all(sql.connection, query, values)).as(query).isEqualTo(all(byEngine, query, values));
    }

    @Test
    void rowsAndMetaDataAreThoseOfTheEngine() throws SQLException {
        for (long id = 1; id <= 3; id++) {
            isAsByEngine("SELECT * FROM kinds WHERE id = ?", id);
            isAsByEngine("SELECT s, i AS number, id FROM kinds k WHERE ? = k.id", id);
            isAsByEngine("SELECT k.*, k.i AS again FROM sdds.kinds AS k WHERE (k.\"id\" = ?);", id);
            isAsByEngine("SELECT u FROM kinds WHERE id = ?", id);
        }
        isAsByEngine("SELECT x FROM pairs WHERE b = ? AND a = ?", 2, "p");
        isAsByEngine("SELECT x, a FROM pairs WHERE a = 'p' AND b = ?", 1);
        isAsByEngine("SELECT x, a FROM pairs WHERE a = ? AND b = 1", "none");
        for (long id = 1; id <= 3; id++) {
            isAsByEngine("SELECT i FROM kinds WHERE id = ? AND i = 7", id);
            isAsByEngine("SELECT i FROM kinds WHERE id = ? AND id = 1", id);
        }
        isAsByEngine("SELECT x FROM prices WHERE price = ?", new BigDecimal("1.5"));
        try (PreparedStatement finer =
                prepared(sql.connection, "SELECT x FROM prices WHERE price = ?", new BigDecimal("1.501"))) {
            assertThat(SqlCluster.rows(finer.executeQuery())).isEmpty();
        }
    }

    @Test
    void valuesComeAsTheClassesThatAreAskedFor() throws SQLException {
        try (PreparedStatement statement = prepared(sql.connection, "SELECT * FROM kinds WHERE id = ?", 1);
                ResultSet rows = statement.executeQuery()) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getInt("id")).isEqualTo(1);
            assertThat(rows.getLong("I")).isEqualTo(7);
            assertThat(rows.getDouble(3)).isEqualTo(2.5);
            assertThat(rows.getBigDecimal("n")).isEqualTo("12.340");
            assertThat(rows.getBoolean("b")).isTrue();
            assertThat(rows.getBytes("v")).containsExactly(0, 0xff);
            assertThat(rows.getObject("day", LocalDate.class)).isEqualTo("2026-01-31");
            assertThat(rows.getTime("clock")).hasToString("12:34:56");
            assertThat(rows.getObject("moment", LocalDateTime.class)).isEqualTo("2026-01-31T23:59:59.123");
            Calendar utc = Calendar.getInstance(TimeZone.getTimeZone("UTC"));
            assertThat(rows.getTimestamp("moment", utc).toInstant()).hasToString("2026-01-31T23:59:59.123Z");
            assertThat(rows.getTimestamp("moment")).isEqualTo(Timestamp.valueOf("2026-01-31 23:59:59.123"));
            assertThat(rows.getObject("u", UUID.class)).isEqualTo(new UUID(1, 2));
            assertThatThrownBy(() -> rows.getInt("none")).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> rows.getInt(12)).isInstanceOf(SQLException.class);
            assertThat(rows.getStatement()).isSameAs(statement);
        }
    }

    @Test
    void otherStatementsAreLeftToTheEngine() throws SQLException {
        for (String query : List.of(
                "SELECT i + 1 FROM kinds WHERE id = ?",
                "SELECT i FROM kinds WHERE id = ? AND d = 2.5",
                "SELECT i FROM kinds WHERE id = ? OR id = 1",
                "SELECT i FROM kinds WHERE id > ?",
                "SELECT i FROM kinds WHERE id = ? LIMIT 1",
                "SELECT i FROM kinds WHERE id = ? ORDER BY i",
                "SELECT DISTINCT i FROM kinds WHERE id = ?",
                "SELECT COUNT(*) FROM kinds WHERE id = ?",
                "SELECT k.i FROM kinds k, pairs WHERE k.id = ?",
                "SELECT x FROM pairs WHERE a = ?",
                "SELECT x FROM pairs WHERE a = ? AND b = 1.5",
                "SELECT i FROM (SELECT * FROM kinds) AS k WHERE id = ?")) {
            assertThat(isKeyRead(sql.connection, query)).as(query).isFalse();
        }
    }

    @Test
    void aResultEndsWithItsStatementItsNextRunAndItsConnection() throws SQLException {
        String query = "SELECT i FROM kinds WHERE id = ?";
        Connection connection = sql.connect("");
        PreparedStatement statement = prepared(connection, query, 1);
        ResultSet first = statement.executeQuery();
        ResultSet second = statement.executeQuery();
        assertThat(first.isClosed()).isTrue();
        assertThat(second.isClosed()).isFalse();
        statement.close();
        assertThat(second.isClosed()).isTrue();
        assertThatThrownBy(second::next).isInstanceOf(SQLException.class);
        assertThatThrownBy(statement::executeQuery).isInstanceOf(SQLException.class);
        ResultSet third = prepared(connection, query, 1).executeQuery();
        connection.close();
        assertThat(third.isClosed()).isTrue();
        assertThatThrownBy(third::next).isInstanceOf(SQLException.class);
    }

    @Test
    void aStatementTellsItsResultInAllWays() throws SQLException {
        try (PreparedStatement statement = prepared(sql.connection, "SELECT i FROM kinds WHERE id = ?", 1)) {
            assertThat(statement.getResultSet()).isNull();
            assertThat(statement.execute()).isTrue();
            assertThat(statement.getUpdateCount()).isEqualTo(-1);
            assertThat(SqlCluster.rows(statement.getResultSet())).containsExactly("7");
            assertThat(statement.getMoreResults()).isFalse();
            assertThat(statement.getResultSet()).isNull();
            assertThat(statement.getLargeUpdateCount()).isEqualTo(-1);
            assertThatThrownBy(statement::executeUpdate).hasMessageContaining("use executeQuery");
            statement.setMaxRows(1);
            try (ResultSet rows = statement.executeQuery()) {
                assertThat(SqlCluster.rows(rows)).containsExactly("7");
            }
            statement.closeOnCompletion();
            statement.executeQuery().close();
            assertThat(statement.isClosed()).isTrue();
        }
    }

    @Test
    void parametersAreCheckedAndNullFindsNothing() throws SQLException {
        try (PreparedStatement statement = sql.connection.prepareStatement("SELECT i FROM kinds WHERE id = ?")) {
            assertThatThrownBy(statement::executeQuery)
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("07001"));
            statement.setObject(1, null);
            assertThat(SqlCluster.rows(statement.executeQuery())).isEmpty();
            statement.setString(1, "1");
            assertThat(SqlCluster.rows(statement.executeQuery())).containsExactly("7");
            assertThat(statement.getParameterMetaData().getParameterTypeName(1)).isEqualTo("BIGINT");
        }
    }

    @Test
    void aCancelAndAChangeOfTheTableAreHeardOf() throws SQLException {
        sql.update("CREATE TABLE changed (id BIGINT PRIMARY KEY, a INTEGER)");
        sql.update("INSERT INTO changed VALUES (1, 10)");
        try (PreparedStatement query = prepared(sql.connection, "SELECT * FROM changed WHERE id = ?", 1);
                Statement other = sql.connection.createStatement()) {
            assertThat(SqlCluster.rows(query.executeQuery())).containsExactly("1, 10");
            other.executeUpdate("ALTER TABLE changed ADD COLUMN b VARCHAR DEFAULT 'x'");
            assertThat(SqlCluster.rows(query.executeQuery())).containsExactly("1, 10, x");
            other.executeUpdate("DROP TABLE changed");
            other.executeUpdate("CREATE TABLE changed (id BIGINT PRIMARY KEY, c VARCHAR)");
            other.executeUpdate("INSERT INTO changed VALUES (1, 'new')");
            assertThat(SqlCluster.rows(query.executeQuery())).containsExactly("1, new");
            sql.cluster.client().dropTable("changed");
            assertThatThrownBy(query::executeQuery).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void anUpdateByKeyShipsTheSameTextForAllKeys() throws SQLException {
        String plan = String.join("\n", sql.rows("EXPLAIN PLAN FOR UPDATE kinds SET i = i + 1 WHERE id = 1 AND i = 7"));
        assertThat(plan).contains("where=[(\"i\" = 7)]");
        plan = String.join("\n", sql.rows("EXPLAIN PLAN FOR DELETE FROM kinds WHERE id = 1"));
        assertThat(plan).contains("keys=").doesNotContain("where=");
        assertThat(sql.update("UPDATE pairs SET x = 'no' WHERE a = 'p' AND b = 1 AND b = 2"))
                .isZero();
        assertThat(sql.update("DELETE FROM pairs WHERE a = 'p' AND a = 'q' AND b = 1"))
                .isZero();
    }
}
