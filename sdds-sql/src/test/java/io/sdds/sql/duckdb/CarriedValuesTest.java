package io.sdds.sql.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sql.SqlCluster;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Values that the database at the client reads are those that the bricks have. */
class CarriedValuesTest {
    private static final String COLUMNS =
            "id INTEGER PRIMARY KEY, b BOOLEAN, i INTEGER, l BIGINT, d DOUBLE, c1 DECIMAL(1, 0), c4 DECIMAL(4, 4), c15"
                + " DECIMAL(15, 2), c18 DECIMAL(18, 0), f18 DECIMAL(18, 18), c19 DECIMAL(19, 2), c38 DECIMAL(38, 10),"
                + " v VARCHAR, born DATE, clock TIME, happened TIMESTAMP, u UUID, x VARBINARY";

    private static final List<String> ROWS = List.of(
            "1, TRUE, 2147483647, 9223372036854775807, 1.5E300, 9, 0.9999, 9999999999999.99, 999999999999999999,"
                + " 0.999999999999999999, 99999999999999999.99, 9999999999999999999999999999.9999999999, 'Zürich 😀',"
                + " DATE '9999-12-31', TIME '23:59:59.999', TIMESTAMP '9999-12-31 23:59:59.999',"
                + " CAST('ffffffff-ffff-ffff-ffff-fffffffffff0' AS UUID), X'00ff'",
            "2, FALSE, -2147483648, -9223372036854775808, -1.5E-300, -9, -0.9999, -9999999999999.99,"
                    + " -999999999999999999, -0.999999999999999999, -99999999999999999.99,"
                    + " -9999999999999999999999999999.9999999999, '', DATE '0001-01-01', TIME '00:00:00', TIMESTAMP"
                    + " '0001-01-01 00:00:00.001', CAST('01234567-89ab-cdef-fedc-ba9876543210' AS UUID), X''",
            "3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL",
            "4, FALSE, 0, 0, 0, 0, 0, 0.01, -1, 0.000000000000000001, 0, -0.0000000001, 'x', DATE '1969-12-31', TIME"
                + " '12:00:00.001', TIMESTAMP '1969-12-31 23:59:59.999', CAST('00000000-0000-0000-0000-000000000000'"
                + " AS UUID), X'0123456789abcdef'");

    private static SqlCluster sql;

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
        sql.update("CREATE TABLE kinds (" + COLUMNS + ")");
        for (String row : ROWS) {
            sql.update("INSERT INTO kinds VALUES (" + row + ")");
        }
    }

    @AfterAll
    static void stop() throws SQLException {
        sql.close();
    }

    private static List<String> local(String query) throws SQLException {
        assertThat(sql.rows("EXPLAIN PLAN FOR " + query).toString()).contains("SddsRows");
        return sql.rows(query);
    }

    @Test
    void eachValueIsTheOneThatBricksHave() throws SQLException {
        try (PreparedStatement all = sql.connection.prepareStatement("SELECT * FROM kinds ORDER BY id");
                ResultSet expected = all.executeQuery();
                PreparedStatement joined = sql.connection.prepareStatement(
                        "SELECT mine.* FROM kinds AS mine JOIN kinds AS others ON mine.id + 0 = others.id ORDER BY"
                                + " mine.id");
                ResultSet found = joined.executeQuery()) {
            assertEqual(found, expected);
        }
        assertThat(sql.rows("SELECT COUNT(*) FROM kinds AS mine JOIN kinds AS others ON mine.u = others.u AND"
                        + " mine.c18 = others.c18 AND mine.born = others.born AND mine.happened ="
                        + " others.happened AND mine.x = others.x"))
                .containsExactly("3");
    }

    private static void assertEqual(ResultSet found, ResultSet expected) throws SQLException {
        int columns = expected.getMetaData().getColumnCount();
        while (expected.next()) {
            assertThat(found.next()).isTrue();
            for (int k = 1; k <= columns; k++) {
                String name = expected.getInt(1) + ": "
                        + expected.getMetaData().getColumnName(k).toLowerCase(Locale.ROOT);
                assertThat(found.getString(k)).as(name).isEqualTo(expected.getString(k));
                assertThat(found.getObject(k)).as(name).isEqualTo(expected.getObject(k));
            }
        }
        assertThat(found.next()).isFalse();
    }

    @Test
    void moreRowsThanAVectorHasRoomForAndNoneOfTheirColumns() throws SQLException {
        sql.update("CREATE TABLE many (id INTEGER PRIMARY KEY, g INTEGER, v VARCHAR)");
        try (PreparedStatement insert = sql.connection.prepareStatement("INSERT INTO many VALUES (?, ?, ?)")) {
            for (int k : IntStream.range(0, 5_000).toArray()) {
                insert.setInt(1, k);
                insert.setInt(2, k % 10);
                insert.setString(3, k % 3 == 0 ? null : "é".repeat(k % 40));
                insert.addBatch();
            }
            insert.executeBatch();
        }
        assertThat(local("SELECT COUNT(*), COUNT(mine.v), SUM(CHAR_LENGTH(mine.v)) FROM many AS mine JOIN many AS"
                        + " others ON mine.id + 1 = others.id + 1"))
                .containsExactly("5000, 3333, "
                        + IntStream.range(0, 5_000)
                                .filter(k -> k % 3 != 0)
                                .map(k -> k % 40)
                                .sum());
        assertThat(local("SELECT COUNT(*) FROM many, kinds")).containsExactly("20000");
    }
}
