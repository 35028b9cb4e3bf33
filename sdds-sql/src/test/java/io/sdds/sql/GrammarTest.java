package io.sdds.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What people write that the standard's grammar does not have. */
class GrammarTest {
    private static SqlCluster sql;

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
        sql.update("CREATE TABLE words (id INTEGER PRIMARY KEY, at INTEGER, \"character\" VARCHAR, value VARCHAR,"
                + " \"year\" INTEGER, \"user\" VARCHAR, \"position\" INTEGER, \"count\" INTEGER)");
        sql.update("INSERT INTO words (id, at, character, value, year, user, position, count)"
                + " VALUES (1, 2, 'c', 'v', 2020, 'u', 3, 4)");
        sql.update("CREATE TABLE defaults (id INTEGER PRIMARY KEY, n INTEGER DEFAULT 7, s VARCHAR DEFAULT 'it''s',"
                + " d DATE DEFAULT DATE '2020-01-02', t TIMESTAMP DEFAULT TIMESTAMP '2020-01-02 03:04:05',"
                + " x DECIMAL(5, 2) DEFAULT 1.5, b BOOLEAN DEFAULT TRUE, f DOUBLE DEFAULT 1.5e0, u INTEGER)");
    }

    @AfterAll
    static void stop() throws SQLException {
        sql.close();
    }

    @Test
    void wordsOfTheGrammarAreNamesWhereNothingElseIsMeant() throws SQLException {
        assertThat(sql.rows("SELECT at, w.character, value, year, user, position, count FROM words w WHERE at > 1"))
                .containsExactly("2, c, v, 2020, u, 3, 4");
        assertThat(sql.update("UPDATE words SET value = 'x', year = year + 1 WHERE at = 2"))
                .isEqualTo(1);
        assertThat(sql.rows("SELECT year, MAX(value) AS value FROM words GROUP BY year ORDER BY year"))
                .containsExactly("2021, x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " WHERE id IN (SELECT id FROM defaults)"})
    void anUpdateSetsColumnsToTheirDefaults(String condition) throws SQLException {
        sql.update("UPSERT INTO defaults VALUES (1, 0, '', NULL, NULL, 0, FALSE, 0, 5)");
        sql.update("UPDATE defaults SET n = DEFAULT, s = default, d =DEFAULT, t = DEFAULT, x = DEFAULT, b = DEFAULT,"
                + " f = DEFAULT, u = DEFAULT" + condition);
        assertThat(sql.rows("SELECT * FROM defaults"))
                .containsExactly("1, 7, it's, 2020-01-02, 2020-01-02 03:04:05.0, 1.50, true, 1.5, null");
        sql.update("UPDATE defaults SET s = 'n = DEFAULT'");
        assertThat(sql.rows("SELECT s FROM defaults")).containsExactly("n = DEFAULT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SET n = DEFAULT + 1", "SET n = 1 WHERE n = DEFAULT"})
    void defaultStandsAloneAsTheValueOfAColumn(String change) {
        assertThatThrownBy(() -> sql.update("UPDATE defaults " + change))
                .hasMessageContaining("DEFAULT stands alone behind the = of a column of SET")
                .extracting(e -> ((SQLException) e).getSQLState())
                .isEqualTo("42000");
    }

    @Test
    void typesAndFunctionsOfPostgresHaveTheirNames() throws SQLException {
        assertThat(sql.rows(
                        "SELECT SUBSTR('abcde', 2), SUBSTR('abcde', 0, 3) FROM words WHERE SUBSTR(user, 1, 1) = 'u'"))
                .containsExactly("bcde, ab");
        assertThat(sql.rows(
                        "SELECT CAST(at AS TEXT), CAST('t' AS BOOL), CAST('5' AS INT8) + 1, NOW() IS NULL FROM words"))
                .containsExactly("2, true, 6, false");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SELECT id FROM words WHERE at = 2 AND value::INT = 1 | write CAST(value AS type)",
                "SELECT id FROM words WHERE value ~ 'a' | write LIKE",
                "SELECT id FROM words WHERE value !~* 'a' | write LIKE"
            })
    void whatTheGrammarReadsOtherwiseThanPostgresIsRefused(String statement, String instead) {
        assertThatThrownBy(() -> sql.rows(statement))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining(instead)
                .extracting(e -> ((SQLException) e).getSQLState())
                .isEqualTo("0A500");
    }
}
