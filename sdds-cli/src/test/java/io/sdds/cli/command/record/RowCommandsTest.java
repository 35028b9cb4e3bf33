package io.sdds.cli.command.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sdds.cli.command.Sdds;
import io.sdds.cli.command.SddsCommand;
import io.sdds.cli.terminal.Screen;
import io.sdds.testkit.EmbeddedCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** {@code sdds scan} and {@code sdds range} with expressions, against a cluster in this process. */
class RowCommandsTest {
    private static EmbeddedCluster cluster;

    @BeforeAll
    static void startCluster() {
        cluster = EmbeddedCluster.start(2);
        for (String table : List.of("names", "ordered")) {
            done("table", "create", table, "--kind", table.equals("names") ? "hash" : "range");
            done("put", table, "U+41", "LATIN CAPITAL LETTER A");
            done("put", table, "U+1F408", "CAT");
            done("put", table, "U+1F63A", "SMILING CAT FACE");
            done("put", table, "U+1F9", "tab\tnew\nline");
        }
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    private static String[] all(String... args) {
        List<String> all = new ArrayList<>(List.of("--connect", cluster.address()));
        all.addAll(List.of(args));
        return all.toArray(String[]::new);
    }

    private static Sdds sdds(String... args) {
        return Sdds.run(all(args));
    }

    private static String done(String... args) {
        Sdds run = sdds(args);
        assertThat(run.exitCode()).as(run.err()).isZero();
        return run.out();
    }

    private static String wrong(String... args) {
        Sdds run = sdds(args);
        assertThat(run.exitCode()).as(run.out()).isEqualTo(2);
        assertThat(run.err()).hasLineCount(1);
        return run.err();
    }

    @Test
    void conditionsAreExpressionsAndTodaysFiltersKeepTheirMeaning() {
        assertThat(done("scan", "names", "--where", "value contains 'CAT' and not key prefix 'U+1F6'"))
                .isEqualTo("U+1F408\tCAT\n");
        assertThat(done("range", "ordered", "--where", "length(value) > 3 and value like '%A_E'"))
                .isEqualTo("U+1F63A\tSMILING CAT FACE\n");
        assertThat(done("scan", "names", "--where", "length(value) = 3", "--count"))
                .isEqualTo("1\n");
        assertThat(done("scan", "names", "--where", "value contains 'CAT'", "--limit", "1"))
                .hasLineCount(1);
    }

    @Test
    void rowsComeWithTabsAndEscapes() {
        for (String table : List.of("names", "ordered")) {
            assertThat(done("scan", table, "--select", "key, length(value) as n, value", "--order-by", "n"))
                    .isEqualTo("U+1F408\t3\tCAT\nU+1F9\t12\ttab\\tnew\\nline\nU+1F63A\t16\tSMILING CAT FACE\n"
                            + "U+41\t22\tLATIN CAPITAL LETTER A\n");
            assertThat(done("scan", table, "--group-by", "substring(key, 1, 4) as b", "--select", "b, count(*)")
                            .lines()
                            .sorted())
                    .containsExactly("U+1F\t3", "U+41\t1");
            assertThat(done("scan", table, "--select", "case when key = 'U+41' then 1 end", "--limit", "4")
                            .lines()
                            .sorted())
                    .containsExactly("1", "\\N", "\\N", "\\N");
            assertThat(done("scan", table, "--group-by", "substring(key, 1, 4)", "--count"))
                    .isEqualTo("2\n");
        }
        assertThat(done("range", "ordered", "U+1F4", "U+1F7", "--select", "key", "--reverse"))
                .isEqualTo("U+1F63A\nU+1F408\n");
    }

    @Test
    void aDocumentHasColumnsAndRows() throws IOException {
        JsonNode document = new ObjectMapper()
                .readTree(done(
                        "scan",
                        "names",
                        "--select",
                        "key, length(value) as n, avg(1.5) as d",
                        "--group-by",
                        "key, length(value)",
                        "--order-by",
                        "n desc",
                        "--limit",
                        "1",
                        "--json"));
        assertThat(document.get("columns").toString()).isEqualTo("[\"key\",\"n\",\"d\"]");
        JsonNode row = document.get("rows").get(0);
        assertThat(row.get("key").textValue()).isEqualTo("U+41");
        assertThat(row.get("n").intValue()).isEqualTo(22);
        assertThat(row.get("d").textValue()).isEqualTo("1.500000");
        assertThat(document.get("count").intValue()).isEqualTo(1);
    }

    @Test
    void aTerminalGetsColumnsWithHeadings() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Screen plain = Screen.of(out, new ByteArrayOutputStream());
        Screen terminal = new Screen(plain.out(), plain.err(), true, true, false, InputStream.nullInputStream(), true);
        int exitCode = new SddsCommand(terminal)
                .run(all(
                        "scan",
                        "names",
                        "--select",
                        "key, length(value) as n",
                        "--order-by",
                        "n desc",
                        "--limit",
                        "2"));
        terminal.out().flush();
        assertThat(exitCode).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("key       n\nU+41     22\nU+1F63A  16\n");
    }

    @Test
    void errorsPointAtTheColumnAndSuggestNearNames() {
        assertThat(wrong("scan", "names", "--where", "valeu contains 'CAT'"))
                .contains("position 1: no column 'valeu'; did you mean 'value'?");
        assertThat(wrong("scan", "names", "--where", "value contains 'CAT' and"))
                .contains("--where, position 25");
        assertThat(wrong("scan", "names", "--select", "lenght(value)"))
                .contains("select, position 1", "did you mean 'length'?");
        assertThat(wrong("scan", "names", "--group-by", "key", "--select", "value"))
                .contains("group by");
        assertThat(wrong("scan", "names", "--select", "key", "--order-by", "n nulls"))
                .contains("--order-by, position");
    }

    @Test
    void anErrorOfARecordIsOneOfTheQuery() {
        Sdds run = sdds("scan", "names", "--select", "1 / (length(value) - 3)");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("division by zero").contains("U+1F408").hasLineCount(1);
    }
}
