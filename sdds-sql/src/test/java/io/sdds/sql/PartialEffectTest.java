package io.sdds.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Statements of many rows that fail midway say what took effect. */
class PartialEffectTest {
    private static final int ROWS = 3_000;

    private static SqlCluster sql;

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
        sql.update("CREATE TABLE source (id INTEGER PRIMARY KEY, n INTEGER, s VARCHAR)");
        sql.update("CREATE TABLE target (id INTEGER PRIMARY KEY, n INTEGER, s VARCHAR(4))");
        StringBuilder rows = new StringBuilder("INSERT INTO source VALUES (0, 0, '0')");
        for (int k = 1; k < ROWS; k++) {
            rows.append(", (")
                    .append(k)
                    .append(", ")
                    .append(k)
                    .append(", '")
                    .append(k)
                    .append("')");
        }
        sql.update(rows.toString());
    }

    @AfterAll
    static void stop() throws SQLException {
        sql.close();
    }

    @BeforeEach
    void empty() throws SQLException {
        sql.update("DELETE FROM target");
    }

    private static String endOfFailure(String statement, String state) {
        SQLException failure = catchThrowableOfType(SQLException.class, () -> sql.update(statement));
        assertThat(failure.getSQLState()).as(failure.getMessage()).isEqualTo(state);
        return failure.getMessage().substring(failure.getMessage().lastIndexOf("; "));
    }

    private static String count(String condition) throws SQLException {
        return sql.rows("SELECT COUNT(*) FROM target WHERE " + condition).get(0);
    }

    @Test
    void anInsertOfAQuery() throws SQLException {
        sql.update("INSERT INTO target VALUES (1500, -1, 'old')");
        String end = endOfFailure("INSERT INTO target SELECT * FROM source", "23505");
        assertThat(end).isEqualTo("; " + count("n >= 0") + " rows were written");
        assertThat(sql.rows("SELECT s FROM target WHERE id = 1500")).containsExactly("old");
    }

    @Test
    void anInsertOfAValueThatDoesNotFit() throws SQLException {
        String end = endOfFailure(
                "INSERT INTO target SELECT id, n, CASE WHEN id = 700 THEN 'longer' ELSE s END FROM source", "22000");
        assertThat(end).isEqualTo("; " + count("n >= 0") + " rows were written");
        assertThat(count("id = 700")).isEqualTo("0");
    }

    @Test
    void anUpdateThatTheClientComputes() throws SQLException {
        sql.update("INSERT INTO target SELECT * FROM source");
        String end = endOfFailure(
                "UPDATE target SET s = REPLACE(CASE WHEN id = 700 THEN 'longer' ELSE '' END || 'new', 'w', 'w')",
                "22000");
        assertThat(end).isEqualTo("; " + count("s = 'new'") + " rows were written");
    }

    @Test
    void anUpdateThatBricksCompute() throws SQLException {
        sql.update("INSERT INTO target SELECT * FROM source");
        String update = "UPDATE target SET n = 2147483647 - 700 + n + 1 - 1, s = 'new' WHERE id >= 0";
        assertThat(sql.rows("EXPLAIN PLAN FOR " + update).get(0)).contains("by=[bricks]");
        String end = endOfFailure(update, "22003");
        assertThat(end).isEqualTo("; " + count("s = 'new'") + " rows were written");
    }
}
