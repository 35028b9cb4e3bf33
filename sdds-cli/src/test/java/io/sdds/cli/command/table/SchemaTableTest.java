package io.sdds.cli.command.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sdds.cli.command.Sdds;
import io.sdds.client.Codec;
import io.sdds.testkit.EmbeddedCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands about tables with typed columns. */
class SchemaTableTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String COLUMNS = "id bigint key, name varchar(40) not null, born date default null";

    private static EmbeddedCluster cluster;

    @BeforeAll
    static void start() {
        cluster = EmbeddedCluster.start(2);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static Sdds sdds(String... args) {
        List<String> all = new ArrayList<>(List.of("--connect", cluster.address()));
        all.addAll(List.of(args));
        return Sdds.run(all.toArray(String[]::new));
    }

    private static String done(String... args) {
        Sdds run = sdds(args);
        assertThat(run.exitCode()).as(run.err()).isZero();
        return run.out();
    }

    private static String failed(int exitCode, String... args) {
        Sdds run = sdds(args);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
        assertThat(run.err().lines()).hasSize(1);
        return run.err().strip();
    }

    @Test
    void createAndDescribeShowTheColumns() throws IOException {
        assertThat(done("table", "create", "people", "--schema", COLUMNS))
                .isEqualTo("created table people: hash, 64.0 MiB a partition; columns id bigint key,"
                        + " name varchar(40) not null, born date\n");
        assertThat(done("table", "describe", "people"))
                .contains("\nschema      version 1\n\n")
                .contains("\nCOLUMN  TYPE         KEY  NULL  DEFAULT\n"
                        + "id      bigint       1    no\n"
                        + "name    varchar(40)       no\n"
                        + "born    date              yes\n\n");
        JsonNode described = JSON.readTree(done("table", "describe", "people", "--json"));
        assertThat(described.get("schema_version").intValue()).isEqualTo(1);
        assertThat(described.get("columns").get(1).toString())
                .isEqualTo("{\"name\":\"name\",\"type\":\"varchar(40)\",\"key\":false,\"not_null\":true,"
                        + "\"default\":null}");
    }

    @Test
    void aTableWithoutASchemaIsDescribedAsBefore() throws IOException {
        done("table", "create", "plain");
        assertThat(done("table", "describe", "plain")).doesNotContain("schema", "COLUMN");
        assertThat(JSON.readTree(done("table", "describe", "plain", "--json")).has("columns"))
                .isFalse();
    }

    @Test
    void analyzeTellsAndKeepsStatistics() throws IOException {
        done("table", "create", "counted", "--schema", COLUMNS);
        assertThat(done("table", "describe", "counted")).doesNotContain("analyzed");
        assertThat(JSON.readTree(done("table", "describe", "counted", "--json"))
                        .get("statistics")
                        .isNull())
                .isTrue();
        done("put", "counted", "1", "name=Ann", "born=2001-02-03");
        done("put", "counted", "2", "name=Bob");
        done("put", "counted", "-3", "name=Bob", "born=1999-12-31");
        String columns = "COLUMN  MIN         MAX         DISTINCT   NULLS  MEAN BYTES\n"
                + "id      -3          2                  3   0.0 %         8.0\n"
                + "name    Ann         Bob                2   0.0 %         3.0\n"
                + "born    1999-12-31  2001-02-03         2  33.3 %         4.0\n";
        assertThat(done("table", "analyze", "counted"))
                .isEqualTo("table counted: 3 rows, all of them read\n" + columns);
        assertThat(done("table", "describe", "counted"))
                .containsPattern("\nanalyzed (just now|\\d+ s ago): 3 rows, all of them read\n")
                .endsWith(columns);
        JsonNode described = JSON.readTree(done("table", "describe", "counted", "--json"));
        assertThat(described.get("statistics").get("rows").longValue()).isEqualTo(3);
        assertThat(described.get("statistics").get("columns").get(1).toString())
                .isEqualTo("{\"name\":\"name\",\"type\":\"varchar(40)\",\"distinct\":2,\"nulls\":0.0,"
                        + "\"mean_bytes\":3.0,\"min\":\"Ann\",\"max\":\"Bob\"}");
        JsonNode analyzed = JSON.readTree(done("table", "analyze", "counted", "--json"));
        assertThat(analyzed.get("table").textValue()).isEqualTo("counted");
        assertThat(analyzed.get("columns").get(0).get("min").longValue()).isEqualTo(-3);
        assertThat(failed(1, "table", "analyze", "none")).contains("none");
    }

    /** The document of a decimal column ended in an exception. */
    @Test
    void statisticsOfDecimalColumnsAreTextsInJson() throws IOException {
        done("table", "create", "priced", "--schema", "id bigint key, pay decimal(8,2)");
        done("put", "priced", "1", "pay=12.5");
        JsonNode analyzed = JSON.readTree(done("table", "analyze", "priced", "--json"));
        assertThat(analyzed.get("columns").get(1).get("min").textValue()).isEqualTo("12.50");
        JsonNode described = JSON.readTree(done("table", "describe", "priced", "--json"));
        assertThat(described.get("statistics").get("columns").get(1).get("max").textValue())
                .isEqualTo("12.50");
    }

    @Test
    void alterAddsAndDropsColumns() throws IOException {
        done("table", "create", "grown", "--kind", "range", "--schema", COLUMNS);
        assertThat(done("table", "alter", "grown", "--add-column", "city varchar not null default 'Uppsala'"))
                .isEqualTo("table grown has version 2 of its schema: id bigint key, name varchar(40) not null,"
                        + " born date, city varchar not null default 'Uppsala'\n");
        JsonNode altered = JSON.readTree(done("table", "alter", "grown", "--drop-column", "BORN", "--json"));
        assertThat(altered.get("schema_version").intValue()).isEqualTo(3);
        assertThat(altered.get("columns")).hasSize(3);
        assertThat(altered.get("columns").get(2).get("default").textValue()).isEqualTo("'Uppsala'");
        assertThat(done("table", "describe", "grown"))
                .contains("schema      version 3")
                .contains("city    varchar           no    'Uppsala'")
                .doesNotContain("born");
    }

    @Test
    void wrongSchemasAndChangesAreRefusedInOneLine() {
        assertThat(failed(2, "table", "create", "wrong", "--schema", "id bigint key, id date"))
                .startsWith("sdds table create: --schema: ")
                .contains("column 'id' is there twice");
        assertThat(failed(2, "table", "create", "wrong", "--schema", "id bigint"))
                .contains("no column is a key");
        assertThat(failed(2, "table", "create", "wrong", "--schema", "id bigit key"))
                .contains("'bigint'");
        done("table", "create", "kept", "--schema", COLUMNS);
        done("table", "create", "untyped");
        assertThat(failed(2, "table", "alter", "kept", "--add-column", "city varcar"))
                .startsWith("sdds table alter: --add-column: ");
        assertThat(failed(1, "table", "alter", "kept", "--add-column", "Name bigint"))
                .contains("table 'kept': ", "'Name'");
        assertThat(failed(1, "table", "alter", "kept", "--add-column", "city varchar not null"))
                .contains("needs a default");
        assertThat(failed(1, "table", "alter", "kept", "--drop-column", "id")).contains("part of the key");
        assertThat(failed(1, "table", "alter", "kept", "--drop-column", "nam")).contains("did you mean 'name'?");
        assertThat(failed(1, "table", "alter", "untyped", "--drop-column", "id"))
                .isEqualTo("sdds table alter: table 'untyped' was created without a schema, so it has no columns to"
                        + " change");
        assertThat(failed(1, "table", "alter", "none", "--drop-column", "id")).contains("no table 'none'");
        assertThat(failed(2, "table", "alter", "kept", "--drop-column", "id", "--replicas", "2"))
                .contains("give one of --parity, --replicas, --add-column and --drop-column");
    }

    @Test
    void putGetAndScanShowColumns() throws IOException {
        done("table", "create", "rows", "--kind", "range", "--schema", COLUMNS + ", pay decimal(8,2) default 10");
        done("put", "rows", "7", "name=Ada\tL", "born=1815-12-10");
        done("put", "rows", "-3", "{\"NAME\": \"Bob\", \"pay\": 1.5}");
        assertThat(done("get", "rows", "7")).isEqualTo("7\tAda\\tL\t1815-12-10\t10.00\n");
        assertThat(done("scan", "rows")).isEqualTo("-3\tBob\t\\N\t1.50\n7\tAda\\tL\t1815-12-10\t10.00\n");
        assertThat(done("range", "rows", "0", "7")).startsWith("7\t").hasLineCount(1);
        JsonNode row = JSON.readTree(done("get", "rows", "-3", "--json"));
        assertThat(row.get("row").toString()).isEqualTo("{\"id\":-3,\"name\":\"Bob\",\"born\":null,\"pay\":\"1.50\"}");
        assertThat(JSON.readTree(done("scan", "rows", "--json"))
                        .get("records")
                        .get(1)
                        .get("born")
                        .textValue())
                .isEqualTo("1815-12-10");
        Sdds fed = Sdds.fed(
                "{\"name\": \"Eve\"}\n".getBytes(StandardCharsets.UTF_8),
                "--connect",
                cluster.address(),
                "put",
                "rows",
                "8",
                "--stdin");
        assertThat(fed.exitCode()).as(fed.err()).isZero();
        done("table", "alter", "rows", "--add-column", "city varchar default 'Uppsala'");
        done("table", "alter", "rows", "--drop-column", "born");
        assertThat(done("get", "rows", "8")).isEqualTo("8\tEve\t10.00\tUppsala\n");
        done("delete", "rows", "8");
        assertThat(failed(1, "get", "rows", "8")).contains("no record");
    }

    @Test
    void severalKeyColumnsHaveCommasBetweenThem() {
        done("table", "create", "pairs", "--schema", "a varchar key, b integer key, c boolean");
        done("put", "pairs", "\"x,y\",2", "c=true");
        assertThat(done("get", "pairs", "\"x,y\",2")).isEqualTo("x,y\t2\ttrue\n");
        assertThat(failed(2, "get", "pairs", "x")).contains("give a,b");
    }

    @Test
    void rowsThatDoNotFitAreRefusedWithTheColumn() {
        done("table", "create", "strict", "--schema", COLUMNS);
        assertThat(failed(2, "put", "strict", "1", "nam=x")).contains("no column 'nam'; did you mean 'name'?");
        assertThat(failed(2, "put", "strict", "1", "born=2000-01-01")).contains("column 'name' is not null");
        assertThat(failed(2, "put", "strict", "1", "name=x", "born=soon")).contains("column 'born': 'soon' is no date");
        assertThat(failed(2, "put", "strict", "one", "name=x")).contains("column 'id'");
        assertThat(failed(2, "put", "strict", "1", "text")).contains("no COLUMN=VALUE");
        assertThat(failed(2, "put", "strict", "1", "id=1", "name=x")).contains("part of the key");
        assertThat(failed(1, "put", "strict", "00", "00", "--hex")).contains("no record of the schema");
        assertThat(done("scan", "strict", "--count")).isEqualTo("0\n");
        done("put", "strict", "1", "name=x");
        assertThat(done("get", "strict", "8000000000000001", "--hex")).isNotEmpty();
    }

    @Test
    void aRowThatCannotBeReadIsNamed() {
        done("table", "create", "damaged", "--schema", COLUMNS);
        cluster.client()
                .table("damaged", Codec.bytes(), Codec.bytes())
                .put(Codec.int64().encode(5L), Codec.utf8().encode("no row"));
        assertThat(failed(1, "get", "damaged", "5")).contains("8000000000000005", "row cannot be read");
        assertThat(failed(1, "scan", "damaged")).contains("8000000000000005");
    }

    @Test
    void dumpedRowsAreLoadedAgainInEachFormat(@TempDir Path directory) throws IOException {
        String columns = "id bigint key, name varchar not null, note varchar, pay decimal(8,2) default 10";
        done("table", "create", "from", "--kind", "range", "--schema", columns);
        done("put", "from", "1", "name=a,\"b\"\tc\\d", "note=x");
        done("put", "from", "2", "{\"name\": \"\", \"note\": null, \"pay\": null}");
        done("put", "from", "-3", "name=Ünï\n", "pay=1.5");
        String all = done("range", "from");
        for (String format : List.of("tsv", "csv", "ndjson")) {
            String file = directory.resolve("rows." + format).toString();
            done("dump", "from", file);
            done("table", "create", "to-" + format, "--kind", "range", "--schema", columns);
            assertThat(done("load", "to-" + format, file)).startsWith("loaded 3 records");
            assertThat(done("range", "to-" + format)).as(format).isEqualTo(all);
        }
        assertThat(Files.readAllLines(directory.resolve("rows.csv"))).first().isEqualTo("id,name,note,pay");
        assertThat(Files.readAllLines(directory.resolve("rows.ndjson")))
                .contains("{\"id\":2,\"name\":\"\",\"note\":null,\"pay\":null}");
    }

    @Test
    void linesThatDoNotFitAreRefusedWithTheColumn(@TempDir Path directory) throws IOException {
        done("table", "create", "loaded", "--schema", COLUMNS);
        Path csv = directory.resolve("people.csv");
        Files.writeString(csv, "NAME,id\nAda,1\nBob,two\n,3\nEve\n");
        Sdds run = sdds("load", "loaded", csv.toString());
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .contains(csv + ":3: column 'id': 'two' is no bigint")
                .contains(csv + ":5: 1 columns, expected 2");
        assertThat(run.out()).startsWith("loaded 2 records");
        assertThat(done("get", "loaded", "1")).isEqualTo("1\tAda\t\\N\n");
        Files.writeString(csv, "nam,id\nAda,1\n");
        assertThat(failed(2, "load", "loaded", csv.toString())).contains("no column 'nam'; did you mean 'name'?");
        Path tsv = directory.resolve("people.tsv");
        Files.writeString(tsv, "4\tDan\n5\tEve\t\\N\n\\N\tFay\t\\N\n");
        Sdds lines = sdds("load", "loaded", tsv.toString());
        assertThat(lines.err())
                .contains(tsv + ":1: 2 columns, expected 3: id TAB name TAB born")
                .contains(tsv + ":3: column 'id'");
        assertThat(sdds("load", "loaded", tsv.toString(), "--key", "ID").out()).startsWith("loaded ");
        assertThat(failed(2, "load", "loaded", tsv.toString(), "--key", "name"))
                .isEqualTo("sdds load: --key: the key of table 'loaded' is id, not name");
    }
}
