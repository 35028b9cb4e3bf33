package io.sdds.sql.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sdds.sql.SqlCluster;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Batches of prepared statements whose keys are known: many requests are under way at a time. */
class BatchTest {
    private static final int RUNS = 5_000;

    private static SqlCluster sql;

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
        sql.update("CREATE TABLE loaded (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, born DATE)");
    }

    @AfterAll
    static void stop() throws SQLException {
        sql.close();
    }

    @BeforeEach
    void empty() throws SQLException {
        sql.update("DELETE FROM loaded");
    }

    private static PreparedStatement prepared(String statement) throws SQLException {
        return sql.connection.prepareStatement(statement);
    }

    /** A batch whose parameters are the number of the run, times the factors. */
    private static int[] executed(String statement, int runs, int... factors) throws SQLException {
        try (PreparedStatement batch = prepared(statement)) {
            for (int run = 0; run < runs; run++) {
                for (int k = 0; k < factors.length; k++) {
                    batch.setInt(k + 1, run * factors[k]);
                }
                batch.addBatch();
            }
            return batch.executeBatch();
        }
    }

    private static int[] times(int count, int value) {
        int[] values = new int[count];
        Arrays.fill(values, value);
        return values;
    }

    @Test
    void eachRunHasItsCount() throws SQLException {
        assertThat(executed("UPSERT INTO loaded VALUES (?, 1, NULL), (?, 2, DATE '2020-01-01')", RUNS, 1, -1))
                .isEqualTo(times(RUNS, 2));
    }

    @Test
    void insertsUpsertsUpdatesAndDeletesByKeyCountTheirRows() throws SQLException {
        assertThat(executed("INSERT INTO loaded (n, id) VALUES (?, ?)", RUNS, 1, 2))
                .isEqualTo(times(RUNS, 1));
        assertThat(executed("UPSERT INTO loaded (n, id) VALUES (?, ?)", RUNS, 3, 2))
                .isEqualTo(times(RUNS, 1));
        // Every other key is there.
        int[] updated = executed("UPDATE loaded SET n = n + 1 WHERE id = ?", RUNS, 1);
        assertThat(updated).startsWith(1, 0, 1, 0);
        assertThat(Arrays.stream(updated).sum()).isEqualTo(RUNS / 2);
        int[] deleted = executed("DELETE FROM loaded WHERE id IN (?, ?) AND n >= 0", RUNS, 4, -1);
        assertThat(deleted).startsWith(1, 1, 1).endsWith(0);
        assertThat(sql.rows("SELECT COUNT(*), SUM(n - id * 3 / 2) FROM loaded"))
                .containsExactly(RUNS / 2 + ", " + RUNS / 4);
    }

    @Test
    void runsOfOneKeyAreInTheirOrder() throws SQLException {
        sql.update("INSERT INTO loaded VALUES (0, 0, NULL)");
        executed("UPDATE loaded SET n = n * 2 - n + ? WHERE id = 0", 1_000, 1);
        assertThat(sql.rows("SELECT n FROM loaded")).containsExactly("499500");
        executed("UPSERT INTO loaded (id, n) VALUES (0, ?)", 1_000, 1);
        assertThat(sql.rows("SELECT n FROM loaded")).containsExactly("999");
    }

    @Test
    void runsThatFailAreMarkedAndOthersAreWritten() throws SQLException {
        sql.update("INSERT INTO loaded VALUES (7, 0, NULL), (9, 0, NULL)");
        try (PreparedStatement insert = prepared("INSERT INTO loaded (id, n) VALUES (?, ?)")) {
            for (int k = 0; k < 20; k++) {
                insert.setInt(1, k);
                insert.setObject(2, k == 3 ? null : k, Types.INTEGER);
                insert.addBatch();
            }
            BatchUpdateException failure = catchThrowableOfType(BatchUpdateException.class, insert::executeBatch);
            int[] expected = times(20, 1);
            expected[3] = Statement.EXECUTE_FAILED;
            expected[7] = Statement.EXECUTE_FAILED;
            expected[9] = Statement.EXECUTE_FAILED;
            assertThat(failure.getUpdateCounts()).isEqualTo(expected);
            assertThat(failure.getSQLState()).isEqualTo("23502");
            assertThat(failure.getMessage())
                    .startsWith("statement 4 of the batch of 20: ")
                    .endsWith("; 0 rows were written; 3 statements failed");
            SQLException second = failure.getNextException();
            assertThat(second.getSQLState()).isEqualTo("23505");
            assertThat(second.getNextException().getMessage()).startsWith("duplicate key (9) ");
        }
        assertThat(sql.rows("SELECT COUNT(*) FROM loaded")).containsExactly("19");
    }

    @Test
    void aRunWithoutAValueFailsByItself() throws SQLException {
        try (PreparedStatement insert = prepared("INSERT INTO loaded (id, n) VALUES (?, ?)")) {
            insert.setInt(1, 1);
            insert.addBatch();
            insert.setInt(2, 1);
            insert.addBatch();
            BatchUpdateException failure = catchThrowableOfType(BatchUpdateException.class, insert::executeBatch);
            assertThat(failure.getUpdateCounts()).containsExactly(Statement.EXECUTE_FAILED, 1);
            assertThat(failure.getSQLState()).isEqualTo("07001");
        }
    }

    @Test
    void aBatchEndsWhenItsTableIsGone() throws SQLException {
        sql.update("CREATE TABLE gone (id INTEGER PRIMARY KEY)");
        try (Connection other = sql.connect("");
                Statement drop = other.createStatement();
                PreparedStatement insert = prepared("INSERT INTO gone VALUES (?)")) {
            insert.setInt(1, 1);
            insert.addBatch();
            insert.addBatch();
            drop.execute("DROP TABLE gone");
            SQLException failure = catchThrowableOfType(SQLException.class, insert::executeBatch);
            assertThat(failure.getSQLState()).isIn("42S02", "42000");
        }
    }

    @Test
    void aBatchFollowsTheSchema() throws SQLException {
        sql.update("CREATE TABLE growing (id INTEGER PRIMARY KEY)");
        try (PreparedStatement insert = prepared("INSERT INTO growing (id) VALUES (?)")) {
            insert.setInt(1, 1);
            insert.addBatch();
            sql.update("ALTER TABLE growing ADD n INTEGER DEFAULT 7");
            assertThat(insert.executeBatch()).containsExactly(1);
        }
        assertThat(sql.rows("SELECT * FROM growing")).containsExactly("1, 7");
    }
}
