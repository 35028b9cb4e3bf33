package io.sdds.brick.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
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

    @Test
    void resultsAreVisitedInPiecesThatTogetherAreAll() {
        for (long session = 5; session > 0; session--) {
            for (long seq = 10; seq < 20; seq += session) {
                source.take(session, seq, 3, session * seq, (byte) 1, seq);
            }
        }
        source.take(9, 0, 7, 0, (byte) 0, 0);
        List<String> all = new ArrayList<>();
        source.forEachFrom(
                0,
                0,
                () -> false,
                (session, seq, low, hash, status, value) -> all.add(session + " " + seq + " " + low + " " + value));
        List<String> pieces = new ArrayList<>();
        long[] next = {0, 0};
        int before = -1;
        while (before < pieces.size()) {
            before = pieces.size();
            int end = before + 3;
            source.forEachFrom(
                    next[0], next[1], () -> pieces.size() == end, (session, seq, low, hash, status, value) -> {
                        pieces.add(session + " " + seq + " " + low + " " + value);
                        next[0] = session;
                        next[1] = seq + 1;
                    });
        }
        assertThat(pieces)
                .isEqualTo(all)
                .startsWith("1 0 3 0", "1 10 3 10", "1 11 3 11")
                .endsWith("9 0 7 0");
    }
}
