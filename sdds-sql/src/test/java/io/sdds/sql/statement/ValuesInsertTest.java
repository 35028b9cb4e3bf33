package io.sdds.sql.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sdds.sql.SqlCluster;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.apache.calcite.runtime.Hook;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** INSERT and UPSERT of rows of constants and parameters. */
class ValuesInsertTest {
    private static SqlCluster sql;

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
        sql.update("CREATE TABLE kinds (id INTEGER PRIMARY KEY, b BOOLEAN, l BIGINT, d DOUBLE, c DECIMAL(8,2),"
                + " v VARCHAR(9), born DATE, clock TIME, happened TIMESTAMP, u UUID, x VARBINARY)");
        sql.update("CREATE TABLE wide (id INTEGER PRIMARY KEY, name VARCHAR, d DOUBLE, born DATE)");
        sql.update("CREATE TABLE short (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, s VARCHAR DEFAULT 'new')");
    }

    @AfterAll
    static void stop() throws SQLException {
        sql.close();
    }

    private static SQLException failure(String statement) {
        return catchThrowableOfType(SQLException.class, () -> sql.update(statement));
    }

    private static String rows(int count, IntFunction<String> row) {
        StringJoiner rows = new StringJoiner(", ");
        for (int k = 0; k < count; k++) {
            rows.add(row.apply(k));
        }
        return rows.toString();
    }

    // ---- values

    @Test
    void numbersOfDifferentKindsBecomeTheTypeOfTheirColumn() throws SQLException {
        assertThat(sql.update("INSERT INTO kinds (id, d, l, c) VALUES (1, 1, 1e2, 7), (2, 2.5, 2.5, 1e1),"
                        + " (3, 1e3, -3, '2.755'), (4, '4.5', '17', -0.005)"))
                .isEqualTo(4);
        assertThat(sql.rows("SELECT id, d, l, c FROM kinds WHERE id < 5 ORDER BY id"))
                .containsExactly("1, 1.0, 100, 7.00", "2, 2.5, 3, 10.00", "3, 1000.0, -3, 2.76", "4, 4.5, 17, -0.01");
    }

    @Test
    void numbersOfDifferentKindsAreComparedInQueries() throws SQLException {
        assertThat(sql.rows("SELECT * FROM (VALUES (1), (2.5), (1e3)) AS t(a) ORDER BY a"))
                .containsExactly("1.0", "2.5", "1000.0");
        sql.update("INSERT INTO kinds (id, d) VALUES (5, 5 + 0), (6, 6.5), (7, 7e0)");
        assertThat(sql.rows("SELECT id FROM kinds WHERE d IN (5, 6.5, 7e0) ORDER BY id"))
                .containsExactly("5", "6", "7");
    }

    @Test
    void constantsOfAllTypesAreAsTheEngineHasThem() throws SQLException {
        sql.update("UPSERT INTO kinds VALUES (8, TRUE, 9223372036854775807, -0.5, 12.5, 'a''b', DATE '1286-01-01',"
                + " TIME '23:59:59', TIMESTAMP '2026-03-29 02:30:00.125',"
                + " UUID '00112233-4455-6677-8899-aabbccddeeff', X'00ff')");
        sql.update("UPSERT INTO kinds VALUES (9, UNKNOWN, NULL, '-0.5', DEFAULT, 'ü', '1286-01-01', '23:59:59',"
                + " '2026-03-29 02:30:00.125', '00112233-4455-6677-8899-aabbccddeeff', X'')");
        List<String> eight = sql.rows("SELECT b, l, d, c, v, CAST(born AS VARCHAR), CAST(clock AS VARCHAR),"
                + " CAST(happened AS VARCHAR), u, CAST(x AS VARCHAR) FROM kinds WHERE id IN (8, 9) ORDER BY id");
        assertThat(eight)
                .containsExactly(
                        "true, 9223372036854775807, -0.5, 12.50, a'b, 1286-01-01, 23:59:59, 2026-03-29 02:30:00.125,"
                                + " 00112233-4455-6677-8899-aabbccddeeff, 00ff",
                        "null, null, -0.5, null, ü, 1286-01-01, 23:59:59, 2026-03-29 02:30:00.125,"
                                + " 00112233-4455-6677-8899-aabbccddeeff, ");
    }

    @Test
    void columnsThatAreNotNamedHaveTheirDefault() throws SQLException {
        assertThat(sql.update("INSERT INTO SDDS.Short (N, ID) VALUES (10, 1), (20, 2)"))
                .isEqualTo(2);
        assertThat(sql.update("INSERT INTO short VALUES (3, 30), (4, 40)")).isEqualTo(2);
        assertThat(sql.update("INSERT INTO short VALUES (5, 50, DEFAULT), (6, 60, NULL)"))
                .isEqualTo(2);
        assertThat(sql.rows("SELECT * FROM short ORDER BY id"))
                .containsExactly("1, 10, new", "2, 20, new", "3, 30, new", "4, 40, new", "5, 50, new", "6, 60, null");
        sql.update("DELETE FROM short");
    }

    @Test
    void parametersHaveTheTypesOfTheirColumns() throws SQLException {
        try (PreparedStatement insert = sql.connection.prepareStatement(
                "INSERT INTO kinds (born, id, v, d) VALUES (?, ?, 'x', 1), (DATE '2020-02-29', ?, ?, 2.5)")) {
            assertThat(insert.getParameterMetaData().getParameterCount()).isEqualTo(4);
            assertThat(insert.getParameterMetaData().getParameterType(1)).isEqualTo(Types.DATE);
            assertThat(insert.getParameterMetaData().getParameterType(4)).isEqualTo(Types.VARCHAR);
            insert.setObject(1, LocalDate.of(1999, 12, 31));
            insert.setInt(2, 20);
            insert.setString(3, "21");
            insert.setString(4, null);
            assertThat(insert.executeUpdate()).isEqualTo(2);
        }
        assertThat(sql.rows("SELECT id, CAST(born AS VARCHAR), v, d FROM kinds WHERE id IN (20, 21) ORDER BY id"))
                .containsExactly("20, 1999-12-31, x, 1.0", "21, 2020-02-29, null, 2.5");
    }

    // ---- how it runs

    @Test
    void noCodeIsGenerated() throws SQLException {
        List<Object> code = new ArrayList<>();
        Consumer<Object> generated = code::add;
        try (Hook.Closeable ignored = Hook.JAVA_PLAN.addThread(generated)) {
            sql.update("INSERT INTO wide VALUES (-1, 'x', -1.5, NULL), (-2, 'y', 2, DATE '2020-02-29')");
        }
        assertThat(code).isEmpty();
        assertThat(sql.rows("EXPLAIN PLAN FOR UPSERT INTO wide VALUES (1, 'x', 1, NULL), (2, 'y', 2, NULL)"))
                .containsExactly("SddsInsert(table=[wide], operation=[UPSERT], rows=[2])\n");
    }

    @Test
    void aStatementMayHaveManyRows() throws SQLException {
        int count = 20_000;
        String statement = "UPSERT INTO wide VALUES " + rows(count, k -> "(" + k + ", 'name', -" + k + ".5, NULL)");
        assertThat(sql.update(statement)).isEqualTo(count);
        assertThat(sql.rows("SELECT COUNT(*), SUM(CAST(id AS BIGINT)) FROM wide WHERE id >= 0"))
                .containsExactly("20000, 199990000");
    }

    @Test
    void aQueryMayHaveManyConstants() throws SQLException {
        sql.update("UPSERT INTO wide VALUES (-7, 'name 6', 6, NULL), (-8, 'name 20000', 7, DATE '2020-02-29')");
        String list = rows(10_000, k -> "'name " + 2 * k + "'");
        assertThat(sql.rows("SELECT id FROM wide WHERE id < 0 AND name IN (" + list + ")"))
                .containsExactly("-7");
        String values = rows(
                3_000,
                k -> "(" + k + ", 'x" + k + "', " + k + ".50, " + k + "e0, X'0a', TRUE, DATE '2020-02-29', NULL,"
                        + " TIMESTAMP '2020-02-29 12:00:00')");
        assertThat(sql.rows("SELECT a, b, c, d, CAST(e AS VARCHAR), f, CAST(g AS VARCHAR), h, CAST(i AS VARCHAR)"
                        + " FROM (VALUES " + values + ") AS t(a, b, c, d, e, f, g, h, i) WHERE a = 2999 OR c = 7.5"
                        + " ORDER BY a"))
                .containsExactly(
                        "7, x7, 7.50, 7.0, 0a, true, 2020-02-29, null, 2020-02-29 12:00:00",
                        "2999, x2999, 2999.50, 2999.0, 0a, true, 2020-02-29, null, 2020-02-29 12:00:00");
    }

    @Test
    void theLastRowOfAKeyStays() throws SQLException {
        assertThat(sql.update("UPSERT INTO short VALUES " + rows(2_000, k -> "(" + k % 2 + ", " + k + ")")))
                .isEqualTo(2_000);
        assertThat(sql.rows("SELECT * FROM short ORDER BY id")).containsExactly("0, 1998, new", "1, 1999, new");
        sql.update("DELETE FROM short");
    }

    // ---- errors

    @Test
    void valuesThatDoNotFitAreFoundBeforeAnyRowIsWritten() throws SQLException {
        assertThat(failure("INSERT INTO short VALUES (1, 1),\n (2, 3000000000)").getMessage())
                .isEqualTo("line 2, column 6: column 'n' has no room for 3000000000");
        assertThat(failure("INSERT INTO short VALUES (1, 1), (2, NULL)").getMessage())
                .isEqualTo("line 1, column 38: column 'n' takes no NULL");
        assertThat(failure("INSERT INTO short VALUES (1, 1), (DEFAULT, 2)").getSQLState())
                .isEqualTo("23502");
        assertThat(failure("INSERT INTO short (id) VALUES (1)").getSQLState()).isEqualTo("23502");
        assertThat(failure("INSERT INTO short VALUES (1, 'x')").getMessage())
                .isEqualTo("'x' is no number; 0 rows were written");
        assertThat(sql.rows("SELECT COUNT(*) FROM short")).containsExactly("0");
    }

    @Test
    void aRowThatFailsMidwaySaysWhatTookEffect() throws SQLException {
        sql.update("INSERT INTO short VALUES (2999, 1)");
        SQLException failure = failure("INSERT INTO short VALUES " + rows(5_000, k -> "(" + k + ", 1)"));
        assertThat(failure.getSQLState()).isEqualTo("23505");
        assertThat(failure.getMessage()).startsWith("duplicate key (2999) in table short; ");
        List<String> count = sql.rows("SELECT COUNT(*) - 1 FROM short");
        assertThat(failure.getMessage()).endsWith("; " + count.get(0) + " rows were written");
        sql.update("DELETE FROM short");
    }

    @Test
    void statementsThatAreTooLargeAreRefused() {
        SQLException computed = failure("INSERT INTO short VALUES " + rows(10_001, k -> "(" + k + ", 1 + 1)"));
        assertThat(computed.getSQLState()).isEqualTo("54000");
        assertThat(computed.getMessage())
                .isEqualTo("line 1, column 26: more than 10000 rows of VALUES may have only constants of the types of"
                        + " their columns, and parameters; there are 10001 rows");
        SQLException longer = failure("INSERT INTO short VALUES (1, 1, '" + "x".repeat(16 << 20) + "')");
        assertThat(longer.getSQLState()).isEqualTo("54000");
        assertThat(longer.getMessage()).contains(" is longer than 16777216: ");
    }
}
