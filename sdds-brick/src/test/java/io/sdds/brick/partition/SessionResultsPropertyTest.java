package io.sdds.brick.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The ring against a map of everything that is still open. */
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
                    assertThat(results.room(seq)).isTrue();
                    results.put(seq, seq * 31, (byte) 0, seq * 7);
                    model.put(seq, seq * 7);
                }
            }
            SessionResults kept = results;
            model.forEach((seq, value) -> {
                int place = kept.find(seq);
                assertThat(place).isNotNegative();
                assertThat(kept.value(place)).isEqualTo(value);
            });
            List<Long> withBit = new ArrayList<>();
            results.forEachWithBit(1, (session, seq, l, hash, status, value) -> withBit.add(seq));
            assertThat(withBit)
                    .containsExactlyInAnyOrderElementsOf(model.keySet().stream()
                            .filter(seq -> (seq * 31 & 1) != 0)
                            .toList());
        }
    }

    @Test
    void refusesAWriteThatIsTooFarAheadOfTheOldestOpenOne() {
        SessionResults results = new SessionResults(1);
        results.low(1);
        assertThat(results.room(1)).isTrue();
        results.put(1, 0, (byte) 0, 0);
        assertThat(results.room(1 + SessionResults.RING_MAX)).isFalse();
        assertThat(results.find(1)).isNotNegative();
        results.low(2);
        assertThat(results.room(1 + SessionResults.RING_MAX)).isTrue();
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
