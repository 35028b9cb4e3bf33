package io.sdds.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.TableOptions;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements through {@code java.sql} on a cluster. */
class StatementsTest {
    private static SqlCluster sql;

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
        sql.update("CREATE TABLE Cities (country VARCHAR(2), name VARCHAR(40), pop BIGINT, founded DATE,"
                + " PRIMARY KEY (country, name)) WITH (kind = 'range')");
        sql.update("INSERT INTO cities VALUES ('SE', 'Uppsala', 177000, DATE '1286-01-01'),"
                + " ('SE', 'Lund', 94000, NULL), ('FR', 'Paris', 2100000, NULL), ('FI', 'Åbo 😀', NULL, NULL)");
    }

    @AfterAll
    static void stop() throws SQLException {
        sql.close();
    }

    private static String state(String statement) {
        return catchThrowableOfType(SQLException.class, () -> run(statement)).getSQLState();
    }

    private static String message(String statement) {
        return catchThrowableOfType(SQLException.class, () -> run(statement)).getMessage();
    }

    private static void run(String statement) throws SQLException {
        try (Statement run = sql.connection.createStatement()) {
            if (run.execute(statement)) {
                SqlCluster.rows(run.getResultSet());
            }
        }
    }

    // ---- queries

    @Test
    void matchesUnquotedNamesInAnyCase() throws SQLException {
        assertThat(sql.rows("select NAME from CITIES where Country = 'FI'")).containsExactly("Åbo 😀");
        try (Statement statement = sql.connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT Name, pop AS People FROM cities")) {
            assertThat(rows.getMetaData().getColumnLabel(2)).isEqualTo("People");
        }
    }

    @Test
    void groupsOrdersAndLimits() throws SQLException {
        assertThat(sql.rows("SELECT country, COUNT(*), SUM(pop), AVG(pop) FROM cities GROUP BY country"
                        + " HAVING COUNT(*) > 1 ORDER BY country"))
                .containsExactly("SE, 2, 271000, 135500.000000");
        assertThat(sql.rows("SELECT name FROM cities WHERE pop > 1 ORDER BY pop DESC LIMIT 2"))
                .containsExactly("Paris", "Uppsala");
        assertThat(sql.rows("SELECT name FROM cities ORDER BY pop NULLS FIRST LIMIT 2 OFFSET 1"))
                .containsExactly("Lund", "Uppsala");
    }

    @Test
    void joinsNestsAndUnitesAtTheClient() throws SQLException {
        assertThat(sql.rows("SELECT a.name, b.name FROM cities a JOIN cities b ON a.country = b.country"
                        + " AND a.name < b.name"))
                .containsExactly("Lund, Uppsala");
        assertThat(sql.rows("SELECT name FROM cities c WHERE pop = (SELECT MAX(pop) FROM cities d"
                        + " WHERE d.country = c.country) ORDER BY name"))
                .containsExactly("Paris", "Uppsala");
        assertThat(sql.rows("SELECT country FROM cities EXCEPT SELECT 'SE' UNION ALL SELECT 'X'"))
                .containsExactlyInAnyOrder("FR", "FI", "X");
        assertThat(sql.rows("SELECT name, RANK() OVER (ORDER BY pop DESC NULLS LAST) r FROM cities ORDER BY r"))
                .containsExactly("Paris, 1", "Uppsala, 2", "Lund, 3", "Åbo 😀, 4");
    }

    @Test
    void notInWithANullIsTrueForNoRow() throws SQLException {
        assertThat(sql.rows("SELECT name FROM cities WHERE pop NOT IN (SELECT pop FROM cities WHERE country = 'FI')"))
                .isEmpty();
        assertThat(sql.rows("SELECT name FROM cities WHERE 5 NOT IN (SELECT pop FROM cities)"))
                .isEmpty();
    }

    @Test
    void aggregatesOfNothing() throws SQLException {
        assertThat(sql.rows("SELECT COUNT(*), SUM(pop), AVG(pop) FROM cities WHERE country = 'XX'"))
                .containsExactly("0, null, null");
        assertThat(sql.rows("SELECT COUNT(*) FROM cities WHERE country = 'XX' GROUP BY name"))
                .isEmpty();
    }

    @Test
    void sumsOfLargeNumbersDoNotWrap() throws SQLException {
        sql.update("CREATE TABLE big (id INTEGER PRIMARY KEY, n BIGINT)");
        sql.update("INSERT INTO big VALUES (1, 9223372036854775807), (2, 9223372036854775807)");
        assertThat(sql.rows("SELECT SUM(n) FROM big")).containsExactly("18446744073709551614");
        assertThat(sql.rows("SELECT SUM(n), COUNT(DISTINCT n) FROM big")).containsExactly("18446744073709551614, 1");
        assertThat(state("SELECT n + 1 FROM big")).isEqualTo("22003");
        assertThat(state("SELECT 2147483647 + 1")).isEqualTo("22003");
    }

    @Test
    void aCaseGuardsADivision() throws SQLException {
        assertThat(sql.rows("SELECT CASE WHEN pop - 94000 <> 0 THEN 83000 / (pop - 94000) END FROM cities"
                        + " WHERE country = 'SE' ORDER BY name"))
                .containsExactly("null", "1");
    }

    @Test
    void tablesWithoutASchemaHaveBytes() throws SQLException {
        HashTable<String, String> raw =
                sql.cluster.client().createHashTable("raw", TableOptions.defaults(), Codec.utf8(), Codec.utf8());
        raw.put("a", "αβ");
        assertThat(sql.rows("SELECT utf8(_key), CHAR_LENGTH(utf8(_value)) FROM raw WHERE utf8(_value) LIKE 'α%'"))
                .containsExactly("a, 2");
        assertThat(sql.rows("SELECT utf8(_value) FROM raw WHERE _key = X'61'")).containsExactly("αβ");
        assertThat(sql.update("INSERT INTO raw VALUES (X'62', X'00')")).isEqualTo(1);
        assertThat(sql.update("DELETE FROM raw WHERE _value = X'00'")).isEqualTo(1);
        assertThat(raw.size()).isEqualTo(1);
    }

    // ---- writes

    @Test
    void insertsUpsertsUpdatesAndDeletes() throws SQLException {
        sql.update("CREATE TABLE people (id BIGINT PRIMARY KEY, name VARCHAR(10) NOT NULL, age INTEGER DEFAULT 7)");
        assertThat(sql.update("INSERT INTO people (id, name) VALUES (1, 'Ann'), (2, 'Bob')"))
                .isEqualTo(2);
        assertThat(sql.update("UPSERT INTO people VALUES (2, 'Bert', 20), (3, 'Cid', 30)"))
                .isEqualTo(2);
        assertThat(sql.update("UPDATE people SET age = age + 1, name = name || '!' WHERE age >= 20"))
                .isEqualTo(2);
        assertThat(sql.update("UPDATE people SET age = age * 2 WHERE id = 1")).isEqualTo(1);
        assertThat(sql.rows("SELECT * FROM people ORDER BY id"))
                .containsExactly("1, Ann, 14", "2, Bert!, 21", "3, Cid!, 31");
        assertThat(sql.update("INSERT INTO people SELECT id + 10, name, age FROM people"))
                .isEqualTo(3);
        assertThat(sql.update("DELETE FROM people WHERE id > 10 OR name LIKE 'A%'"))
                .isEqualTo(4);
        assertThat(sql.update("DELETE FROM people")).isEqualTo(2);
    }

    @Test
    void keysAreChangedByOneRequestEach() throws SQLException {
        sql.update("CREATE TABLE keyed (id INTEGER PRIMARY KEY, n INTEGER)");
        sql.update("INSERT INTO keyed VALUES (1, 10), (2, 20), (3, 30)");
        assertThat(sql.rows("EXPLAIN PLAN FOR UPDATE keyed SET n = n + 1 WHERE id = 2")
                        .get(0))
                .startsWith("SddsKeyChange(")
                .contains("keys=[(2)]", "set=[\"n\" = (\"n\" + 1)]");
        assertThat(sql.update("UPDATE keyed SET n = n + 1 WHERE id IN (2, 3, 4) AND n < 30"))
                .isEqualTo(1);
        assertThat(sql.update("DELETE FROM keyed WHERE id = 1 AND n = 11")).isZero();
        assertThat(sql.update("DELETE FROM keyed WHERE id = 1 AND n = 10")).isEqualTo(1);
        try (PreparedStatement update = sql.connection.prepareStatement("UPDATE keyed SET n = ? WHERE id = ?")) {
            update.setInt(1, 5);
            update.setInt(2, 3);
            assertThat(update.executeUpdate()).isEqualTo(1);
            update.setInt(2, 99);
            assertThat(update.executeUpdate()).isZero();
        }
        assertThat(sql.rows("SELECT * FROM keyed ORDER BY id")).containsExactly("2, 21", "3, 5");
    }

    @Test
    void writesSayWhatTookEffect() throws SQLException {
        sql.update("CREATE TABLE few (id INTEGER PRIMARY KEY, name VARCHAR(3) NOT NULL, n DECIMAL(4,1))");
        sql.update("INSERT INTO few VALUES (1, 'a', 1.5)");
        assertThat(state("INSERT INTO few VALUES (2, 'b', 1), (1, 'c', 2)")).isEqualTo("23505");
        assertThat(sql.rows("SELECT COUNT(*) FROM few")).containsExactly("2");
        assertThat(message("INSERT INTO few VALUES (1, 'c', 2)"))
                .isEqualTo("duplicate key (1) in table few; 0 rows were written");
        assertThat(message("INSERT INTO few VALUES (4, 'd', 1), (5, 'e', 2), (1, 'c', 2)"))
                .isEqualTo("duplicate key (1) in table few; 2 rows were written");
        assertThat(state("INSERT INTO few VALUES (9, CAST(NULL AS VARCHAR), 2)"))
                .isEqualTo("23502");
        assertThat(state("INSERT INTO few VALUES (9, 'long' || 'er', 2)")).isEqualTo("22000");
        assertThat(state("UPDATE few SET id = 3")).isEqualTo("0A500");
    }

    // ---- tables

    @Test
    void tablesAreAlteredAnalyzedAndDropped() throws SQLException {
        sql.update("CREATE TABLE IF NOT EXISTS t (\"Key Part\" INT PRIMARY KEY, x VARCHAR)");
        sql.update("CREATE TABLE IF NOT EXISTS t (id INT PRIMARY KEY)");
        assertThat(state("CREATE TABLE t (id INT PRIMARY KEY)")).isEqualTo("42S01");
        sql.update("INSERT INTO t VALUES (1, 'x')");
        sql.update("ALTER TABLE t ADD COLUMN y DECIMAL(8,2) DEFAULT 1.5");
        assertThat(sql.rows("SELECT * FROM t")).containsExactly("1, x, 1.50");
        sql.update("ALTER TABLE t DROP COLUMN x");
        assertThat(sql.rows("SELECT * FROM t")).containsExactly("1, 1.50");
        sql.update("ANALYZE t");
        assertThat(sql.cluster.client().tableStatistics("t").rows()).isEqualTo(1);
        sql.update("DROP TABLE sdds.T");
        sql.update("DROP TABLE IF EXISTS t");
        assertThat(message("DROP TABLE citis")).isEqualTo("there is no table 'citis'; did you mean 'Cities'?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"VALUES (1, 2, 3)", "VALUES (1, 2), (3, 4, 5)", "SELECT 1, 2, 3", "VALUES (1, 2, 1 + 2)"})
    void anInsertWithMoreValuesThanColumnsIsAnErrorOfTheStatement(String rows) throws SQLException {
        sql.update("CREATE TABLE two (id INTEGER PRIMARY KEY, v INTEGER)");
        SQLException thrown = catchThrowableOfType(SQLException.class, () -> sql.update("INSERT INTO two " + rows));
        sql.update("DROP TABLE two");
        assertThat(thrown.getSQLState()).isEqualTo("42000");
        assertThat(thrown.getMessage()).startsWith("line 1, column ");
    }

    @Test
    void aTableHasAsManyColumnsAsAStatementReads() throws SQLException {
        String columns =
                IntStream.range(1, 250).mapToObj(k -> "c" + k + " INTEGER").collect(Collectors.joining(", "));
        String create = "CREATE TABLE wide (id INTEGER PRIMARY KEY, " + columns;
        assertThat(message(create + ", more INTEGER)")).isEqualTo("the table has 251 columns, and 250 are allowed");
        sql.update(create + ")");
        sql.update("INSERT INTO wide (id, c1, c249) VALUES (1, 2, 3), (2, 3, 4)");
        assertThat(sql.rows("SELECT * FROM wide WHERE c1 = 2")).hasSize(1);
        assertThat(sql.rows("SELECT x.* FROM wide x JOIN wide y ON x.id = y.c1 WHERE x.c249 > 0"))
                .hasSize(1);
        assertThat(sql.update("UPDATE wide SET c7 = c249 + 1 WHERE c1 > 0")).isEqualTo(2);
        assertThat(sql.rows("SELECT SUM(c7) FROM wide")).containsExactly("9");
        assertThat(message("ALTER TABLE wide ADD COLUMN more INTEGER"))
                .isEqualTo("the table has 251 columns, and 250 are allowed");
        sql.update("DROP TABLE wide");
    }

    @Test
    void aRowAsAValueOfTheResultIsRefused() {
        String type = "a result of type RecordType(BIGINT EXPR$0, INTEGER EXPR$1) is not supported";
        assertThat(message("SELECT (pop, 5) AS x FROM cities")).isEqualTo(type);
        assertThat(message("SELECT (pop, 5) AS x FROM cities GROUP BY pop HAVING FALSE"))
                .isEqualTo(type);
    }

    @Test
    void aColumnWithATypeInTheListOfAnInsertIsRefused() {
        assertThat(state("INSERT INTO cities (country, name VARCHAR(3)) VALUES ('a', 'b')"))
                .isEqualTo("42000");
    }

    /** Another client drops a table and makes one of its name. Connections of equal URLs would share a client. */
    private static void makeAnew(String table, String columns, String row) throws SQLException {
        try (Connection other = sql.connect(";maxMemory=64m");
                Statement statement = other.createStatement()) {
            statement.executeUpdate("DROP TABLE " + table);
            statement.executeUpdate("CREATE TABLE " + table + " " + columns);
            statement.executeUpdate("INSERT INTO " + table + " VALUES " + row);
        }
    }

    @Test
    void aTableThatAnotherClientHasMadeAnewIsFound() throws SQLException {
        sql.update("CREATE TABLE anew (id INTEGER PRIMARY KEY)");
        assertThat(sql.rows("SELECT * FROM anew WHERE id > 0")).isEmpty();
        makeAnew("anew", "(id INTEGER PRIMARY KEY)", "(1)");
        assertThat(sql.rows("SELECT * FROM anew WHERE id > 0")).containsExactly("1");
        sql.update("DROP TABLE anew");
    }

    @Test
    void aColumnThatAnotherClientHasMadeIsFound() throws SQLException {
        sql.update("CREATE TABLE changed (id INTEGER PRIMARY KEY)");
        assertThat(sql.rows("SELECT * FROM changed")).isEmpty();
        makeAnew("changed", "(pk INTEGER PRIMARY KEY, v INTEGER)", "(1, 7)");
        assertThat(sql.rows("SELECT pk, changed.v FROM changed WHERE v > 0")).containsExactly("1, 7");
        sql.update("DROP TABLE changed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT v FROM retyped WHERE id = 1",
                "SELECT v + 1 AS x FROM retyped",
                "SELECT + v AS x FROM retyped a WHERE NOT a.v IS NULL",
                "SELECT r.v + s.v AS x FROM retyped r JOIN retyped s ON r.v = s.v",
                "SELECT * FROM retyped"
            })
    void aQueryOfAColumnThatAnotherClientHasGivenAnotherTypeIsPlannedAgain(String query) throws SQLException {
        sql.update("CREATE TABLE retyped (id INTEGER PRIMARY KEY, v INTEGER)");
        assertThat(sql.rows(query)).isEmpty();
        sql.update("DROP TABLE retyped");
        sql.update("CREATE TABLE retyped (id INTEGER PRIMARY KEY, v VARCHAR(9), w INTEGER)");
        assertThat(sql.rows("SELECT * FROM retyped")).isEmpty();
        makeAnew("retyped", "(id INTEGER PRIMARY KEY, v INTEGER)", "(1, 7)");
        try {
            assertThat(sql.rows(query)).hasSize(1);
        } finally {
            sql.update("DROP TABLE retyped");
        }
    }

    /** Each write meets a table that has been made anew with other columns since the connection has listed it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM anew",
                "DELETE FROM anew WHERE ABS(pk) = 1",
                "UPDATE anew SET v = v + 1",
                "UPDATE anew SET v = (SELECT MAX(v) FROM anew) + 1",
                "INSERT INTO anew SELECT pk + 1, v FROM anew",
                "INSERT INTO anew (pk, v) VALUES (5, 5)",
                "INSERT INTO anew VALUES (5, 5)"
            })
    void aWriteToATableThatAnotherClientHasMadeAnewTakesEffectOnce(String write) throws SQLException {
        sql.update("CREATE TABLE anew (id INTEGER PRIMARY KEY)");
        assertThat(sql.rows("SELECT * FROM anew")).isEmpty();
        assertThat(sql.update("DELETE FROM anew")).isZero();
        makeAnew("anew", "(pk INTEGER PRIMARY KEY, v INTEGER)", "(1, 7)");
        try {
            assertThat(sql.update(write)).isEqualTo(1);
        } finally {
            sql.update("DROP TABLE anew");
        }
    }

    @Test
    void tablesWithoutAPrimaryKeyHaveAHiddenOne() throws SQLException {
        sql.update("CREATE TABLE bag (a INTEGER, s TEXT) WITH (kind = 'range')");
        assertThat(sql.update("INSERT INTO bag VALUES (1, 'x'), (1, 'x'), (2, NULL)"))
                .isEqualTo(3);
        assertThat(sql.update("INSERT INTO bag (s) VALUES ('y')")).isEqualTo(1);
        assertThat(sql.update("INSERT INTO bag SELECT a + 10, s FROM bag WHERE a = 2"))
                .isEqualTo(1);
        assertThat(sql.rows("SELECT * FROM bag ORDER BY a NULLS LAST, s"))
                .containsExactly("1, x", "1, x", "2, null", "12, null", "null, y");
        assertThat(sql.rows("SELECT DISTINCT a FROM bag WHERE s = 'x'")).containsExactly("1");
        assertThat(sql.update("UPDATE bag SET s = 'z' WHERE a = 1")).isEqualTo(2);
        assertThat(sql.update("UPDATE bag SET a = CHAR_LENGTH(TRIM(s)) WHERE s = 'y'"))
                .isEqualTo(1);
        assertThat(sql.rows("SELECT a, COUNT(*), COUNT(DISTINCT _rowid) FROM bag GROUP BY a ORDER BY a"))
                .containsExactly("1, 3, 3", "2, 1, 1", "12, 1, 1");
        assertThat(sql.update("DELETE FROM bag WHERE _rowid IN (SELECT _rowid FROM bag WHERE s = 'z' LIMIT 1)"))
                .isEqualTo(1);
        assertThat(sql.update("DELETE FROM bag")).isEqualTo(4);
        assertThat(message("CREATE TABLE x (_rowid INT PRIMARY KEY)"))
                .endsWith("the name _rowid is kept for the keys of tables without a PRIMARY KEY");
    }

    @Test
    void aHiddenKeyIsSeenOnlyByStatementsThatNameIt() throws SQLException {
        sql.update("CREATE TABLE hidden (a INTEGER, s TEXT DEFAULT 'no primary key')");
        assertThat(sql.update("INSERT INTO hidden VALUES (1, '_rowid')")).isEqualTo(1);
        assertThat(sql.rows("SELECT * FROM hidden WHERE s = '_rowid' -- no _rowid"))
                .containsExactly("1, _rowid");
        assertThat(sql.update("UPDATE hidden SET s = /* again */ DEFAULT")).isEqualTo(1);
        assertThat(sql.rows("SELECT * FROM hidden")).containsExactly("1, no primary key");
        try (ResultSet columns = sql.connection.getMetaData().getColumns(null, null, "hidden", null)) {
            assertThat(SqlCluster.values(columns)).extracting(row -> row.get(3)).containsExactly("a", "s");
        }
    }

    // ---- what bad input gets

    @Test
    void errorsHaveAPositionAndNearNames() {
        assertThat(message("SELECT nam FROM cities"))
                .isEqualTo("line 1, column 8: Column 'nam' not found in any table; did you mean 'name'?");
        assertThat(message("SELECT 1\nFROM citis"))
                .isEqualTo("line 2, column 6: Object 'citis' not found; did you mean 'Cities'?");
        assertThat(message("SELECT FROM cities"))
                .isEqualTo("line 1, column 8: Incorrect syntax near the keyword 'FROM'");
        assertThat(message("CREATE TABLE x (id INT PRIMARY KEY) WITH (kin = 'range')"))
                .isEqualTo("line 1, column 43: unknown option 'kin'; did you mean 'kind'?");
        assertThat(state("SELECT FROM cities")).isEqualTo("42000");
    }

    @Test
    void textsThatCannotBeParsedAreExplained() throws SQLException {
        assertThat(message("selct 1"))
                .isEqualTo("line 1, column 1: 'selct' begins no statement; did you mean 'SELECT'?");
        assertThat(message("SELECT * FRO cities"))
                .isEqualTo("line 1, column 14: 'cities' is not expected here; in place of 'FRO', did you mean 'FROM'?");
        assertThat(message("SELECT * FROM cities WHERE")).isEqualTo("line 1, column 26: the statement ends too early");
        assertThat(message("SELECT (1\n + (2) FROM cities"))
                .isEqualTo("line 1, column 8: the parenthesis is not closed");
        assertThat(message("SELECT 'it''s FROM cities"))
                .isEqualTo("line 1, column 8: the text that begins here has no closing quote");
        assertThat(message("SELECT 1; SELECT 2"))
                .isEqualTo("line 1, column 9: another statement follows: they are executed one at a time");
        assertThat(message(" -- nothing\n;")).isEqualTo("the statement is empty");
        assertThat(message("SELECT uper(name) FROM cities")).endsWith("; did you mean 'UPPER'?");
        assertThat(message("SELECT len(name) FROM cities")).endsWith("; the standard calls it CHAR_LENGTH");
        assertThat(message("SELECT country, COUNT(*) FROM cities"))
                .endsWith("Expression 'country' is not being grouped");
        assertThat(message("SELECT name FROM cities WHERE pop = 'x'")).isEqualTo("'x' is no number");
        assertThat(message("UPDATE cities SET popp = 1"))
                .isEqualTo("line 1, column 19: Unknown target column 'popp'; did you mean 'pop'?");
        assertThat(message("SELECT name FROM cities WHERE name = \"Lund\"")).endsWith("texts are in single quotes");
        assertThat(state("SELECT (SELECT name FROM cities)")).isEqualTo("21000");
        assertThat(sql.rows("SELECT 1;")).containsExactly("1");
        assertThat(message("SELECT 1 /* one")).isEqualTo("line 1, column 10: the comment that begins here has no end");
        assertThat(message("CREATE TABLE x (id INT PRIMARY KEY,\n  n INTT)"))
                .isEqualTo("line 2, column 3: unknown type 'INTT'; did you mean 'int'?");
        assertThat(message("ALTER TABLE cities ADD z INT PRIMARY KEY"))
                .isEqualTo("line 1, column 24: the key of a table is declared when the table is created");
        assertThat(message("CREATE TABLE x (id INT PRIMARY KEY) WITH (capacity = 10,\n kind = 'tree')"))
                .isEqualTo("line 2, column 9: kind is 'tree', expected 'hash' or 'range'");
    }

    @Test
    void whatIsNotSupportedIsNamed() {
        for (String statement : List.of(
                "CREATE VIEW v AS SELECT 1",
                "CREATE INDEX i ON cities (pop)",
                "CREATE TABLE x (id INT PRIMARY KEY, UNIQUE (id))",
                "MERGE INTO cities USING cities ON 1 = 1 WHEN MATCHED THEN DELETE",
                "COMMIT",
                "BEGIN",
                "SHOW TABLES",
                "TRUNCATE TABLE cities")) {
            assertThatThrownBy(() -> run(statement))
                    .as(statement)
                    .isInstanceOf(SQLFeatureNotSupportedException.class)
                    .hasMessageContaining(" is not supported");
        }
    }

    @Test
    void thereAreNoTransactions() throws SQLException {
        assertThat(sql.connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_NONE);
        assertThat(sql.connection.getAutoCommit()).isTrue();
        assertThat(sql.connection.getMetaData().supportsTransactions()).isFalse();
        assertThatThrownBy(() -> sql.connection.setAutoCommit(false))
                .isInstanceOf(SQLFeatureNotSupportedException.class);
        try (Connection ignoring = sql.connect(";transactions=ignore")) {
            ignoring.setAutoCommit(false);
            ignoring.commit();
            assertThatThrownBy(ignoring::setSavepoint).isInstanceOf(SQLFeatureNotSupportedException.class);
        }
        assertThatThrownBy(() -> sql.connect(";pushdwn=false"))
                .hasMessage("unknown option 'pushdwn'; did you mean 'pushdown'?");
    }

    @Test
    void optionsBehindAQuestionMarkAreRefusedWithTheRightForm() {
        assertThatThrownBy(() -> sql.connect("?maxMemory=256m"))
                .hasMessageEndingWith("?maxMemory=256m' has options behind '?': write ;key=value");
    }

    // ---- java.sql

    @Test
    void preparedStatementsTakeParameters() throws SQLException {
        try (PreparedStatement query = sql.connection.prepareStatement(
                "SELECT name FROM cities WHERE country = ? AND (pop > ? OR founded = ?) ORDER BY name LIMIT ?")) {
            query.setString(1, "SE");
            query.setLong(2, 100_000);
            query.setDate(3, Date.valueOf("1286-01-01"));
            query.setInt(4, 5);
            assertThat(SqlCluster.rows(query.executeQuery())).containsExactly("Uppsala");
            query.setString(1, "FR");
            assertThat(SqlCluster.rows(query.executeQuery())).containsExactly("Paris");
        }
        try (PreparedStatement query =
                sql.connection.prepareStatement("SELECT pop FROM cities WHERE country = ? AND name = ?")) {
            query.setString(1, "SE");
            query.setString(2, "Lund");
            assertThat(SqlCluster.rows(query.executeQuery())).containsExactly("94000");
        }
    }

    @Test
    void batchesCountTheirRows() throws SQLException {
        sql.update("CREATE TABLE batch (id INTEGER PRIMARY KEY, happened TIMESTAMP)");
        try (PreparedStatement insert = sql.connection.prepareStatement("INSERT INTO batch VALUES (?, ?)")) {
            for (int k = 0; k < 3; k++) {
                insert.setInt(1, k);
                insert.setTimestamp(2, Timestamp.valueOf("2020-01-31 12:00:00.125"));
                insert.addBatch();
            }
            assertThat(insert.executeBatch()).containsExactly(1, 1, 1);
        }
        assertThat(sql.rows("SELECT id FROM batch WHERE happened > TIMESTAMP '2020-01-01 00:00:00' ORDER BY id"))
                .containsExactly("0", "1", "2");
    }

    @Test
    void metaDataListsTablesColumnsAndKeys() throws SQLException {
        DatabaseMetaData data = sql.connection.getMetaData();
        List<String> tables = new ArrayList<>();
        try (ResultSet rows = data.getTables(null, null, "Cities", null)) {
            while (rows.next()) {
                tables.add(rows.getString("TABLE_SCHEM") + "." + rows.getString("TABLE_NAME"));
            }
        }
        assertThat(tables).containsExactly("sdds.Cities");
        List<String> columns = new ArrayList<>();
        try (ResultSet rows = data.getColumns(null, "sdds", "Cities", "%")) {
            while (rows.next()) {
                columns.add(rows.getString("COLUMN_NAME") + " " + rows.getString("TYPE_NAME"));
            }
        }
        assertThat(columns).hasSize(4).element(2).asString().startsWith("pop BIGINT");
        assertThat(data.getDatabaseProductName()).isEqualTo("SDDS");
    }

    @Test
    void statementsEndByCancelAndTimeout() throws Exception {
        String endless =
                "SELECT MAX(CHAR_LENGTH(a.name) + CHAR_LENGTH(n.name)) FROM cities a, cities b, cities c, cities d,"
                        + " cities e, cities f, cities g, cities h, cities i, cities j, cities k, cities l, cities m,"
                        + " cities n, cities o, cities p";
        try (Statement statement = sql.connection.createStatement()) {
            statement.setQueryTimeout(1);
            assertThatThrownBy(() -> SqlCluster.rows(statement.executeQuery(endless)))
                    .isInstanceOf(SQLTimeoutException.class);
        }
        assertThat(sql.rows("SELECT COUNT(*) FROM cities")).containsExactly("4");
    }
}
