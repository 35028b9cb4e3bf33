package io.sdds.cli.command.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sdds.cli.command.Sdds;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class LookupsCommandTest {
    @Test
    void measuresStatementsBesideGets() throws IOException {
        Sdds run = Sdds.run("bench", "lookups", "--quick", "--embedded", "--threads", "2", "--json");
        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode document = new ObjectMapper().readTree(run.out());

        assertThat(document.get("rounds")).hasSize(2);
        for (JsonNode round : document.get("rounds")) {
            assertThat(round.get("get").doubleValue()).isPositive();
            assertThat(round.get("jdbc").doubleValue()).isPositive();
        }
    }

    @Test
    void settingsOutOfRangeAreWrongUsage() {
        for (List<String> wrong : List.of(List.of("--threads", "0"), List.of("--bricks", "0"))) {
            Sdds run = Sdds.run("bench", "lookups", "--embedded", wrong.get(0), wrong.get(1));
            assertThat(run.exitCode()).as(wrong.toString()).isEqualTo(2);
        }
    }
}
