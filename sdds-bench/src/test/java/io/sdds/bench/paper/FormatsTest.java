package io.sdds.bench.paper;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.bench.load.LoadReports;
import io.sdds.bench.load.Machine;
import io.sdds.bench.paper.Panel.Axis;
import io.sdds.bench.paper.Panel.Curve;
import io.sdds.bench.paper.Panel.Point;
import io.sdds.bench.paper.Panel.Source;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FormatsTest {
    private static final Findings FINDINGS = new Findings(
            "lh-0",
            "A paper, Figure 0",
            "one brick",
            new Machine(2, "Some CPU", "Linux", "Some VM", List.of(), 1 << 30, 0.5),
            List.of(
                    Comparison.of("build time, 1 client", "s", 330.0, 12345.678),
                    Comparison.of("ratio", "×", null, 0.5).atLeast(1),
                    Comparison.of("other \"ratio\"", "×", 2.0, 0.5).atMost(1.1)),
            List.of(new Panel(
                    "a) Time",
                    Axis.linear("clients"),
                    Axis.logarithmic("time, s"),
                    List.of(
                            new Curve("SDDS", Source.OURS, List.of(new Point(1, 12345.678))),
                            new Curve("paper", Source.PAPER, List.of(new Point(1, 330)))))),
            List.of());

    @Test
    void comparisonsAreLinesWithThePaperBesideOurs() {
        assertThat(Csv.comparisons(List.of(FINDINGS)).lines())
                .containsExactly(
                        "experiment,figure,unit,paper,ours,goal,met",
                        "lh-0,\"build time, 1 client\",s,330.000,12345.7,,",
                        "lh-0,ratio,×,,0.500000,≥ 1,no",
                        "lh-0,\"other \"\"ratio\"\"\",×,2.00000,0.500000,≤ 1.1,yes");
    }

    @Test
    void pointsNameTheirCurveAndAxes() {
        assertThat(Csv.points(FINDINGS).lines())
                .containsExactly(
                        "experiment,panel,curve,source,x,x_axis,y,y_axis",
                        "lh-0,a) Time,SDDS,ours,1.00000,clients,12345.7,\"time, s\"",
                        "lh-0,a) Time,paper,paper,1.00000,clients,330.000,\"time, s\"");
    }

    @Test
    void documentTellsWhetherGoalsAreMet() {
        Map<String, Object> document = LoadReports.document("sdds bench paper lh-0", FINDINGS);
        assertThat(document).containsEntry("experiment", "lh-0").containsKeys("comparisons", "panels", "machine");
        assertThat(document.get("comparisons")).asString().contains("paper=330.0", "met=false", "limit=1.1");
        assertThat(document.get("panels")).asString().contains("source=PAPER", "logarithmic=true");
    }

    @Test
    void numbersHaveThreeDigitsThatCount() {
        assertThat(List.of(0.0, 0.34, 1.0, 1.94, 13.6, 330.0, 1043.4, 0.0004))
                .extracting(Comparison::number)
                .containsExactly("0", "0.34", "1", "1.94", "13.6", "330", "1,043", "0.0004");
    }
}
