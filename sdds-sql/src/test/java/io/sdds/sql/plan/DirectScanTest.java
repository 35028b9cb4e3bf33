package io.sdds.sql.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sql.SqlCluster;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.calcite.runtime.Hook;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Statements that run without generated code. */
class DirectScanTest {
    private static SqlCluster sql;

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
        sql.update("CREATE TABLE people (id BIGINT PRIMARY KEY, name VARCHAR, age INTEGER)");
        sql.update("INSERT INTO people VALUES (1, 'Ann', 30), (2, 'Bob', 20), (3, 'Eve', NULL)");
    }

    @AfterAll
    static void stop() throws SQLException {
        sql.close();
    }

    /** The code that is generated for a query. */
    private static List<Object> code(String query) throws SQLException {
        List<Object> code = new ArrayList<>();
        Consumer<Object> generated = code::add;
        try (Hook.Closeable ignored = Hook.JAVA_PLAN.addThread(generated)) {
            sql.rows(query);
        }
        return code;
    }

    @Test
    void aPlanOfOneScanNeedsNoCode() throws SQLException {
        assertThat(code("SELECT COUNT(*) FROM people")).isEmpty();
        assertThat(code("SELECT * FROM people WHERE age > 1 LIMIT 10")).isEmpty();
        assertThat(code("SELECT age, COUNT(*) FROM people GROUP BY age")).isEmpty();
        assertThat(code("SELECT a.name FROM people a, people b WHERE a.id = b.age"))
                .isNotEmpty();
    }

    @Test
    void columnsThatOnlyOrderAreNotInTheResult() throws SQLException {
        assertThat(sql.rows("SELECT name FROM people ORDER BY age DESC NULLS LAST LIMIT 2"))
                .containsExactly("Ann", "Bob");
        assertThat(sql.rows("SELECT name, id FROM people ORDER BY age NULLS FIRST LIMIT 2"))
                .containsExactly("Eve, 3", "Bob, 2");
    }

    @Test
    void aPreparedCountIsThatOfEachRun() throws SQLException {
        sql.update("CREATE TABLE few (id INTEGER PRIMARY KEY)");
        try (PreparedStatement count = sql.connection.prepareStatement("SELECT COUNT(*) AS n FROM few")) {
            assertThat(count(count)).isZero();
            sql.update("INSERT INTO few VALUES (1), (2)");
            assertThat(count(count)).isEqualTo(2);
        }
        assertThat(sql.rows("SELECT COUNT(*) FROM people WHERE age > 25")).containsExactly("1");
        assertThat(sql.rows("SELECT COUNT(age) FROM people")).containsExactly("2");
    }

    private static long count(PreparedStatement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            assertThat(rows.next()).isTrue();
            long count = rows.getLong("n");
            assertThat(rows.next()).isFalse();
            return count;
        }
    }
}
