package io.sdds.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PaceTest {
    private static final long BEGIN = -7_000_000_000L;
    private static final long MILLI = 1_000_000;

    private final Pace pace = new Pace(BEGIN);

    private void endsAt(long... millis) {
        for (long each : millis) {
            pace.add(BEGIN + each * MILLI, each * 1_000);
        }
    }

    @Test
    void countsWhatEndsInEachTenthOfASecond() {
        endsAt(10, 20, 99, 100, 350);
        assertThat(pace.steps()).isEqualTo(4);
        assertThat(pace.perSecond(0)).isEqualTo(30);
        assertThat(pace.perSecond(1)).isEqualTo(10);
        assertThat(pace.perSecond(2)).isZero();
        assertThat(pace.perSecond(0.05, 0.45)).as("whole steps only").isCloseTo(20.0 / 3, within(0.01));
        assertThat(pace.perSecond(0.11, 0.19)).as("no whole step").isZero();
    }

    @Test
    void aWhileWithoutAnEndCountsWhereItEnded() {
        endsAt(50, 60, 460, 470, 600);
        assertThat(pace.longestGapSeconds(0, 0.1)).isEqualTo(0.05);
        assertThat(pace.longestGapSeconds(0.1, 0.4)).isZero();
        assertThat(pace.longestGapSeconds(0.1, 1)).isEqualTo(0.4);
        assertThat(pace.gaps(0, 1, 0.1)).isEqualTo(2);
        assertThat(pace.gaps(0, 1, 0.4)).isEqualTo(1);
        assertThat(pace.slowestSeconds(0, 0.4)).isEqualTo(60e-6);
    }

    @Test
    void tellsWhenARateIsReached() {
        endsAt(10, 20, 30, 410, 450, 460);
        assertThat(pace.secondsUntil(0.15, 30)).isCloseTo(0.35, within(1e-9));
        assertThat(pace.secondsUntil(0.15, 40)).isInfinite();
    }

    @Test
    void aLongRunHasRoom() {
        endsAt(1, 1_000_000);
        assertThat(pace.steps()).isEqualTo(10_001);
        assertThat(pace.longestGapSeconds(0, 1001)).isEqualTo(999.999);
    }
}
