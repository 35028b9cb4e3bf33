package io.sdds.sql.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sdds.sql.SqlCluster;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collections;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Parameters beyond the room of a program that bricks get: texts and bytes of more than 64 KiB, and so many values that
 * their comparisons take more than 256 operations.
 */
class LongParametersTest {
    private static final String LONG = "é".repeat(100_000);
    private static final byte[] LONG_BYTES = new byte[100_000];

    private static SqlCluster sql;

    @BeforeAll
    static void start() throws SQLException {
        Arrays.fill(LONG_BYTES, (byte) 7);
        sql = new SqlCluster();
        sql.update("CREATE TABLE pages (id INTEGER PRIMARY KEY, author INTEGER, s VARCHAR, y VARBINARY)");
        sql.update("CREATE TABLE named (name VARCHAR PRIMARY KEY, n INTEGER)");
    }

    @AfterAll
    static void stop() throws SQLException {
        sql.close();
    }

    @BeforeEach
    void fill() throws SQLException {
        sql.update("DELETE FROM pages");
        sql.update("INSERT INTO pages VALUES (1, 10, 'a', X'01'), (2, 20, 'b', X'02'), (3, 20, 'c', NULL)");
    }

    private static int update(String statement, Object... values) throws SQLException {
        try (PreparedStatement prepared = sql.connection.prepareStatement(statement)) {
            set(prepared, values);
            return prepared.executeUpdate();
        }
    }

    private static void set(PreparedStatement prepared, Object... values) throws SQLException {
        for (int k = 0; k < values.length; k++) {
            prepared.setObject(k + 1, values[k]);
        }
    }

    private static String rows(String query, Object... values) throws SQLException {
        return String.join("; ", SqlCluster.rows(sql.connection, query, values));
    }

    @Test
    void anUpdateByKeyWritesALongText() throws SQLException {
        assertThat(update("UPDATE pages SET s = ?, y = ? WHERE id = ?", LONG, LONG_BYTES, 2))
                .isEqualTo(1);
        assertThat(update("UPDATE pages SET s = ? WHERE id = ?", LONG, 9)).isZero();
        assertThat(rows("SELECT id, CHAR_LENGTH(s), y = ? FROM pages WHERE id = 2", new Object[] {LONG_BYTES}))
                .isEqualTo("2, 100000, true");
    }

    @Test
    void aLongTextIsComparedAndFound() throws SQLException {
        assertThat(update("UPDATE pages SET s = ? WHERE author = ?", LONG, 20)).isEqualTo(2);
        assertThat(rows("SELECT id FROM pages WHERE s = ? ORDER BY id", LONG)).isEqualTo("2; 3");
        assertThat(rows("SELECT COUNT(*) FROM pages WHERE s IN (?, 'a')", LONG)).isEqualTo("3");
        assertThat(rows("SELECT id FROM pages WHERE s LIKE ? AND author = ? AND id < 3", LONG + "%", 20))
                .isEqualTo("2");
        assertThat(rows("SELECT author, MAX(id) FROM pages WHERE s <> ? GROUP BY author", LONG))
                .isEqualTo("10, 1");
        assertThat(rows(
                        "SELECT x.id FROM pages x JOIN pages y ON x.id = y.author / 10 WHERE y.s = ? GROUP BY x.id",
                        LONG))
                .isEqualTo("2");
        assertThat(update("UPDATE pages SET y = ? WHERE s = ?", LONG_BYTES, LONG))
                .isEqualTo(2);
        assertThat(rows("SELECT COUNT(*) FROM pages WHERE y = ?", LONG_BYTES)).isEqualTo("2");
        assertThat(update("DELETE FROM pages WHERE s = ?", LONG)).isEqualTo(2);
        assertThat(rows("SELECT id FROM pages")).isEqualTo("1");
    }

    @Test
    void aStatementTakesLongAndShortValuesInTurn() throws SQLException {
        try (PreparedStatement update = sql.connection.prepareStatement("UPDATE pages SET s = ? WHERE id = ?");
                PreparedStatement select = sql.connection.prepareStatement("SELECT id FROM pages WHERE s = ?")) {
            for (String text : new String[] {"x", LONG, "y", LONG, LONG, "z"}) {
                set(update, text, 1);
                assertThat(update.executeUpdate()).isEqualTo(1);
                set(select, text);
                try (ResultSet found = select.executeQuery()) {
                    assertThat(SqlCluster.rows(found)).containsExactly("1");
                }
            }
        }
    }

    @Test
    void aBatchHasLongAndShortValues() throws SQLException {
        try (PreparedStatement update = sql.connection.prepareStatement("UPDATE pages SET s = ? WHERE id = ?")) {
            for (int id = 1; id <= 4; id++) {
                set(update, id % 2 == 0 ? LONG : "short", id);
                update.addBatch();
            }
            assertThat(update.executeBatch()).containsExactly(1, 1, 1, 0);
        }
        assertThat(rows("SELECT id, CHAR_LENGTH(s) FROM pages ORDER BY id")).isEqualTo("1, 5; 2, 100000; 3, 5");
    }

    @Test
    void manyTextsOfThreeBytesACharacterAreCountedInBytes() throws SQLException {
        String text = "中".repeat(1_300);
        String list = String.join(", ", Collections.nCopies(20, "?"));
        assertThat(rows(
                        "SELECT id FROM pages WHERE s IN (" + list + ", 'a')",
                        Collections.nCopies(20, text).toArray()))
                .isEqualTo("1");
    }

    @Test
    void aBatchOfShortValuesBehindALongOneHasRequestsUnderWay() throws SQLException {
        try (PreparedStatement update = sql.connection.prepareStatement("UPDATE pages SET s = ? WHERE id = ?")) {
            set(update, LONG, 1);
            assertThat(update.executeUpdate()).isEqualTo(1);
            for (int id = 1; id <= 3; id++) {
                set(update, "x", id);
                update.addBatch();
            }
            assertThat(update.executeBatch()).containsExactly(1, 1, 1);
        }
        assertThat(rows("SELECT DISTINCT s FROM pages")).isEqualTo("x");
    }

    @Test
    void constantsAndParametersTogetherBeyondAProgramAreTooLarge() {
        String constant = "'" + "c".repeat(40_000) + "'";
        assertThat(state("UPDATE pages SET s = " + constant + ", y = ? WHERE id = 1", new byte[30_000]))
                .isEqualTo("54000");
    }

    @Test
    void aKeyThatIsTooLongHasNoRow() throws SQLException {
        assertThat(rows("SELECT n FROM named WHERE name = ?", LONG)).isEmpty();
        assertThat(update("UPDATE named SET n = 1 WHERE name = ?", LONG)).isZero();
        assertThat(update("DELETE FROM named WHERE name = ?", LONG)).isZero();
    }

    @Test
    void aKeyOrValueThatIsTooLongIsAnErrorOfData() {
        String tooLong = "x".repeat(17 << 20);
        assertThat(state("INSERT INTO named VALUES (?, 1)", LONG)).isEqualTo("22000");
        assertThat(state("INSERT INTO pages VALUES (7, 1, ?, NULL)", tooLong)).isEqualTo("22000");
        assertThat(state("UPDATE pages SET s = ? WHERE id = 1", tooLong)).isEqualTo("22000");
    }

    private static String state(String statement, Object... values) {
        return catchThrowableOfType(SQLException.class, () -> update(statement, values))
                .getSQLState();
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 80, 84, 85, 86, 130, 255, 256, 400, 1_200})
    void listsOfParametersHaveAnyLength(int count) throws SQLException {
        String list = String.join(", ", Collections.nCopies(count, "?"));
        Object[] values = new Object[count];
        Arrays.setAll(values, k -> 20 + k);
        assertThat(rows("SELECT id FROM pages WHERE author IN (" + list + ") ORDER BY id", values))
                .isEqualTo("2; 3");
        assertThat(rows("SELECT COUNT(*) FROM pages WHERE author NOT IN (" + list + ")", values))
                .isEqualTo("1");
        assertThat(rows(
                        "SELECT x.id FROM pages x JOIN pages y ON x.id = y.id WHERE y.author IN (" + list
                                + ") ORDER BY 1",
                        values))
                .isEqualTo("2; 3");
        assertThat(update("UPDATE pages SET s = s || '!' WHERE author IN (" + list + ")", values))
                .isEqualTo(2);
        assertThat(update("DELETE FROM pages WHERE author IN (" + list + ") AND s <> 'b'", values))
                .isEqualTo(2);
    }
}
