package io.sdds.client.internal.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests of the limits of a client: retry budget, congestion window, backoff, window. */
class PacingTest {
    @Test
    void retriesThatAreRefusedAgainAreATwentiethOfTheAnswersOnceTheFirstOnesAreSpent() {
        RetryBudget budget = spent();

        int retries = 0;
        for (int answer = 0; answer < 100_000; answer++) {
            budget.onAnswer(false);
            retries += retry(budget, 0);
        }

        assertThat(retries).isEqualTo(5_000);
    }

    @Test
    void retriesThatAreAnsweredDouble() {
        RetryBudget budget = spent();
        budget.hasRoom(1_000_000_000L / RetryBudget.RETRIES_A_SECOND);
        budget.onRetry();

        int outstanding = 1;
        for (int round = 0; round < 8; round++) {
            for (int k = 0; k < outstanding; k++) {
                budget.onAnswer(true);
            }
            int before = outstanding;
            outstanding = 0;
            while (retry(budget, 0) > 0) {
                outstanding++;
            }
            assertThat(outstanding).isEqualTo(2 * before);
        }
        assertThat(outstanding).isEqualTo(RetryBudget.RETRIES_MAX);
    }

    @Test
    void aBrickThatRefusesEverythingIsAskedNowAndThen() {
        RetryBudget budget = spent();

        int retries = 0;
        for (long now = 0; now < 10_000_000_000L; now += 3_000_000) {
            retries += retry(budget, now);
        }

        assertThat(retries).isBetween(7 * RetryBudget.RETRIES_A_SECOND, 10 * RetryBudget.RETRIES_A_SECOND);
    }

    private static RetryBudget spent() {
        RetryBudget budget = new RetryBudget(0);
        int first = 0;
        while (retry(budget, 0) > 0) {
            first++;
        }
        assertThat(first).isEqualTo(RetryBudget.RETRIES_MAX);
        return budget;
    }

    private static int retry(RetryBudget budget, long now) {
        if (!budget.hasRoom(now)) {
            return 0;
        }
        budget.onRetry();
        return 1;
    }

    @Test
    void theWindowBeginsSmallAndGrowsByHalvesUntilTheBrickRefuses() {
        CongestionWindow window = new CongestionWindow(1000);
        assertThat(window.limit()).isEqualTo(64);
        assertThat(answersUntil(window, 1000)).isLessThan(3 * 1000);
    }

    @Test
    void eachRefusalTakesOneOffTheWindowAndABatchLeavesAQuarter() {
        CongestionWindow window = grown(1000);
        window.onBusy(400, false, 0);
        for (int k = 0; k < 30; k++) {
            window.onRefused(1);
        }
        assertThat(window.limit()).isEqualTo(370);
        window.onBusy(370, false, 0);
        for (int k = 0; k < 370; k++) {
            window.onRefused(1);
        }
        assertThat(window.limit()).isEqualTo(92);
    }

    @Test
    void inBalanceABrickRefusesAThirtySecondOfWhatItAnswers() {
        CongestionWindow window = grown(1000);
        window.onBusy(320, false, 0);
        int grown = window.limit();

        for (int answer = 0; answer <= 320; answer++) {
            window.onAnswer(0);
        }

        assertThat(window.limit() - grown).isEqualTo(10);
    }

    @Test
    void theWindowIsNeverEmptyAndAnswersOpenItAgain() {
        CongestionWindow window = grown(1000);
        window.onBusy(1, false, 0);
        window.onRefused(1);
        assertThat(window.limit()).isEqualTo(1);
        assertThat(answersUntil(window, 1000)).isLessThan(50_000);
    }

    @Test
    void theWindowGrowsByHalvesAgainAfterABrickThatTookNothing() {
        CongestionWindow window = grown(1000);
        window.onBusy(1, true, 0);
        window.onRefused(1);
        assertThat(answersUntil(window, 1000)).isLessThan(3 * 1000 + 10);
    }

    @Test
    void theWindowGrowsByOneWhileAnswersTakeSeveralTimesAsLongAsAtBest() {
        CongestionWindow window = new CongestionWindow(1000);
        answerAWindow(window, 0, 8_000_000);
        assertThat(window.limit()).isEqualTo(96);
        answerAWindow(window, 0, 32_000_000);
        assertThat(window.limit()).isEqualTo(144);
        answerAWindow(window, 0, 32_000_001);
        assertThat(window.limit()).isEqualTo(145);
    }

    private static void answerAWindow(CongestionWindow window, long fromNanos, long toNanos) {
        for (int answer = window.limit(); answer >= 0; answer--) {
            window.onAnswer(answer == 0 ? toNanos : fromNanos);
        }
    }

    @Test
    void theWindowIsReducedForASecondAfterARefusal() {
        CongestionWindow window = new CongestionWindow(1000);
        assertThat(window.isReduced(0)).isFalse();
        window.onBusy(64, false, 5);
        assertThat(window.isReduced(999_999_999)).isTrue();
        assertThat(window.isReduced(1_000_000_005)).isFalse();
    }

    @Test
    void aRefusedLongValueTakesItsWeightOffTheWindow() {
        CongestionWindow window = grown(1000);
        window.onBusy(400, false, 0);
        window.onRefused(20);
        assertThat(window.limit()).isEqualTo(380);
    }

    @Test
    void aLongValueTakesMoreOfTheWindow() {
        assertThat(CongestionWindow.weight(150)).isEqualTo(1);
        assertThat(CongestionWindow.weight(20_000)).isEqualTo(20);
    }

    private static CongestionWindow grown(int limit) {
        CongestionWindow window = new CongestionWindow(limit);
        answersUntil(window, limit);
        return window;
    }

    private static int answersUntil(CongestionWindow window, int limit) {
        int answers = 0;
        while (window.limit() < limit) {
            window.onAnswer(0);
            answers++;
        }
        return answers;
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
    void aCallerThatCannotWaitMayTakeAsMuchRoomAgain() {
        Window window = new Window(2, 100);
        assertThat(window.tryEnter(50)).isTrue();
        assertThat(window.tryEnter(50)).isTrue();
        assertThat(window.tryEnter(0)).isFalse();
        assertThat(window.tryEnterTwice(50)).isTrue();
        assertThat(window.tryEnterTwice(51)).isFalse();
        assertThat(window.tryEnterTwice(50)).isTrue();
        assertThat(window.tryEnterTwice(0)).isFalse();
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
