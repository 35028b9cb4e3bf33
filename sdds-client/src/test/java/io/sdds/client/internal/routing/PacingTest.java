package io.sdds.client.internal.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests of the limits of a client: retry budget, congestion window, backoff, window. */
class PacingTest {
    @Test
    void retriesAreATenthOfTheRequestsOnceTheFirstOnesAreSpent() {
        RetryBudget budget = new RetryBudget(0);
        while (budget.tryRetry(0)) {}

        int retries = 0;
        for (int request = 0; request < 100_000; request++) {
            budget.onAnswer();
            retries += budget.tryRetry(0) ? 1 : 0;
        }

        assertThat(retries).isEqualTo(10_000);
    }

    @Test
    void aFewRetriesASecondAreAlwaysThere() {
        RetryBudget budget = new RetryBudget(0);
        while (budget.tryRetry(0)) {}

        int retries = 0;
        for (long now = 0; now < 10_000_000_000L; now += 3_000_000) {
            retries += budget.tryRetry(now) ? 1 : 0;
        }

        assertThat(retries).isBetween(700, 1000);
    }

    @Test
    void eachRefusalTakesOneOffTheWindowAndABatchAtMostHalf() {
        CongestionWindow window = new CongestionWindow(1000);
        window.onBusy(400);
        for (int k = 0; k < 30; k++) {
            window.onRefused();
        }
        assertThat(window.limit()).isEqualTo(370);
        window.onBusy(370);
        for (int k = 0; k < 370; k++) {
            window.onRefused();
        }
        assertThat(window.limit()).isEqualTo(185);
    }

    @Test
    void theWindowIsNeverEmptyAndAnswersOpenItAgain() {
        CongestionWindow window = new CongestionWindow(1000);
        window.onBusy(1);
        window.onRefused();
        assertThat(window.limit()).isEqualTo(1);

        int answers = 0;
        while (window.limit() < 1000) {
            window.onAnswer();
            answers++;
        }
        assertThat(answers).isLessThan(30_000);
    }

    @Test
    void pausesDoubleUpToALimitWithJitter() {
        SplittableRandom random = new SplittableRandom(1);
        for (int attempt = 0; attempt < 100; attempt++) {
            long mean = attempt > 6 ? Backoff.LONGEST_NANOS : 2_000_000L << attempt;
            assertThat(Backoff.nanos(attempt, random)).isBetween(mean / 2, mean / 2 + mean);
        }
    }

    @Test
    void theWindowIsBoundedInRequestsAndInBytes() {
        Window window = new Window(3, 100);
        assertThat(window.tryEnter(60)).isTrue();
        assertThat(window.tryEnter(60)).isFalse();
        assertThat(window.tryEnter(40)).isTrue();
        assertThat(window.tryEnter(0)).isTrue();
        assertThat(window.tryEnter(0)).isFalse();
        assertThat(window.requests()).isEqualTo(3);
        assertThat(window.bytes()).isEqualTo(100);

        window.leave(60);
        window.leave(40);
        window.leave(0);
        assertThat(window.requests()).isZero();
        assertThat(window.bytes()).isZero();
    }

    @Test
    void aRequestLargerThanTheWindowGoesAlone() {
        Window window = new Window(3, 100);
        assertThat(window.tryEnter(1000)).isTrue();
        assertThat(window.tryEnter(1)).isFalse();
        window.leave(1000);
        assertThat(window.tryEnter(1)).isTrue();
        assertThat(window.tryEnter(1000)).isFalse();
    }
}
