package io.sdds.cli.command.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sdds.cli.command.Sdds;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class CostsCommandTest {
    @Test
    void measuresEachPart() throws IOException {
        Sdds run = Sdds.run("bench", "costs", "--quick", "--embedded", "--rows", "2000", "--json");
        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode document = new ObjectMapper().readTree(run.out());

        assertThat(document.get("costs")).hasSize(11);
        assertThat(document.get("statements"))
                .hasSize(12)
                .allSatisfy(statement ->
                        assertThat(statement.get("millis").doubleValue()).isPositive());
    }

    @Test
    void settingsOutOfRangeAreWrongUsage() {
        for (List<String> wrong : List.of(List.of("--rows", "10"), List.of("--rounds", "0"))) {
            Sdds run = Sdds.run("bench", "costs", "--embedded", wrong.get(0), wrong.get(1));
            assertThat(run.exitCode()).as(wrong.toString()).isEqualTo(2);
        }
    }
}
