package io.sdds.sql.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.sdds.sql.SqlCluster;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import schemacrawler.schema.Catalog;
import schemacrawler.schema.Table;
import schemacrawler.schemacrawler.SchemaCrawlerOptionsBuilder;
import schemacrawler.tools.utility.SchemaCrawlerUtility;
import us.fatehi.utility.datasource.DatabaseConnectionSource;
import us.fatehi.utility.datasource.DatabaseConnectionSources;
import us.fatehi.utility.datasource.MultiUseUserCredentials;

/** Tools that know JDBC and not this driver. */
class ToolsTest {
    private static SqlCluster sql;
    private static String url;

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
        url = "jdbc:sdds://" + sql.cluster.address();
        sql.update("CREATE TABLE Cities (country VARCHAR(2), name VARCHAR(40), pop BIGINT,"
                + " PRIMARY KEY (country, name)) WITH (kind = 'range')");
        sql.update("INSERT INTO Cities VALUES ('SE', 'Lund', 94000), ('FR', 'Paris', 2100000)");
    }

    @AfterAll
    static void stop() throws SQLException {
        sql.close();
    }

    @Test
    void schemaCrawlerFindsTablesColumnsAndKeys() {
        DatabaseConnectionSource source =
                DatabaseConnectionSources.newDatabaseConnectionSource(url, new MultiUseUserCredentials("", ""));
        try (source) {
            Catalog catalog =
                    SchemaCrawlerUtility.getCatalog(source, SchemaCrawlerOptionsBuilder.newSchemaCrawlerOptions());
            Table cities = catalog.getTables().stream()
                    .filter(table -> table.getName().equals("Cities"))
                    .findFirst()
                    .orElseThrow();
            assertThat(cities.getColumns().stream().map(column -> column.getName() + " " + column.getColumnDataType()))
                    .containsExactlyInAnyOrder("country VARCHAR", "name VARCHAR", "pop BIGINT");
            assertThat(cities.getPrimaryKey().getConstrainedColumns().stream().map(column -> column.getName()))
                    .containsExactly("country", "name");
            assertThat(catalog.getDatabaseInfo().getDatabaseProductName()).isEqualTo("SDDS");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void sqlLineRunsAScript() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        sqlline.SqlLine line = new sqlline.SqlLine();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        line.setOutputStream(stream);
        line.setErrorStream(stream);
        String script =
                "!connect " + url + " x x\n!tables\n!describe Cities\nSELECT name FROM Cities WHERE pop > 100000;\n"
                        + "SELECT nam FROM Cities;\n!quit\n";
        sqlline.SqlLine.Status status = line.begin(
                new String[] {"--silent=true", "--color=false", "--historyFile=target/sqlline-history", "--maxWidth=200"
                },
                new ByteArrayInputStream(script.getBytes(StandardCharsets.UTF_8)),
                false);
        String printed = out.toString(StandardCharsets.UTF_8);
        assertThat(status).as(printed).isNotNull();
        assertThat(printed)
                .contains("TABLE_SCHEM", "Cities", "COLUMN_NAME", "country", "Paris")
                .contains("Column 'nam' not found in any table; did you mean 'name'?")
                .doesNotContain("Lund");
    }

    @Test
    void hikariKeepsConnectionsThatAreValid() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(2);
        config.setConnectionTestQuery(null);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            for (int k = 0; k < 4; k++) {
                try (Connection first = pool.getConnection();
                        Connection second = pool.getConnection();
                        Statement statement = second.createStatement()) {
                    assertThat(first.isValid(5)).isTrue();
                    assertThat(SqlCluster.rows(statement.executeQuery("SELECT COUNT(*) FROM cities")))
                            .containsExactly("2");
                }
            }
            assertThat(pool.getHikariPoolMXBean().getTotalConnections()).isLessThanOrEqualTo(2);
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    @Test
    void springQueriesUpdatesAndKnowsErrors() throws SQLException {
        JdbcTemplate template = new JdbcTemplate(new SingleConnectionDataSource(sql.connection, true));
        template.execute("CREATE TABLE spring (id BIGINT PRIMARY KEY, name VARCHAR(10))");
        assertThat(template.batchUpdate(
                        "INSERT INTO spring VALUES (?, ?)", List.of(new Object[] {1, "a"}, new Object[] {2L, null})))
                .containsExactly(1, 1);
        template.setFetchSize(10);
        assertThat(template.queryForList("SELECT name FROM spring ORDER BY id", String.class))
                .containsExactly("a", null);
        assertThat(template.queryForObject("SELECT COUNT(*) FROM spring WHERE id > ?", Integer.class, 1))
                .isEqualTo(1);
        assertThat(template.update("UPDATE spring SET name = ? WHERE id = ?", "b", 2))
                .isEqualTo(1);
        assertThat(template.queryForMap("SELECT * FROM spring WHERE id = ?", 2))
                .containsEntry("id", 2L)
                .containsEntry("NAME", "b");
        assertThat(new NamedParameterJdbcTemplate(template)
                        .queryForObject(
                                "SELECT id FROM spring WHERE name = :name", java.util.Map.of("name", "b"), Long.class))
                .isEqualTo(2L);
        assertThatThrownBy(() -> template.update("INSERT INTO spring VALUES (1, 'c')"))
                .isInstanceOf(DuplicateKeyException.class);
        assertThatThrownBy(() -> template.queryForList("SELECT nam FROM spring"))
                .isInstanceOf(BadSqlGrammarException.class);
    }
}
