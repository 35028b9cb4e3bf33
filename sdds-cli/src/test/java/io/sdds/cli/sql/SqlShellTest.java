package io.sdds.cli.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sdds.cli.format.Text;
import io.sdds.cli.terminal.Screen;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs statements on another database, because the prompt relies on JDBC alone. */
class SqlShellTest {
    private static final String URL = "jdbc:h2:mem:shell;DB_CLOSE_DELAY=-1";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void createTable() throws SQLException {
        execute("create table t (id int primary key, name varchar(40), data varbinary(8), price decimal(8, 2))");
        execute("insert into t values (1, 'a', x'00ff', 1.50), (2, null, null, null), (3, 'x,\"y\"', x'6869', -2)");
    }

    @AfterEach
    void dropAll() throws SQLException {
        execute("drop all objects");
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(URL)) {
            connection.createStatement().execute(sql);
        }
    }

    private SqlShell shell(boolean json, boolean csv, boolean goesOn, boolean isTerminal) {
        Screen plain = Screen.of(out, err);
        Screen screen = new Screen(
                new PrintStream(out, false, StandardCharsets.UTF_8),
                plain.err(),
                isTerminal,
                false,
                false,
                InputStream.nullInputStream(),
                false);
        return new SqlShell(
                () -> DriverManager.getConnection(URL),
                screen,
                new SqlShell.Settings(json, csv, goesOn, null, new Text(false)));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private static InputStream script(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private JsonNode document() throws IOException {
        return new ObjectMapper().readTree(out());
    }

    // ---- formats

    @Test
    void rowsHaveTabsIfNobodyWatches() throws SQLException {
        assertThat(shell(false, false, false, false).run(List.of("select * from t order by id")))
                .isZero();
        assertThat(out()).isEqualTo("1\ta\t\u0000\\xff\t1.50\n2\t\\N\t\\N\t\\N\n3\tx,\"y\"\thi\t-2.00\n");
        assertThat(err()).isEmpty();
    }

    @Test
    void rowsHaveHeadingsAndColumnsOnATerminal() throws SQLException {
        shell(false, false, false, true).run(List.of("select id, name, price from t order by id"));
        assertThat(out().lines())
                .containsExactly("ID  NAME   PRICE", " 1  a       1.50", " 2  \\N        \\N", " 3  x,\"y\"  -2.00");
    }

    @Test
    void aPlanHasTheLinesThatItHas() throws SQLException {
        List<String> plan = List.of("SELECT", "    \"ID\"", "FROM \"PUBLIC\".\"T\"");
        for (boolean isTerminal : new boolean[] {true, false}) {
            out.reset();
            shell(false, false, false, isTerminal).run(List.of(" explain select id from t"));
            assertThat(out().lines()).startsWith(plan.toArray(String[]::new)).noneMatch(line -> line.contains("\\n"));
        }
        out.reset();
        shell(false, true, false, false).run(List.of("explain select id from t"));
        assertThat(out()).startsWith("PLAN\n\"SELECT\n    \"\"ID\"\"\nFROM ");
    }

    @Test
    void csvHasHeadingsAndQuotes() throws SQLException {
        shell(false, true, false, false).run(List.of("select id, name, '' as e, data from t order by id"));
        assertThat(out()).isEqualTo("ID,NAME,E,DATA\n1,a,\"\",\\x00ff\n2,,\"\",\n3,\"x,\"\"y\"\"\",\"\",hi\n");
    }

    @Test
    void jsonOfOneStatementIsAnObject() throws SQLException, IOException {
        shell(true, false, false, false).run(List.of("select id, name, id, data from t order by id;"));
        JsonNode document = document();
        assertThat(document.get("columns").toString()).isEqualTo("[\"ID\",\"NAME\",\"ID_2\",\"DATA\"]");
        assertThat(document.get("rows").get(0).toString())
                .isEqualTo("{\"ID\":1,\"NAME\":\"a\",\"ID_2\":1,\"DATA\":{\"$hex\":\"00ff\"}}");
        assertThat(document.get("rows").get(1).get("NAME").isNull()).isTrue();
        assertThat(document.get("count").asInt()).isEqualTo(3);
    }

    @Test
    void jsonOfAScriptIsAnArrayWithItsFailures() throws SQLException, IOException {
        int exitCode = shell(true, false, true, false)
                .run(script("update t set name = 'b';\nselect nix from t;\nselect 1 as one;"), "s.sql");
        assertThat(exitCode).isEqualTo(1);
        JsonNode document = document();
        assertThat(document.get(0).get("updated").asInt()).isEqualTo(3);
        assertThat(document.get(1).get("line").asInt()).isEqualTo(2);
        assertThat(document.get(1).get("sql_state").asText()).isEqualTo("42S22");
        assertThat(document.get(2).get("rows").toString()).isEqualTo("[{\"ONE\":1}]");
    }

    @Test
    void failureAmongTheRowsLeavesAWholeDocument() throws SQLException, IOException {
        int exitCode = shell(true, false, false, false).run(List.of("select 1 / (2 - id) as q from t order by id"));
        assertThat(exitCode).isEqualTo(1);
        assertThat(document().has("error")).isTrue();
    }

    // ---- scripts

    @Test
    void scriptStopsAtTheFirstFailureAndNamesItsLine() throws SQLException, IOException {
        int exitCode =
                shell(false, false, false, false).run(script("select 1;\n\nselect\n nix from t;\nselect 2;"), "s.sql");
        assertThat(exitCode).isEqualTo(1);
        assertThat(out()).isEqualTo("1\n");
        assertThat(err().lines()).hasSize(1);
        assertThat(err())
                .startsWith("sdds sql: s.sql: line 3: Column \"NIX\" not found")
                .contains("(42S22)");
    }

    @Test
    void forcedScriptGoesOn() throws SQLException, IOException {
        int exitCode = shell(false, false, true, false).run(script("select nix;\nselect 2"), "s.sql");
        assertThat(exitCode).isEqualTo(1);
        assertThat(out()).isEqualTo("2\n");
    }

    @Test
    void quitEndsAScript() throws SQLException, IOException {
        assertThat(shell(false, false, false, false).run(script("select 1;\n\\q\nselect 2;"), "s.sql"))
                .isZero();
        assertThat(out()).isEqualTo("1\n");
    }

    @Test
    void argumentWithoutStatementIsRefused() {
        SqlShell shell = shell(false, false, false, false);
        assertThatThrownBy(() -> shell.run(List.of(" -- nothing")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no statement");
    }

    @Test
    void statementEndsAtItsTimeLimit() throws SQLException {
        SqlShell shell = new SqlShell(
                () -> DriverManager.getConnection(URL),
                Screen.of(out, err),
                new SqlShell.Settings(false, false, false, Duration.ofMillis(100), new Text(false)));
        String endless = "select count(*) from system_range(1, 1000000000) a, system_range(1, 1000000) b";
        assertThat(shell.run(List.of(endless))).as(() -> err()).isEqualTo(3);
    }

    // ---- commands

    @Test
    void tablesAreListedWithoutTheCatalog() throws SQLException, IOException {
        execute("create table u (x int)");
        shell(false, false, false, true).run(script("\\d"), "s.sql");
        assertThat(out().lines()).containsExactly("table  type", "T      table", "U      table");
    }

    @Test
    void columnsHaveTypesAndKeys() throws SQLException, IOException {
        shell(false, false, false, true).run(script("\\d t"), "s.sql");
        assertThat(out().lines())
                .containsExactly(
                        "column  type                   key  null      default",
                        "ID      integer                key  not null",
                        "NAME    character varying(40)",
                        "DATA    binary varying(8)",
                        "PRICE   decimal(8, 2)");
    }

    @Test
    void wrongCommandsSayWhatToDo() throws SQLException, IOException {
        int exitCode = shell(false, false, true, true).run(script("\\nix\n\\d nix\n\\timing maybe\n"), "s.sql");
        assertThat(exitCode).isEqualTo(1);
        assertThat(err().lines())
                .containsExactly(
                        "sdds sql: s.sql: line 1: there is no command \\nix; \\? lists the commands (42000)",
                        "sdds sql: s.sql: line 2: there is no table 'nix'; \\d lists the tables (42S02)",
                        "sdds sql: s.sql: line 3: \\timing takes on or off, not 'maybe' (42000)");
    }

    @Test
    void helpHasSeveralNames() throws SQLException, IOException {
        shell(false, false, false, true).run(script("help\n"), "s.sql");
        String help = out();
        assertThat(help).contains("list the tables");
        for (String name : List.of("\\?", "\\h", "\\help")) {
            shell(false, false, false, true).run(script(name + "\nquit\nselect nix;\n"), "s.sql");
        }
        assertThat(out()).isEqualTo(help.repeat(4));
    }

    @Test
    void recordsHaveALineForEachColumn() throws SQLException, IOException {
        shell(false, false, false, true).run(script("\\x on\nselect id, name from t where id = 1;"), "s.sql");
        assertThat(out().lines()).containsExactly("-- 1 --", "ID    1", "NAME  a");
    }

    @Test
    void textCommandsAreRefusedInADocument() throws SQLException, IOException {
        shell(true, false, true, false).run(script("\\d\n\\?\nselect 1 as one"), "s.sql");
        assertThat(document()).hasSize(3);
        assertThat(document().get(0).get("error").asText()).contains("--json");
    }
}
