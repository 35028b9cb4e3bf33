package io.sdds.brick.partition;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LogicalTimeTest {
    private final LogicalTime time = new LogicalTime();

    @Test
    void beginsAtNothingWhateverTheClockSays() {
        assertThat(time.stamp(-5_000)).isZero();
        assertThat(time.stamp(-4_000)).isEqualTo(1_000);
    }

    @Test
    void goesOnFromWhereItWasHandedOver() {
        time.from(70_000, 1_000_000);
        time.takeOver();
        assertThat(time.stamp(1_000_010)).isEqualTo(70_010);
    }

    @Test
    void neverGoesBack() {
        assertThat(time.stamp(500)).isZero();
        assertThat(time.stamp(600)).isEqualTo(100);
        assertThat(time.stamp(550)).isEqualTo(100);
        time.atLeast(40, 560);
        assertThat(time.stamp(620)).isEqualTo(120);
        time.atLeast(1_000, 620);
        assertThat(time.stamp(630)).isEqualTo(1_000);
    }

    @Test
    void hasGoneOnSinceTheLastEntryCameWhenAnotherBrickLeads() {
        time.atLeast(70_000, 1_000_000);
        time.atLeast(70_100, 1_000_500);
        time.atLeast(70_050, 1_000_700);
        time.takeOver();
        assertThat(time.stamp(1_002_000)).isEqualTo(71_600);
    }

    @Test
    void countsNoTimeTwiceWhenTheBrickThatLedLeadsAgain() {
        time.atLeast(70_000, 1_000_000);
        time.takeOver();
        assertThat(time.stamp(1_000_900)).isEqualTo(70_900);
        time.takeOver();
        assertThat(time.stamp(1_001_000)).isEqualTo(71_000);
    }
}
