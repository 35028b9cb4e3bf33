package io.sdds.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What SQL on Calcite gets wrong by default; {@code StatementsTest} has the other traps. */
class SqlTrapsTest {
    private static SqlCluster sql;

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
    }

    @AfterAll
    static void stop() throws SQLException {
        sql.close();
    }

    @Test
    void averageOfIntegersIsADecimalWithAndWithoutPushdown() throws SQLException {
        sql.update("CREATE TABLE averages (id INTEGER PRIMARY KEY, n INTEGER)");
        sql.update("INSERT INTO averages VALUES (1, 1), (2, 2), (3, NULL)");
        try (Connection plain = sql.connect(";pushdown=false")) {
            for (Connection connection : new Connection[] {sql.connection, plain}) {
                try (Statement statement = connection.createStatement();
                        ResultSet rows = statement.executeQuery("SELECT AVG(n) FROM averages")) {
                    assertThat(rows.getMetaData().getColumnType(1)).isEqualTo(Types.DECIMAL);
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getBigDecimal(1)).isEqualByComparingTo(new BigDecimal("1.5"));
                }
            }
        }
    }

    @Test
    void sumOfDoublesIsTheSameButForItsLastDigits() throws SQLException {
        sql.update("CREATE TABLE doubles (id INTEGER PRIMARY KEY, d DOUBLE)");
        sql.update("INSERT INTO doubles VALUES (1, 1e16), (2, 1e0), (3, 1e0)");
        try (Connection plain = sql.connect(";pushdown=false")) {
            for (Connection connection : new Connection[] {sql.connection, plain}) {
                String sum = SqlCluster.rows(connection, "SELECT SUM(d) FROM doubles")
                        .get(0);
                assertThat(Double.parseDouble(sum)).isBetween(1e16, 1e16 + 2);
            }
        }
    }

    /** Programs of bricks number groups and columns of results. */
    @Test
    void columnsMayHaveTheNamesOfNumberedOnes() throws SQLException {
        sql.update("CREATE TABLE numbered (id INTEGER PRIMARY KEY, a INTEGER, g0 INTEGER, c0 INTEGER, c1 INTEGER)");
        sql.update("INSERT INTO numbered VALUES (1, 10, 20, 31, 41), (2, 11, 21, 30, 42), (3, 10, 20, 32, 40)");
        assertThat(sql.rows("SELECT a, g0, COUNT(*) FROM numbered GROUP BY a, g0 ORDER BY a"))
                .containsExactly("10, 20, 2", "11, 21, 1");
        assertThat(sql.rows("SELECT c1, c0 FROM numbered ORDER BY c1 LIMIT 2")).containsExactly("40, 32", "41, 31");
        assertThat(sql.rows("SELECT c1, c0, a FROM numbered ORDER BY c0 LIMIT 2"))
                .containsExactly("42, 30, 11", "41, 31, 10");
    }

    @Test
    void timestampsHaveNoZone() throws SQLException {
        // 2:30 is skipped in many zones of Europe on that day
        sql.update("CREATE TABLE times (id INTEGER PRIMARY KEY, happened TIMESTAMP)");
        sql.update("INSERT INTO times VALUES (1, TIMESTAMP '2026-03-29 02:30:00')");
        try (PreparedStatement insert = sql.connection.prepareStatement("INSERT INTO times VALUES (2, ?)")) {
            insert.setTimestamp(1, Timestamp.valueOf("2026-07-01 12:00:00"));
            insert.executeUpdate();
        }
        assertThat(sql.rows("SELECT CAST(happened AS VARCHAR) FROM times ORDER BY id"))
                .containsExactly("2026-03-29 02:30:00", "2026-07-01 12:00:00");
        assertThat(sql.rows("SELECT id FROM times WHERE happened = TIMESTAMP '2026-03-29 02:30:00'"))
                .containsExactly("1");
    }

    /** Another connection may plan with the schema before until its client hears of the change. */
    @Test
    void statementsOfOneTextArePlannedAnewWhenTheSchemaHasChanged() throws SQLException {
        sql.update("CREATE TABLE changing (id INTEGER PRIMARY KEY, a INTEGER, b VARCHAR)");
        sql.update("INSERT INTO changing VALUES (1, 7, 'seven')");
        assertThat(sql.rows("SELECT * FROM changing")).containsExactly("1, 7, seven");
        assertThat(sql.rows("SELECT b FROM changing")).containsExactly("seven");
        sql.update("ALTER TABLE changing DROP COLUMN a");
        sql.update("ALTER TABLE changing ADD COLUMN a VARCHAR DEFAULT 'new'");
        assertThat(sql.rows("SELECT * FROM changing")).containsExactly("1, seven, new");
        assertThat(sql.rows("SELECT a FROM changing WHERE a = 'new'")).containsExactly("new");
        sql.update("ALTER TABLE changing DROP COLUMN b");
        SQLException gone = catchThrowableOfType(SQLException.class, () -> sql.rows("SELECT b FROM changing"));
        assertThat(gone.getMessage()).contains("'b'");
    }
}
