package io.sdds.cli.command.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sdds.cli.command.Sdds;
import io.sdds.testkit.EmbeddedCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sdds load --infer} and files with a header. */
class LoadInferTest {
    private static final String PEOPLE = "City,ssn,born,\"net pay\"\nRome,1,1990-01-31,10.5\nOslo,2,,7\nRome,3,x,1\n";
    private static final String SCHEMA = "City varchar, ssn integer key, born varchar, \"net pay\" decimal(38,1)";

    private static EmbeddedCluster cluster;

    @TempDir
    Path directory;

    @BeforeAll
    static void start() {
        cluster = EmbeddedCluster.start(1);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static String[] all(String... args) {
        List<String> all = new ArrayList<>(List.of("--connect", cluster.address()));
        all.addAll(List.of(args));
        return all.toArray(String[]::new);
    }

    private static String done(String... args) {
        Sdds run = Sdds.run(all(args));
        assertThat(run.exitCode()).as(run.err()).isZero();
        return run.out();
    }

    private String file(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content).toString();
    }

    @Test
    void withoutATerminalItPrintsTheCommandAndNeedsNoCluster() throws IOException {
        String file = file("people.csv", PEOPLE);
        Sdds run = Sdds.run("--connect", "127.0.0.1:1", "load", "people", file, "--infer");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).isEqualTo("sdds table create people --schema '" + SCHEMA + "'\n");
        assertThat(run.err())
                .isEqualTo("inferred from the first 3 rows; nothing is created or loaded; add --yes for both\n");
        JsonNode document = new ObjectMapper()
                .readTree(Sdds.run("load", "people", file, "--infer", "--json", "--key", "city")
                        .out());
        assertThat(document.get("schema").textValue()).startsWith("City varchar key, ssn integer");
        assertThat(document.get("columns")).hasSize(4);
        assertThat(document.get("rows_sampled").intValue()).isEqualTo(3);
        assertThat(document.get("command").textValue()).startsWith("sdds table create people --schema 'City");
    }

    @Test
    void withYesItCreatesTheTableAndLoadsTheFile() throws IOException {
        Sdds run = Sdds.run(all("load", "infer-yes", file("people.csv", PEOPLE), "--infer", "--yes"));
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.err()).contains("COLUMN", "net pay").contains("columns, by the first 3 rows of the file:");
        assertThat(run.out()).startsWith("loaded 3 records into infer-yes");
        assertThat(done("get", "infer-yes", "2")).isEqualTo("Oslo\t2\t\\N\t7.0\n");
        assertThat(done(
                        "scan",
                        "infer-yes",
                        "--group-by",
                        "city",
                        "--select",
                        "city, sum(\"net pay\")",
                        "--order-by",
                        "city"))
                .isEqualTo("Oslo\t7.0\nRome\t11.5\n");
        Sdds again = Sdds.run(all("load", "infer-yes", file("people.csv", PEOPLE), "--infer", "--yes"));
        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.err()).contains("to load into it, leave out --infer");
    }

    @Test
    void aPersonIsAsked() throws IOException {
        String file = file("people.csv", PEOPLE);
        Sdds no = Sdds.typed("n\n", all("load", "infer-asked", file, "--infer"));
        assertThat(no.exitCode()).isEqualTo(1);
        assertThat(no.err())
                .contains("Create table infer-asked with these columns, and load the file? [y/N]")
                .contains("nothing was created or loaded; for other columns, run sdds table create infer-asked");
        assertThat(Sdds.run(all("table", "describe", "infer-asked")).exitCode()).isEqualTo(1);
        Sdds yes = Sdds.typed("y\n", all("load", "infer-asked", file, "--infer"));
        assertThat(yes.exitCode()).as(yes.err()).isZero();
        assertThat(yes.out()).startsWith("loaded 3 records");
    }

    @Test
    void linesBeyondTheSampleThatDoNotFitAreRefused() throws IOException {
        StringBuilder rows = new StringBuilder();
        for (int k = 0; k < 10_000; k++) {
            rows.append("{\"id\": ").append(k).append(", \"pay\": 12345678901234567.25}\n");
        }
        String file = file("rows.ndjson", rows + "{\"id\": \"last\"}\n");
        Sdds run = Sdds.run(all("load", "infer-late", file, "--infer", "--yes"));
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains(file + ":10001: column 'id': 'last' is no integer");
        assertThat(run.out()).startsWith("loaded 10,000 records").contains("refused 1 line");
        assertThat(done("get", "infer-late", "7")).isEqualTo("7\t12345678901234567.25\n");
    }

    @Test
    void aHeaderOfTsvNamesColumns() throws IOException {
        String file = file("rows.tsv", "note\tid\na\\tb\t1\n\\N\t2\nx\n");
        Sdds inferred = Sdds.run("load", "infer-tsv", file, "--infer", "--header", "--key", "id");
        assertThat(inferred.out()).isEqualTo("sdds table create infer-tsv --schema 'note varchar, id integer key'\n");
        done("table", "create", "infer-tsv", "--schema", "ID integer key, extra date, note varchar");
        Sdds run = Sdds.run(all("load", "infer-tsv", file, "--header"));
        assertThat(run.err()).isEqualTo(file + ":4: 1 columns, expected 2: note TAB id\n");
        assertThat(run.out()).startsWith("loaded 2 records");
        assertThat(done("get", "infer-tsv", "1")).isEqualTo("1\t\\N\ta\\tb\n");
        Sdds wrong = Sdds.run(all("load", "infer-tsv", file("w.tsv", "noet\tid\n"), "--header"));
        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err()).contains("line 1: no column 'noet'; did you mean 'note'?");
        assertThat(Sdds.run("load", "infer-tsv", file, "--infer").err()).contains("add --header if it is");
    }

    @Test
    void whatCannotBeInferredIsTold() throws IOException {
        Sdds noKey = Sdds.run("load", "t", file("same.csv", "a,b\n1,2\n1,2\n"), "--infer");
        assertThat(noKey.exitCode()).isEqualTo(1);
        assertThat(noKey.err()).hasLineCount(1).contains("same.csv: no column has a value of its own", "--key a,b");
        assertThat(Sdds.run("load", "t", file("k.csv", "a,b\n1,2\n1,2\n"), "--infer", "--key", "a")
                        .err())
                .contains("the first 2 rows have only 1 key; of rows with one key the last one stays");
        assertThat(Sdds.run(all("load", "infer-none", file("k.csv", "a,b\n1,2\n")))
                        .err())
                .isEqualTo("sdds load: table 'infer-none' does not exist; create it with sdds table create, or from the"
                        + " file with --infer\n");
        assertThat(Sdds.run("load", "t", "x.csv", "--yes").err()).contains("--yes: nothing is asked without --infer");
        assertThat(Sdds.run("load", "t", "x.csv", "--infer", "--hex").exitCode())
                .isEqualTo(2);
        assertThat(Sdds.run("load", "t", "x.ndjson", "--header").exitCode()).isEqualTo(2);
    }
}
