package io.sdds.sql.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sql.SqlCluster;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What {@link DatabaseMetaData} tells. */
class MetaDataTest {
    private static SqlCluster sql;
    private static DatabaseMetaData data;

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
        sql.update("CREATE TABLE Cities (country VARCHAR(2), name VARCHAR, pop DECIMAL(12,2) DEFAULT 1.5,"
                + " founded DATE NOT NULL, PRIMARY KEY (country, name)) WITH (kind = 'range')");
        sql.update("CREATE TABLE my_cities (id BIGINT PRIMARY KEY)");
        sql.update("CREATE TABLE myxcities (id BIGINT PRIMARY KEY)");
        data = sql.connection.getMetaData();
    }

    @AfterAll
    static void stop() throws SQLException {
        sql.close();
    }

    private static List<String> texts(ResultSet rows, String... columns) throws SQLException {
        List<String> texts = new ArrayList<>();
        while (rows.next()) {
            List<String> row = new ArrayList<>();
            for (String column : columns) {
                row.add(rows.getString(column));
            }
            texts.add(String.join(" ", row));
        }
        rows.close();
        return texts;
    }

    @Test
    void tablesMatchPatternsInAnyCase() throws SQLException {
        assertThat(texts(data.getTables(null, null, "%", null), "TABLE_SCHEM", "TABLE_NAME", "TABLE_TYPE"))
                .containsExactly("sdds Cities TABLE", "sdds my_cities TABLE", "sdds myxcities TABLE");
        assertThat(texts(data.getTables(null, "SDDS", "cit%", new String[] {"TABLE"}), "TABLE_NAME"))
                .containsExactly("Cities");
        assertThat(texts(data.getTables(null, null, "my_cities", null), "TABLE_NAME"))
                .hasSize(2);
        assertThat(texts(data.getTables(null, null, "my\\_cities", null), "TABLE_NAME"))
                .containsExactly("my_cities");
        assertThat(texts(data.getTables(null, null, "%", new String[] {"VIEW"}), "TABLE_NAME"))
                .isEmpty();
        assertThat(texts(data.getSchemas(), "TABLE_SCHEM")).containsExactly("sdds");
        assertThat(texts(data.getCatalogs(), "TABLE_CAT")).isEmpty();
        assertThat(texts(data.getTableTypes(), "TABLE_TYPE")).containsExactly("TABLE");
    }

    @Test
    void columnsHaveTheirDeclaration() throws SQLException {
        assertThat(texts(
                        data.getColumns(null, null, "Cities", "%"),
                        "COLUMN_NAME",
                        "DATA_TYPE",
                        "TYPE_NAME",
                        "COLUMN_SIZE",
                        "IS_NULLABLE",
                        "ORDINAL_POSITION"))
                .containsExactly(
                        "country " + Types.VARCHAR + " VARCHAR 2 NO 1",
                        "name " + Types.VARCHAR + " VARCHAR " + Integer.MAX_VALUE + " NO 2",
                        "pop " + Types.DECIMAL + " DECIMAL 12 YES 3",
                        "founded " + Types.DATE + " DATE 10 NO 4");
        assertThat(texts(data.getColumns(null, null, "cities", "POP"), "COLUMN_DEF", "DECIMAL_DIGITS"))
                .containsExactly("1.50 2");
    }

    @Test
    void keysAreInTheirOrder() throws SQLException {
        assertThat(texts(data.getPrimaryKeys(null, null, "Cities"), "COLUMN_NAME", "KEY_SEQ"))
                .containsExactly("country 1", "name 2");
        assertThat(texts(
                        data.getIndexInfo(null, null, "Cities", true, true),
                        "INDEX_NAME",
                        "NON_UNIQUE",
                        "TYPE",
                        "ORDINAL_POSITION",
                        "COLUMN_NAME",
                        "ASC_OR_DESC"))
                .containsExactly("PRIMARY false 1 1 country A", "PRIMARY false 1 2 name A");
        assertThat(texts(data.getBestRowIdentifier(null, null, "my_cities", 0, false), "COLUMN_NAME"))
                .containsExactly("id");
        assertThat(texts(data.getImportedKeys(null, null, "Cities"), "FK_NAME")).isEmpty();
    }

    @Test
    void typesAreThoseOfColumns() throws SQLException {
        List<String> names = texts(data.getTypeInfo(), "TYPE_NAME");
        assertThat(names).hasSize(11).contains("BIGINT", "UUID", "TIMESTAMP").doesNotContain("SMALLINT");
        for (String name : names) {
            sql.update("CREATE TABLE typed_" + name + " (id INTEGER PRIMARY KEY, x " + name
                    + (name.equals("DECIMAL") ? "(4,2)" : "") + ")");
            sql.update("DROP TABLE typed_" + name);
        }
    }

    @Test
    void theProductTellsWhatItIs() throws SQLException {
        assertThat(data.getDatabaseProductName()).isEqualTo("SDDS");
        assertThat(data.getDriverName()).isEqualTo("SDDS JDBC driver");
        assertThat(data.getDatabaseProductVersion())
                .isEqualTo(data.getDatabaseMajorVersion() + "." + data.getDatabaseMinorVersion());
        assertThat(data.getURL()).isEqualTo("jdbc:sdds://" + sql.cluster.address());
        assertThat(data.getConnection()).isSameAs(sql.connection);
        assertThat(data.supportsTransactions()).isFalse();
        assertThat(data.supportsTransactionIsolationLevel(Connection.TRANSACTION_NONE))
                .isTrue();
        assertThat(data.supportsTransactionIsolationLevel(Connection.TRANSACTION_READ_COMMITTED))
                .isFalse();
        assertThat(data.storesMixedCaseIdentifiers()).isTrue();
        assertThat(data.supportsMixedCaseIdentifiers()).isFalse();
        assertThat(data.isReadOnly()).isFalse();
        assertThat(data.nullsAreSortedHigh()).isTrue();
        assertThat(sql.rows("SELECT x FROM (VALUES (1), (CAST(NULL AS INTEGER))) t(x) ORDER BY x"))
                .containsExactly("1", "null");
        assertThat(sql.rows("SELECT x FROM (VALUES (1), (CAST(NULL AS INTEGER))) t(x) ORDER BY x DESC"))
                .containsExactly("null", "1");
    }
}
