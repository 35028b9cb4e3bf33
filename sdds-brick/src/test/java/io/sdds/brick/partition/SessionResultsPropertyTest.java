package io.sdds.brick.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The results of a session against a map of all open results. */
class SessionResultsPropertyTest {
    @Test
    void findsExactlyTheOpenResultsWhateverTheOrder() {
        SplittableRandom random = Seeds.random("SessionResultsPropertyTest");
        for (int round = 0; round < 50; round++) {
            SessionResults results = new SessionResults(new Results(), 9);
            Map<Long, Long> model = new HashMap<>();
            long low = 1;
            long next = 1;
            for (int k = 0; k < 3000; k++) {
                low = Math.max(low, next - random.nextInt(1, 900));
                long seq = random.nextInt(5) == 0 ? low + random.nextInt((int) (next - low) + 1) : next;
                next = Math.max(next, seq) + 1;
                results.low(low);
                long floor = low;
                model.keySet().removeIf(open -> open < floor);
                if (results.find(seq) < 0) {
                    assertThat(model).doesNotContainKey(seq);
                    assertThat(results.room(seq)).isTrue();
                    results.put(seq, seq * 31, (byte) (seq % 5), seq * 7);
                    model.put(seq, seq * 7);
                } else if (random.nextInt(4) == 0) {
                    results.forget(seq);
                    model.remove(seq);
                }
            }
            SessionResults kept = results;
            model.forEach((seq, value) -> {
                int place = kept.find(seq);
                assertThat(place).isNotNegative();
                assertThat(kept.value(place)).isEqualTo(value);
                assertThat(kept.status(place)).isEqualTo((byte) (seq % 5));
            });
            List<Long> all = new ArrayList<>();
            results.forEach((session, seq, l, hash, status, value) -> all.add(seq));
            assertThat(all)
                    .containsExactlyElementsOf(model.keySet().stream().sorted().toList());
            List<Long> withBit = new ArrayList<>();
            results.forEachWithBit(1, (session, seq, l, hash, status, value) -> withBit.add(seq));
            assertThat(withBit)
                    .containsExactlyInAnyOrderElementsOf(model.keySet().stream()
                            .filter(seq -> (seq * 31 & 1) != 0)
                            .toList());
        }
    }

    @Test
    void hasNoRoomForMoreThanMayBeOpenAndHasItAgainWhenLowGoesOn() {
        SessionResults results = new SessionResults(new Results(), 1);
        long next = 1;
        for (int k = 0; k < SessionResults.OPEN_MAX; k++) {
            assertThat(results.room(next)).isTrue();
            results.put(next, 0, (byte) 0, k);
            next += 3;
        }
        assertThat(results.room(next)).isFalse();
        assertThat(results.value(results.find(1 + 3L * 70))).isEqualTo(70);
        results.low(2);
        assertThat(results.room(next)).isTrue();
        assertThat(results.find(1)).isNegative();
    }

    @Test
    void oldWritesHaveRoomThoughLaterOnesHaveFilledIt() {
        SessionResults results = new SessionResults(new Results(), 1);
        results.low(1);
        for (int k = 0; k < SessionResults.OPEN_MAX; k++) {
            results.put(300 + k, 0, (byte) 0, k);
        }
        assertThat(results.room(300 + SessionResults.OPEN_MAX)).isFalse();
        for (int old = 299; old > 0; old--) {
            assertThat(results.room(old)).isTrue();
            results.put(old, 0, (byte) 0, old);
        }
        results.low(300);
        assertThat(results.room(299 + SessionResults.OPEN_MAX)).isTrue();
    }

    @Test
    void writesFarAheadOfTheOldestOpenOneHaveRoom() {
        SessionResults results = new SessionResults(new Results(), 1);
        results.put(1, 0, (byte) 0, 10);
        results.put(1 + (1L << 40), 0, (byte) 0, 20);
        assertThat(results.room(2 + (1L << 40))).isTrue();
        assertThat(results.value(results.find(1))).isEqualTo(10);
        assertThat(results.find(2)).isNegative();
    }

    @Test
    void aResultThatIsShippedAfterLowHasPassedItIsNotKept() {
        Results results = new Results();
        results.take(1, 0, 7, 0, (byte) 0, 0);
        results.take(1, 5, 1, 0, (byte) 0, 50);
        results.forEach(
                (session, seq, low, hash, status, value) -> assertThat(seq).isZero());
    }

    /** Two partitions with many open results of one session merge. None of these writes may run again. */
    @Test
    void whatIsShippedIsKeptHoweverManyAndHoweverFarApart() {
        Results results = new Results();
        int each = SessionResults.OPEN_MAX;
        for (long k = 0; k < 2L * each; k += 2) {
            results.take(1, 1 + k * each, 1, 0, (byte) 0, k);
        }
        results.take(1, 2 + 6L * each, 1, 0, (byte) 0, 7);
        SessionResults kept = Objects.requireNonNull(results.of(1));
        assertThat(kept.room(3L * each * each)).isFalse();
        assertThat(kept.value(kept.find(2 + 6L * each))).isEqualTo(7);
        for (long k = 0; k < 2L * each; k += 2) {
            assertThat(kept.value(kept.find(1 + k * each))).isEqualTo(k);
        }
    }

    @Test
    void keepsNewResultsAfterManyWereOpenAndNoneIs() {
        SessionResults results = new SessionResults(new Results(), 1);
        for (int round = 0; round < 3; round++) {
            int first = 1 + round * 10_000;
            for (int k = 0; k < 5_000; k++) {
                results.put(first + k, 0, (byte) 0, k);
            }
            assertThat(results.value(results.find(first + 4_999))).isEqualTo(4_999);
            results.low(first + 5_000);
            assertThat(results.find(first + 4_999)).isNegative();
        }
    }

    @Test
    void findsEachOfManySessionsAndCountsTheirBytes() {
        Results results = new Results();
        for (long session = 1; session <= 16_384; session++) {
            results.take(session, session, 1, 0, (byte) 0, session);
        }
        for (int k = 0; k < 100; k++) {
            results.take(77, 100_000 + k, 1, 0, (byte) 0, k);
        }
        results.dropEnded(session -> session % 3 == 0);
        for (long session = 1; session <= 16_384; session++) {
            SessionResults kept = results.of(session);
            assertThat(kept != null).as("session %d", session).isEqualTo(session % 3 != 0);
            assertThat(kept == null || kept.value(kept.find(session)) == session)
                    .isTrue();
        }
        long bytes = results.bytes();
        SessionResults many = Objects.requireNonNull(results.of(77));
        assertThat(bytes).isEqualTo(10_922L * 4 * 32 + many.bytes());
        many.low(100_099);
        many.trim();
        assertThat(many.value(many.find(100_099))).isEqualTo(99);
        assertThat(results.bytes()).isLessThan(bytes);
        results.dropEnded(session -> true);
        assertThat(results.bytes()).isZero();
    }

    @Test
    void endedSessionsAreForgottenAndOthersKept() {
        Results results = new Results();
        results.take(1, 5, 1, 0, (byte) 0, 50);
        results.take(2, 6, 1, 0, (byte) 0, 60);
        results.dropEnded(session -> session == 1);
        assertThat(results.of(1)).isNull();
        assertThat(results.of(2)).isNotNull();
    }
}
