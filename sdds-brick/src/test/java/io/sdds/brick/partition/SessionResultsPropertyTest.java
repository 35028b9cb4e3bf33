package io.sdds.brick.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Results against a map of everything that is still open. */
class SessionResultsPropertyTest {
    @Test
    void findsExactlyTheOpenResultsWhateverTheOrder() {
        SplittableRandom random = Seeds.random("SessionResultsPropertyTest");
        for (int round = 0; round < 50; round++) {
            SessionResults results = new SessionResults(9);
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
                    assertThat(results.room()).isTrue();
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
        SessionResults results = new SessionResults(1);
        for (int k = 0; k < SessionResults.OPEN_MAX; k++) {
            assertThat(results.room()).isTrue();
            results.put(1 + 3L * k, 0, (byte) 0, k);
        }
        assertThat(results.room()).isFalse();
        assertThat(results.value(results.find(1 + 3L * 70))).isEqualTo(70);
        results.low(2);
        assertThat(results.room()).isTrue();
        assertThat(results.find(1)).isNegative();
    }

    @Test
    void writesFarAheadOfTheOldestOpenOneHaveRoom() {
        SessionResults results = new SessionResults(1);
        results.put(1, 0, (byte) 0, 10);
        results.put(1 + (1L << 40), 0, (byte) 0, 20);
        assertThat(results.room()).isTrue();
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
