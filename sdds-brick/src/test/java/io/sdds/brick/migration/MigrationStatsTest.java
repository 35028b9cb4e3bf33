package io.sdds.brick.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.model.MigrationCounters;
import org.junit.jupiter.api.Test;

class MigrationStatsTest {
    private final MigrationStats stats = new MigrationStats();

    @Test
    void addsUpHowLongWritesWaitedInEachTryToSwitch() {
        stats.roundBegan();
        stats.writesWait(1_000_000);
        stats.requestParked();
        stats.writesWait(2_000_000);
        stats.requestRefused();
        stats.switchTimedOut();
        stats.writesGoOn(51_000_000);
        stats.writesGoOn(60_000_000);
        stats.writesWait(100_000_000);
        stats.writesGoOn(103_000_000);
        assertThat(stats)
                .hasToString("0 records in 1 rounds, writes waited 53000 us, 50000 us at most, 1 requests parked, 1"
                        + " refused, 1 time-outs");
        assertThat(stats.counters(true, 7)).isEqualTo(new MigrationCounters(1, 0, 0, 7, 1, 53_000, 50_000, 1, 1, 1));
        assertThat(stats.counters(false, 7).plus(stats.counters(true, 8)))
                .isEqualTo(new MigrationCounters(1, 1, 0, 15, 2, 106_000, 50_000, 2, 2, 2));
    }

    @Test
    void countsTheRecordsOfAllRounds() {
        stats.roundBegan();
        stats.recordSent();
        stats.roundBegan();
        stats.recordSent();
        stats.recordSent();
        assertThat(stats)
                .asString()
                .startsWith("3 records in 2 rounds, writes waited 0 us, 0 us at most, 0 requests parked");
    }
}
