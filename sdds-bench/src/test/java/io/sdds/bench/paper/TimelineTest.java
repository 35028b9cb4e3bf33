package io.sdds.bench.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sdds.bench.load.BuildResult;
import io.sdds.bench.load.BuildResult.Span;
import io.sdds.bench.load.BuildSettings;
import io.sdds.bench.load.LatencyTrace;
import io.sdds.bench.load.Traces;
import io.sdds.bench.paper.Panel.Point;
import io.sdds.client.TableOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimelineTest {
    private static final LatencyTrace EIGHT = Traces.inARow(10, 10, 20, 20, 20, 20, 30, 30);

    private static Timeline of(LatencyTrace... traces) {
        BuildSettings settings = new BuildSettings("t", TableOptions.defaults(), traces.length, 1, 8, 1);
        return new Timeline(
                new BuildResult(settings, 1, List.of(new BuildResult.Size(0, 0, 1)), List.of(), List.of(traces)));
    }

    @Test
    void buildTimeIsThatOfTheInsertsOfAllClients() {
        Timeline line = of(Traces.inARow(10, 10), Traces.inARow(15, 15));
        assertThat(line.inserts()).isEqualTo(4);
        assertThat(line.buildSeconds(1)).isCloseTo(10e-6, within(1e-12));
        assertThat(line.buildSeconds(2)).isCloseTo(15e-6, within(1e-12));
        assertThat(line.buildSeconds(4)).isCloseTo(30e-6, within(1e-12));
        assertThat(line.insertMicros(4)).isCloseTo(7.5, within(1e-9));
        assertThat(line.throughput(4)).isCloseTo(4 / 30e-6, within(1e-3));
    }

    @Test
    void lastQuarterIsHeldAgainstTheSecond() {
        assertThat(of(EIGHT).lastQuarterOverSecond()).isCloseTo(1.5, within(1e-9));
    }

    @Test
    void movingMeanFollowsTheWindow() {
        assertThat(Timeline.moving(Traces.inARow(2, 4, 6, 8), 2).stream().map(Point::y))
                .containsExactly(3.0, 5.0, 7.0);
        assertThat(Timeline.moving(Traces.inARow(2, 4), 500).stream().map(Point::y))
                .containsExactly(3.0);
    }

    @Test
    void binsHaveTheirSlowestAndTheirMean() {
        // Bins of 40 µs each: the first ends with the third insert, which ends at 40 and counts in the second.
        assertThat(Timeline.inBins(EIGHT, 4, true).stream().map(Point::y)).containsExactly(10.0, 20.0, 20.0, 30.0);
        assertThat(Timeline.inBins(Traces.inARow(10, 30), 1, false).stream().map(Point::y))
                .containsExactly(20.0);
    }

    @Test
    void worstInsertDuringSplitsOverlapsOne() {
        LatencyTrace trace = Traces.inARow(50, 10, 20, 90);
        assertThat(Timeline.worstMicros(trace, List.of(new Span(55e-6, 70e-6)))).isEqualTo(20);
        assertThat(Timeline.worstMicros(trace, List.of(new Span(0, 10e-6), new Span(61e-6, 62e-6))))
                .isEqualTo(50);
        assertThat(Timeline.worstMicros(trace, List.of())).isZero();
    }

    @Test
    void spreadIsThatOfTheTrace() {
        LatencyTrace trace = Traces.inARow(10, 30);
        assertThat(Timeline.meanMicros(trace)).isEqualTo(20);
        assertThat(Timeline.medianMicros(trace)).isEqualTo(20);
        assertThat(Timeline.deviationMicros(trace)).isEqualTo(10);
        assertThat(Timeline.worstMicros(trace)).isEqualTo(30);
        assertThat(Timeline.meanMicros(trace, 0, 20e-6)).isEqualTo(10);
        assertThat(Timeline.meanMicros(trace, 1, 2)).isZero();
    }
}
