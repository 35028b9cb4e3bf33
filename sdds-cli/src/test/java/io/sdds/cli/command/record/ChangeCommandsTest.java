package io.sdds.cli.command.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sdds.cli.command.Sdds;
import io.sdds.testkit.EmbeddedCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** {@code sdds update} and {@code sdds delete} with conditions, against a cluster in this process. */
class ChangeCommandsTest {
    private static EmbeddedCluster cluster;

    @BeforeAll
    static void startCluster() {
        cluster = EmbeddedCluster.start(2);
    }

    @AfterAll
    static void stopCluster() {
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

    private static JsonNode json(String... args) throws IOException {
        List<String> all = new ArrayList<>(List.of(args));
        all.add("--json");
        return new ObjectMapper().readTree(done(all.toArray(String[]::new)));
    }

    private static String failed(int exitCode, String... args) {
        Sdds run = sdds(args);
        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(exitCode);
        assertThat(run.err()).hasLineCount(1);
        return run.err();
    }

    private static void people(String table, String kind) {
        done(
                "table",
                "create",
                table,
                "--kind",
                kind,
                "--schema",
                "country varchar key, name varchar key, visits integer not null default 0, city varchar(5)");
        done("put", table, "FR,Ada", "visits=1", "city=Paris");
        done("put", table, "FR,Bob", "visits=2", "city=Lyon");
        done("put", table, "UK,Cid", "visits=3");
    }

    @Test
    void parametersAreNeverPartOfAText() throws IOException {
        people("bound", "hash");
        done("update", "bound", "FR,Ada", "--set", "city = ?", "--param", "a'b");
        assertThat(done("get", "bound", "FR,Ada")).isEqualTo("FR\tAda\t1\ta'b\n");
        String[] many = {
            "update",
            "bound",
            "--where",
            "city = ?",
            "--set",
            "visits = cast(? as integer)",
            "--param",
            "a'b",
            "--param",
            "9"
        };
        assertThat(json(many).get("updated").intValue()).isEqualTo(1);
        assertThat(done("scan", "bound", "--where", "city = ? and visits = 9", "--param", "a'b"))
                .isEqualTo("FR\tAda\t9\ta'b\n");
        assertThat(done("scan", "bound", "--where", "city = ?", "--param", "' or true or city = '"))
                .isEmpty();
        done("delete", "bound", "FR,Ada", "--if", "city = ?", "--param", "a'b");
        assertThat(done("scan", "bound", "--count")).isEqualTo("2\n");
        assertThat(failed(2, "update", "bound", "FR,Bob", "--set", "city = ?"))
                .contains("--set, position 8: question mark 1 has no value");
        assertThat(failed(2, "scan", "bound", "--param", "x")).contains("--param: there is no --where with a ?");
    }

    @Test
    void theRecordOfAKeyIsUpdatedAndRemoved() throws IOException {
        people("one", "hash");
        assertThat(done("update", "one", "FR,Ada", "--set", "visits = visits + 10, city = 'Nice'"))
                .isEmpty();
        assertThat(done("get", "one", "FR,Ada")).isEqualTo("FR\tAda\t11\tNice\n");
        assertThat(failed(1, "update", "one", "FR,Ada", "--set", "visits = 0", "--if", "visits < 10"))
                .isEqualTo("sdds update: no record in table 'one' has key 'FR,Ada' and meets --if\n");
        assertThat(failed(1, "update", "one", "FR,Zoe", "--set", "visits = 0"))
                .isEqualTo("sdds update: no record in table 'one' has key 'FR,Zoe'\n");
        assertThat(json("update", "one", "FR,Ada", "--set", "visits = 0", "--if", "visits = 11")
                        .get("updated")
                        .booleanValue())
                .isTrue();
        assertThat(failed(1, "delete", "one", "FR,Ada", "--if", "visits > 0"))
                .isEqualTo("sdds delete: no record in table 'one' has key 'FR,Ada' and meets --if\n");
        assertThat(done("delete", "one", "FR,Ada", "--if", "visits = 0")).isEmpty();
        assertThat(done("scan", "one", "--count")).isEqualTo("2\n");
    }

    @Test
    void allRecordsThatMeetAConditionAreUpdatedAndRemoved() throws IOException {
        for (String kind : List.of("hash", "range")) {
            String table = "many_" + kind;
            people(table, kind);
            assertThat(done("update", table, "--where", "country = 'FR'", "--set", "visits = visits * 2"))
                    .isEqualTo("updated 2 records\n");
            assertThat(done("scan", table, "--select", "sum(visits) as n")).isEqualTo("9\n");
            JsonNode none = json("update", table, "--where", "country = 'DE'", "--set", "visits = 0");
            assertThat(none.get("updated").longValue()).isZero();
            assertThat(none.get("skipped").longValue()).isZero();
            assertThat(done("delete", table, "--where", "city is null")).isEqualTo("removed 1 record\n");
            assertThat(json("delete", table, "--where", "true").get("removed").longValue())
                    .isEqualTo(2);
            assertThat(done("scan", table, "--count")).isEqualTo("0\n");
        }
    }

    @Test
    void wrongUsageIsOneLineWithTheRemedy() {
        people("wrong", "hash");
        assertThat(failed(2, "update", "wrong", "--set", "visits = 1"))
                .startsWith("sdds update: missing KEY; add KEY, or --where for all records that meet a condition");
        assertThat(failed(2, "delete", "wrong")).startsWith("sdds delete: missing KEY; add KEY, or --where");
        assertThat(failed(2, "delete", "wrong", "FR,Ada", "--where", "true"))
                .isEqualTo("sdds delete: KEY and --where: use only one of them; --if tests the record of KEY\n");
        assertThat(failed(2, "update", "wrong", "--where", "true", "--if", "true", "--set", "visits = 1"))
                .isEqualTo("sdds update: --if is for one KEY: put the condition into --where\n");
        assertThat(failed(2, "delete", "wrong", "FR,Ada", "--if", "true", "--if-version", "1"))
                .isEqualTo("sdds delete: --if-version: use it alone, or _version = N in the condition\n");
        assertThat(failed(2, "update", "wrong", "FR,Ada", "--set", "visits ="))
                .startsWith("sdds update: --set, position 9: ");
        assertThat(failed(2, "update", "wrong", "FR,Ada", "--set", "visit = 1"))
                .isEqualTo("sdds update: set, position 1: no column 'visit'; did you mean 'visits'?\n");
        assertThat(failed(2, "update", "wrong", "FR,Ada", "--set", "name = 'x'"))
                .isEqualTo("sdds update: set, position 1: 'name' takes no value: it is no column of the value\n");
    }

    @Test
    void aValueThatDoesNotFitNamesColumnAndKeyAndChangesNothing() {
        people("fits", "hash");
        assertThat(failed(1, "update", "fits", "FR,Ada", "--set", "city = 'Marseille'"))
                .contains("column 'city': ")
                .contains("not applied");
        assertThat(failed(1, "update", "fits", "--where", "name = 'Bob'", "--set", "visits = 1 / (visits - 2)"))
                .contains("division by zero");
        assertThat(done("scan", "fits", "--select", "sum(visits) as n")).isEqualTo("6\n");
    }

    @Test
    void helpTellsTheChoices() {
        assertThat(Sdds.run("help", "update").out()).contains("--where", "--if", "--set");
        assertThat(Sdds.run("help", "delete").out()).contains("--where", "--if", "--if-version");
    }
}
