package io.sdds.brick.partition;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ResultsTest {
    private static final long SESSION = 7;
    private static final long BIT = 4;

    private final Results source = new Results();
    private final Results target = new Results();

    @Test
    void openResultsOfTheMovingHalfGoWithASplit() {
        source.take(SESSION, 5, 5, BIT, (byte) 0, 50);
        source.take(SESSION, 6, 5, 0, (byte) 0, 60);
        source.forEachWithBit(BIT, target::take);
        SessionResults taken = target.of(SESSION);
        assertThat(taken.value(taken.find(5))).isEqualTo(50);
        assertThat(taken.find(6)).isNegative();
    }

    /** Without the low, a late copy of an old write would run again at the target. */
    @Test
    void aSessionsLowGoesWithASplitThoughNoneOfItsResultsIsOpen() {
        source.take(SESSION, 5, 5, BIT, (byte) 0, 50);
        source.of(SESSION).low(6);
        source.forEachWithBit(BIT, target::take);
        assertThat(target.of(SESSION).low()).isEqualTo(6);
        assertThat(target.of(SESSION).find(5)).isNegative();
    }

    @Test
    void aSessionsLowGoesWithAMergeToo() {
        source.take(SESSION, 5, 5, BIT, (byte) 0, 50);
        source.of(SESSION).low(6);
        source.forEach(target::take);
        assertThat(target.of(SESSION).low()).isEqualTo(6);
    }
}
