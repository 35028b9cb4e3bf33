package io.sdds.brick.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class MigrationPaceTest {
    private static final int SLICE = 48 << 10;

    @Test
    void slicesLeaveAtTheRateHoweverManyCopiesSendThem() {
        MigrationPace pace = new MigrationPace(0);
        long now = 0;
        long sent = 0;
        while (now < 1_000_000_000L) {
            for (int copy = 0; copy < 4; copy++) {
                pace.spend(now, SLICE);
                sent += SLICE;
            }
            assertThat(pace.waitNanos(now)).isPositive();
            now += pace.waitNanos(now);
        }
        assertThat((double) sent / MigrationPace.BYTES_PER_SECOND).isCloseTo(1, within(0.02));
    }

    @Test
    void timeInWhichNothingLeftIsNotMadeUpFor() {
        MigrationPace pace = new MigrationPace(0);
        assertThat(pace.waitNanos(7_000_000_000L)).isZero();
        pace.spend(7_000_000_000L, SLICE);
        assertThat(pace.waitNanos(7_000_000_000L)).isEqualTo(2_929_687L);
    }
}
