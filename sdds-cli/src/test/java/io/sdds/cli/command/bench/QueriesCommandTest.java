package io.sdds.cli.command.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sdds.cli.command.Sdds;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

@Order(1)
class QueriesCommandTest {
    @Test
    void measuresQueriesOfBothKindsOfTables() {
        Sdds run = Sdds.run("bench", "queries", "--quick", "--embedded");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("2 bricks in this JVM", "range table, 20,000 rows", "hash table, 20,000 rows")
                .containsPattern("filter +bricks +[\\d.,]+ +[\\d,]+ +[\\d,]+ +\\d+\n")
                .containsPattern("filter +records +[\\d.,]+ +[\\d,]+ +[\\d,]+ +20,000 +[\\d.]+\n")
                .containsPattern("group by +client +[\\d.,]+ +[\\d,]+ +[\\d,]+ +1,000 +[\\d.]+\n")
                .containsPattern("top 10 +bricks +[\\d.,]+ +[\\d,]+ +[\\d,]+ +10\n")
                .containsPattern("p99 with queries over that without: [\\d.]+");
    }

    @Test
    void theDocumentHasAllThatWasMeasured() throws IOException {
        Sdds run = Sdds.run("bench", "queries", "--quick", "--embedded", "--kind", "range", "--json");
        JsonNode document = new ObjectMapper().readTree(run.out());
        JsonNode table = document.get("tables").get(0);

        assertThat(document.get("tables")).hasSize(1);
        assertThat(table.get("figures")).hasSize(7);
        assertThat(table.get("figures").get(1).get("place").textValue()).isEqualTo("RECORDS");
        assertThat(bytes(table, 0))
                .as("bytes of one percent of the rows")
                .isPositive()
                .isLessThan(bytes(table, 1) / 20);
        assertThat(table.get("cancels").get("max_millis").doubleValue()).isNotNegative();
        assertThat(table.get("gets")
                        .get("pairs")
                        .get(0)
                        .get("quiet")
                        .get("p99_micros")
                        .doubleValue())
                .isPositive();
    }

    private static long bytes(JsonNode table, int figure) {
        return table.get("figures").get(figure).get("received_bytes").longValue();
    }

    @Test
    void zeroOfAPartLeavesItOut() {
        Sdds run = Sdds.run(
                "bench", "queries", "--quick", "--embedded", "--kind", "hash", "--pairs", "0", "--cancels", "0");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("filter").doesNotContain("cancel to", "gets:");
    }

    @Test
    void settingsOutOfRangeAreWrongUsage() {
        for (List<String> wrong : List.of(List.of("--rows", "999"), List.of("--bricks", "0"))) {
            Sdds run = Sdds.run("bench", "queries", "--embedded", wrong.get(0), wrong.get(1));
            assertThat(run.exitCode()).as(wrong.toString()).isEqualTo(2);
        }
    }
}
