package io.sdds.brick.migration;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MigrationStatsTest {
    private final MigrationStats stats = new MigrationStats();

    @Test
    void addsUpHowLongWritesWaitedInEachTryToSwitch() {
        stats.roundBegan();
        stats.writesWait(1_000_000);
        stats.requestParked();
        stats.writesWait(2_000_000);
        stats.switchTimedOut();
        stats.writesGoOn(51_000_000);
        stats.writesGoOn(60_000_000);
        stats.writesWait(100_000_000);
        stats.writesGoOn(103_000_000);
        assertThat(stats).hasToString("0 records in 1 rounds, writes waited 53000 us, 1 requests parked, 1 time-outs");
    }

    @Test
    void countsTheRecordsOfAllRounds() {
        stats.roundBegan();
        stats.recordSent();
        stats.roundBegan();
        stats.recordSent();
        stats.recordSent();
        assertThat(stats).asString().startsWith("3 records in 2 rounds, writes waited 0 us, 0 requests parked");
    }
}
