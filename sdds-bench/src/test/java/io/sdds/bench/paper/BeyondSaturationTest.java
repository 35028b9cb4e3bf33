package io.sdds.bench.paper;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.bench.load.BrickFigures;
import io.sdds.bench.load.Latency;
import io.sdds.bench.load.Machine;
import io.sdds.bench.load.OverloadResult;
import io.sdds.bench.load.OverloadResult.Step;
import io.sdds.bench.load.OverloadSettings;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What is told of overload, of steps that are made up. */
class BeyondSaturationTest {
    private static final String AT_TEN = "10 times the saturating load ";

    @Test
    void whatIsSustainedInTimeAndWithoutMemoryMeetsItsGoals() {
        List<Comparison> all = BeyondSaturation.comparisons(
                "1 brick",
                result(
                        List.of(closed(1, 1000, 100, 200, 0), closed(10, 900, 500, 210, 0)),
                        List.of(open(1, 990, 900, 212, 0), open(10, 1100, 400, 218, 0))));

        assertThat(all).allMatch(Comparison::isMet);
        assertThat(goal(all, "of the peak at " + AT_TEN + "outstanding, 1 brick"))
                .isEqualTo("0.9 ≥ 0.9");
        assertThat(goal(all, "of the peak at " + AT_TEN + "offered, 1 brick")).isEqualTo("1.1 ≥ 0.9");
        assertThat(goal(all, "p99 at " + AT_TEN + "outstanding over that at saturation, 1 brick"))
                .isEqualTo("5 ≤ 5");
        assertThat(goal(all, "p99 at " + AT_TEN + "offered over that at saturation, 1 brick"))
                .isEqualTo("4 ≤ 5");
        assertThat(goal(all, "memory after " + AT_TEN + "outstanding over before, 1 brick"))
                .isEqualTo("1.05 ≤ 1.1");
        assertThat(goal(all, "memory after all steps over after the first, 1 brick"))
                .isEqualTo("1.09 ≤ 1.1");
    }

    @Test
    void eachFigureThatIsTooBadMissesItsGoal() {
        List<Comparison> all = BeyondSaturation.comparisons(
                "1 brick",
                result(
                        List.of(closed(1, 1000, 100, 200, 0), closed(10, 800, 600, 250, 1)),
                        List.of(open(10, 700, 900, 300, 2))));

        assertThat(all.stream().filter(each -> !each.isMet()))
                .extracting(Comparison::what)
                .containsExactly(
                        "of the peak at " + AT_TEN + "outstanding, 1 brick",
                        "of the peak at " + AT_TEN + "offered, 1 brick",
                        "p99 at " + AT_TEN + "outstanding over that at saturation, 1 brick",
                        "p99 at " + AT_TEN + "offered over that at saturation, 1 brick",
                        "memory after " + AT_TEN + "outstanding over before, 1 brick",
                        "memory after " + AT_TEN + "offered over before, 1 brick",
                        "memory after all steps over after the first, 1 brick",
                        "operations that failed, 1 brick");
        assertThat(goal(all, "operations that failed, 1 brick")).isEqualTo("3 ≤ 0");
    }

    @Test
    void memoryIsDrawnAndComparedOnlyOfBricksThatWereFound() {
        OverloadResult seen = result(List.of(closed(1, 1000, 100, 200, 0)), List.of(open(10, 900, 400, 210, 0)));
        OverloadResult unseen = result(List.of(withoutBricks(seen.closed().get(0))), seen.open());

        assertThat(BeyondSaturation.panels(Map.of(1, seen)))
                .extracting(Panel::title)
                .containsExactly(
                        "a) Throughput",
                        "b) Latency",
                        "c) Throughput, offered at a rate",
                        "d) Latency, offered at a rate",
                        "e) Memory of the bricks' processes");
        assertThat(BeyondSaturation.panels(Map.of(1, unseen))).hasSize(4);
        assertThat(BeyondSaturation.comparisons("1 brick", unseen))
                .extracting(Comparison::what)
                .noneMatch(what -> what.startsWith("memory"));
    }

    private static String goal(List<Comparison> all, String what) {
        Comparison found = all.stream()
                .filter(each -> each.what().equals(what))
                .findFirst()
                .orElseThrow();
        return Comparison.number(found.ours()) + " "
                + Objects.requireNonNull(found.goal()).text();
    }

    private static OverloadResult result(List<Step> closed, List<Step> open) {
        Machine machine = new Machine(2, "Some CPU", "Linux", "Some VM", List.of(), 1 << 30, 0.5);
        return new OverloadResult(OverloadSettings.defaults(), machine, List.of(), 100, 1000, 100, closed, open);
    }

    private static Step closed(double factor, double goodput, double p99Micros, long memory, long wrong) {
        return step(factor, (int) (100 * factor), goodput, p99Micros, memory, wrong);
    }

    private static Step open(double factor, double goodput, double p99Micros, long memory, long wrong) {
        return step(factor, 0, goodput, p99Micros, memory, wrong);
    }

    /** Of a brick that had 200 bytes before. */
    private static Step step(
            double factor, int outstanding, double goodput, double p99Micros, long memory, long wrong) {
        Latency latency = new Latency(1, 1, 1, p99Micros, p99Micros, p99Micros, p99Micros);
        BrickFigures bricks = new BrickFigures(1, 1, 200, memory);
        return new Step(
                factor, 1, outstanding, 1000 * factor, goodput, 0, 0, 0, 0, wrong, null, latency, List.of(), 1, bricks);
    }

    private static Step withoutBricks(Step step) {
        return new Step(
                step.factor(),
                step.connections(),
                step.outstanding(),
                step.offeredPerSecond(),
                step.goodputPerSecond(),
                0,
                0,
                0,
                0,
                0,
                null,
                step.latency(),
                List.of(),
                1,
                new BrickFigures(0, 0, 0, 0));
    }
}
