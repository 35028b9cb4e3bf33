package io.sdds.cli.command.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sdds.cli.command.Sdds;
import io.sdds.client.TableInfo;
import io.sdds.testkit.EmbeddedCluster;
import java.io.IOException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the commands tell of tables with parity. */
class ParityTableTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static EmbeddedCluster cluster;

    @BeforeAll
    static void start() {
        cluster = EmbeddedCluster.start(3);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static String done(String... command) {
        return doneBy(cluster, command);
    }

    private static String doneBy(EmbeddedCluster cluster, String... command) {
        String[] args = new String[command.length + 2];
        args[0] = "--connect";
        args[1] = cluster.address();
        System.arraycopy(command, 0, args, 2, command.length);
        Sdds run = Sdds.run(args);
        assertThat(run.exitCode()).as(run.err()).isZero();
        return run.out();
    }

    @Test
    void createDescribeListAndStatusShowTheParity() throws IOException {
        assertThat(done("table", "create", "safe", "--parity", "2,1", "--partitions", "3"))
                .isEqualTo("created table safe: hash, 64.0 MiB a partition, parity 2,1\n");
        assertThat(done("table", "describe", "safe"))
                .contains("parity      2,1\n", "partitions  4\n", "PARITIES")
                .doesNotContain("replicas");
        assertThat(done("table", "list")).contains("COPIES", "parity 2,1");
        assertThat(done("status")).contains("COPIES", "parity 2,1", "CAN LOSE", "1 brick", "\nerasure kernel ");
        ObjectMapper json = new ObjectMapper();
        JsonNode described = json.readTree(done("table", "describe", "safe", "--json"));
        assertThat(described.get("parity").toString()).isEqualTo("{\"columns\":2,\"parities\":1}");
        assertThat(described.get("partitions")).hasSize(4);
        assertThat(described.get("idle_columns")).isEmpty();
        for (JsonNode partition : described.get("partitions")) {
            assertThat(partition.get("parities")).hasSize(1);
            assertThat(partition.get("parities").get(0)).isNotEqualTo(partition.get("brick"));
        }
        int partitions = 0;
        for (JsonNode brick : json.readTree(done("status", "--json")).get("bricks")) {
            partitions += brick.get("partitions").intValue();
            assertThat(brick.get("erasure_kernel").textValue()).isIn("isal", "vector", "reed-solomon");
        }
        assertThat(partitions).as("four columns and two parities").isGreaterThanOrEqualTo(6);
    }

    @Test
    void alterChangesTheNumberOfParitiesAndWaits() throws IOException {
        try (EmbeddedCluster four = EmbeddedCluster.start(4)) {
            doneBy(four, "table", "create", "safe", "--parity", "2,1", "--partitions", "4");
            assertThat(doneBy(four, "table", "alter", "safe", "--parity", "2,2"))
                    .isEqualTo("table safe has parity 2,2 and can lose 2 bricks\n");
            assertThat(doneBy(four, "table", "alter", "safe", "--min-parities", "2"))
                    .isEqualTo("table safe has parity 2,2 and can lose 2 bricks; it takes writes with at least 2"
                            + " parities\n");
            assertThat(doneBy(four, "table", "describe", "safe"))
                    .contains("parity      2,2, writes with at least 2 parities\n");
            assertThat(doneBy(four, "table", "alter", "safe", "--parity", "2,2", "--min-parities", "0"))
                    .contains("at least 0 parities");
            JsonNode lowered =
                    new ObjectMapper().readTree(doneBy(four, "table", "alter", "safe", "--parity", "2,1", "--json"));
            assertThat(lowered.get("parity").toString()).isEqualTo("{\"columns\":2,\"parities\":1}");
            assertThat(lowered.get("can_lose_bricks").intValue()).isEqualTo(1);
            assertThat(doneBy(four, "table", "alter", "safe", "--parity", "2,auto", "--no-wait"))
                    .isEqualTo("table safe has parity 2,1 auto and can lose 1 brick\n");
            assertThat(doneBy(four, "table", "describe", "safe")).contains("parity      2,1 (auto)\n");
        }
    }

    @Test
    void alterChangesTheNumberOfCopiesAndWaits() throws IOException {
        done("table", "create", "kept", "--partitions", "2");
        assertThat(done("table", "alter", "kept", "--replicas", "3"))
                .isEqualTo("table kept has 3 replicas and can lose 2 bricks\n");
        assertThat(done("table", "describe", "kept")).contains("replicas    3\n");
        JsonNode lowered = new ObjectMapper().readTree(done("table", "alter", "kept", "--replicas", "1", "--json"));
        assertThat(lowered.get("replicas").intValue()).isEqualTo(1);
        assertThat(lowered.get("missing_copies").intValue()).isZero();
        assertThat(lowered.get("extra_copies").intValue()).isZero();
        assertThat(lowered.get("can_lose_bricks").intValue()).isZero();
    }

    @Test
    void createTakesTheNumberOfParitiesForWrites() {
        assertThat(done("table", "create", "cautious", "--parity", "2,1", "--min-parities", "1"))
                .isEqualTo("created table cautious: hash, 64.0 MiB a partition, parity 2,1, writes with at least 1"
                        + " parity\n");
        assertThat(done("table", "describe", "cautious", "--json")).contains("\"min_parities\" : 1");
        for (String[] wrong : new String[][] {{"--parity", "2,1", "--min-parities", "2"}, {"--min-parities", "1"}}) {
            String[] command = new String[wrong.length + 3];
            System.arraycopy(new String[] {"table", "create", "wrong"}, 0, command, 0, 3);
            System.arraycopy(wrong, 0, command, 3, wrong.length);
            assertThat(Sdds.run(command).exitCode()).isEqualTo(2);
        }
    }

    @Test
    void alterTakesEitherParityOrReplicas() {
        for (String[] options :
                new String[][] {{}, {"--parity", "2,1", "--replicas", "2"}, {"--replicas", "0"}, {"--replicas", "6"}}) {
            String[] command = new String[options.length + 3];
            System.arraycopy(new String[] {"table", "alter", "any"}, 0, command, 0, 3);
            System.arraycopy(options, 0, command, 3, options.length);
            Sdds run = Sdds.run(command);
            assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
            assertThat(run.err()).contains("replicas");
        }
    }

    @Test
    void alterIsRefusedInOneLine() {
        done("table", "create", "fixed", "--parity", "2,1");
        done("table", "create", "copies", "--replicas", "2");
        assertThat(failed("table", "alter", "fixed", "--parity", "2,2"))
                .isEqualTo("sdds table alter: not enough bricks: there are 3, and parity 2,2 needs 4; start 1 more, or"
                        + " choose another --parity\n");
        assertThat(failed("table", "alter", "fixed", "--parity", "4,1"))
                .contains("table 'fixed' has parity 2,1: its M stays 2, and cannot become 4");
        assertThat(failed("table", "alter", "copies", "--parity", "2,2"))
                .isEqualTo("sdds table alter: not enough bricks: there are 3, and the conversion to parity 2,2 needs 4;"
                        + " start 1 more, or choose another --parity\n");
        assertThat(failed("table", "alter", "none", "--parity", "2,1")).contains("no table 'none'");
        assertThat(failed("table", "alter", "copies", "--replicas", "4"))
                .isEqualTo("sdds table alter: not enough bricks: there are 3, and 4 replicas need 4; start 1 more, or"
                        + " choose fewer --replicas\n");
        assertThat(failed("table", "alter", "fixed", "--replicas", "3"))
                .isEqualTo("sdds table alter: not enough bricks: there are 3, and the conversion to 3 replicas needs 4;"
                        + " start 1 more, or choose fewer --replicas\n");
        done("table", "create", "strict", "--replicas", "2", "--min-copies", "2");
        assertThat(failed("table", "alter", "strict", "--replicas", "1"))
                .contains("table 'strict' refuses writes with fewer than 2 copies, so it cannot have 1 replica");
    }

    private static String failed(String... command) {
        String[] args = new String[command.length + 2];
        args[0] = "--connect";
        args[1] = cluster.address();
        System.arraycopy(command, 0, args, 2, command.length);
        Sdds run = Sdds.run(args);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err().lines()).hasSize(1);
        return run.err();
    }

    @Test
    void aRangeTableBeginsWithOnePartition() throws IOException {
        done("table", "create", "ordered", "--kind", "range", "--parity", "2,1");
        JsonNode described = new ObjectMapper().readTree(done("table", "describe", "ordered", "--json"));
        assertThat(described.get("partitions")).hasSize(1);
        assertThat(described.get("partitions").get(0).get("parities")).hasSize(1);
    }

    @Test
    void aLostParityIsMissingWhenNoBrickCanTakeIt() {
        try (EmbeddedCluster three = EmbeddedCluster.start(3)) {
            doneBy(three, "table", "create", "safe", "--parity", "2,1");
            TableInfo whole = three.client().status(true).tables().getFirst();
            assertThat(whole.health().canLose()).isEqualTo(1);
            String parity = three.client()
                    .status(true)
                    .partitions()
                    .getFirst()
                    .parities()
                    .getFirst();
            three.kill(Integer.parseInt(parity.substring(1)));
            Awaitility.await()
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(doneBy(three, "table", "describe", "safe"))
                            .contains(
                                    "can lose    0 bricks; 1 parity missing, no brick is up that can take what is lost")
                            .containsPattern("\\n +0 +1 +b\\d +missing +0 "));
        }
    }
}
