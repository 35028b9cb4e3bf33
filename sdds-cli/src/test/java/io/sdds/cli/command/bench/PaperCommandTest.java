package io.sdds.cli.command.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sdds.cli.command.Sdds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Order(1)
class PaperCommandTest {
    @TempDir
    private Path directory;

    private Sdds paper(String... args) {
        List<String> all = new ArrayList<>(List.of("bench", "paper", "--quick", "--bricks", "2"));
        all.addAll(List.of("--out", directory.resolve("figures").toString()));
        all.addAll(List.of(args));
        return Sdds.run(all.toArray(String[]::new));
    }

    @Test
    void printsThePaperBesideOursAndDrawsIt() throws IOException {
        Path csv = directory.resolve("all.csv");
        Sdds run = paper("--embedded", "--csv", csv.toString(), "lh-10", "lh-7");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("lh-7: LH*LH, Figure 7", "lh-10: LH*LH, Figure 10", "2 bricks in this JVM")
                .containsPattern("PAPER +OURS +UNIT +GOAL")
                .containsPattern("worst insert, 1 client +7 +[\\d.,]+ +ms\n")
                .contains("picture: " + directory.resolve("figures/lh-10.png"));
        assertThat(directory.resolve("figures")).isDirectoryContaining("glob:**/lh-7.png");
        assertThat(directory.resolve("figures/lh-10.csv")).content().contains("lh-10,");
        assertThat(Files.readString(csv)).startsWith("experiment,").contains("lh-7,", "lh-10,");
    }

    @Test
    void theDocumentHasAllThatWasMeasured() throws IOException {
        Sdds run = paper("--embedded", "--json", "lh-7");
        JsonNode document = new ObjectMapper().readTree(run.out());
        JsonNode experiment = document.get("experiments").get(0);

        assertThat(document.get("command").textValue()).isEqualTo("sdds bench paper lh-7 --quick");
        assertThat(experiment.get("experiment").textValue()).isEqualTo("lh-7");
        assertThat(experiment.get("comparisons").get(0).get("paper").doubleValue())
                .isEqualTo(2_700);
        assertThat(experiment.get("comparisons").get(0).get("ours").doubleValue())
                .isPositive();
        assertThat(experiment.get("panels").size()).isEqualTo(2);
        assertThat(Path.of(experiment.get("picture").textValue())).exists();
    }

    @Test
    void stepsBeyondSaturationLastAsLongAsIsSaid() throws IOException {
        Sdds run = paper("--embedded", "--json", "--duration", "60ms", "dds-5");
        JsonNode document = new ObjectMapper().readTree(run.out());

        assertThat(document.get("command").textValue()).isEqualTo("sdds bench paper dds-5 --duration 60ms --quick");
        assertThat(document.get("experiments").get(0).get("setting").textValue())
                .contains("reads of 150 bytes", "0.06 s a step");
    }

    @Test
    void aNameThatIsNoneIsToldBeforeAnythingRuns() {
        Sdds run = paper("lh-5");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .isEqualTo(
                        "sdds bench paper: there is no experiment 'lh-5': it is one of lh-6, lh-7, lh-8, lh-9, lh-10,"
                                + " lh-11, dds-5, dds-6, dds-7, dds-8, rp-1, rp-2, rp-3, rp-4, rp-5, rp-6, rp-7,"
                                + " rs-2, rs-3, rs-4, rs-5, rs-t1, rs-t2, rs-t3, rs-kill, rs-recovery, rs-cost,"
                                + " amos-1, amos-2, amos-3, or all\n");
        assertThat(directory.resolve("figures")).doesNotExist();
    }

    @Test
    void bricksOfOthersAreNotKilled() {
        Sdds run = paper("dds-8", "--connect", "127.0.0.1:1");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err())
                .isEqualTo("sdds bench paper: this experiment watches and kills bricks, which shall be its own, not"
                        + " those of the cluster at 127.0.0.1:1: leave the address away\n");
    }

    @Test
    void wrongUsageIsOneLine() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");
        for (List<String> args : List.of(
                List.<String>of(),
                List.of("lh-6", "--bricks", "0"),
                List.of("dds-5", "--replicas", "6"),
                List.of("dds-5", "--duration", "0s"),
                List.of("dds-5", "--duration", "ten"),
                List.of("lh-6", "--embedded", "--connect", "127.0.0.1:1"),
                List.of("lh-6", "--out", file.toString()),
                List.of("lh-6", "--csv", directory.resolve("none/x.csv").toString()))) {
            List<String> all = new ArrayList<>(List.of("bench", "paper"));
            all.addAll(args);
            Sdds run = Sdds.run(all.toArray(String[]::new));
            assertThat(run.exitCode()).as(run.err()).isIn(1, 2);
            assertThat(run.err().lines()).as(run.err()).hasSize(1);
            assertThat(run.out()).isEmpty();
        }
    }
}
