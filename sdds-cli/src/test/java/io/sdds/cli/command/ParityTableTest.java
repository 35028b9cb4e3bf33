package io.sdds.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
        assertThat(done("status")).contains("COPIES", "parity 2,1", "CAN LOSE", "1 brick");
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
        }
        assertThat(partitions).as("four columns and two parities").isGreaterThanOrEqualTo(6);
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
