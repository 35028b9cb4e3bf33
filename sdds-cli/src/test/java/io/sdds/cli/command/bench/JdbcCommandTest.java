package io.sdds.cli.command.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sdds.cli.command.Sdds;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class JdbcCommandTest {
    /** Nothing listens there. */
    private static final String NO_SERVER = "jdbc:postgresql://127.0.0.1:1/nobody";

    @Test
    void measuresDriversBesideTableAndNamesThoseThatAreAbsent() throws IOException {
        Sdds run = Sdds.run(
                "bench", "jdbc", "--quick", "--embedded", "--peers", "postgresql", "--postgresql", NO_SERVER, "--json");
        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode document = new ObjectMapper().readTree(run.out());

        assertThat(document.get("failures")).as(document.toString()).isEmpty();
        assertThat(document.get("absent")).hasSize(1);
        assertThat(document.get("absent").get(0).textValue()).startsWith("PostgreSQL: ");
        assertThat(document.get("lines")).hasSize(14);
        assertThat(document.get("lines").get(0).get("ratios").get("Table").doubleValue())
                .isPositive();
        for (JsonNode line : document.get("lines")) {
            assertThat(line.get("figures").get("SDDS").doubleValue())
                    .as(line.toString())
                    .isPositive();
        }
    }

    @Test
    void settingsOutOfRangeAreWrongUsage() {
        for (List<String> wrong : List.of(List.of("--threads", "1"), List.of("--peers", "oracle"))) {
            Sdds run = Sdds.run("bench", "jdbc", "--embedded", wrong.get(0), wrong.get(1));
            assertThat(run.exitCode()).as(wrong.toString()).isEqualTo(2);
        }
    }
}
