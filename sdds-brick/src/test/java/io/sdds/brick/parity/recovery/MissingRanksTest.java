package io.sdds.brick.parity.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The missing ranks of a recovered column. */
class MissingRanksTest {
    private final MissingRanks missing = new MissingRanks();

    @Test
    void agreesWithASetOfRanksAndAListForEachFingerprint() {
        Random random = new Random(7);
        BitSet model = new BitSet();
        int[] fingerprints = new int[5000];
        for (int rank = 0; rank < fingerprints.length; rank += 1 + random.nextInt(3)) {
            fingerprints[rank] = 1 + random.nextInt(1000) * (1 << 20);
            model.set(rank);
        }
        for (int first = 0; first < fingerprints.length; ) {
            int length = Math.min(fingerprints.length - first, 1 + random.nextInt(700));
            missing.addRun(first, Arrays.copyOfRange(fingerprints, first, first + length), length);
            first += length;
        }
        assertThat(missing.count()).isEqualTo(model.cardinality());
        while (!model.isEmpty()) {
            int rank = model.nextSetBit(random.nextInt(fingerprints.length));
            if (rank < 0) {
                rank = model.nextSetBit(0);
            }
            assertThat(missing.has(fingerprints[rank], rank)).isTrue();
            assertThat(ranksOf(fingerprints[rank])).isEqualTo(ranksOf(model, fingerprints, fingerprints[rank]));
            missing.remove(rank);
            model.clear(rank);
            assertThat(missing.has(fingerprints[rank], rank)).isFalse();
            assertThat(missing.isMissing(rank)).isFalse();
            assertThat(missing.count()).isEqualTo(model.cardinality());
            int from = random.nextInt(fingerprints.length);
            assertThat(missing.next(from)).isEqualTo(model.nextSetBit(from));
            assertThat(missing.has(fingerprints[rank]))
                    .isEqualTo(!ranksOf(model, fingerprints, fingerprints[rank]).isEmpty());
        }
    }

    private List<Integer> ranksOf(int fingerprint) {
        List<Integer> ranks = new ArrayList<>();
        missing.forEach(fingerprint, ranks::add);
        ranks.sort(null);
        return ranks;
    }

    private static List<Integer> ranksOf(BitSet model, int[] fingerprints, int fingerprint) {
        return model.stream()
                .filter(rank -> fingerprints[rank] == fingerprint)
                .boxed()
                .toList();
    }

    @Test
    void hasNoRankBeforeOneIsAdded() {
        assertThat(missing.next(0)).isEqualTo(-1);
        assertThat(missing.next(1000)).isEqualTo(-1);
        assertThat(missing.has(5)).isFalse();
        assertThat(missing.isMissing(-1)).isFalse();
        assertThat(missing.isMissing(1000)).isFalse();
    }

    @Test
    void rejectsARunThatIsNotAboveTheOthersAndARankThatIsNotMissing() {
        missing.addRun(3, new int[] {5, 0}, 2);
        assertThatThrownBy(() -> missing.addRun(4, new int[] {6}, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> missing.addRun(-1, new int[] {6}, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> missing.remove(4)).isInstanceOf(IllegalArgumentException.class);
    }
}
