package io.sdds.core.addressing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests of the address calculus on files that are small enough to check every partition. */
class LinearHashingPropertyTest {
    private static final int PARTITIONS_MAX = 300;

    private final SplittableRandom random = Seeds.random("LinearHashingPropertyTest");

    @Test
    void addressIsThePartitionWhoseLevelMapsThePseudoKeyToItself() {
        for (int m = 1; m <= PARTITIONS_MAX; m++) {
            for (int k = 0; k < 200; k++) {
                long key = random.nextLong();
                int a = LinearHashing.address(key, m);
                assertThat(a).isBetween(0, m - 1);
                assertThat(LinearHashing.h(LinearHashing.levelOf(a, m), key)).isEqualTo(a);
            }
        }
    }

    @Test
    void forwardsAtMostTwiceWhateverImageIsStale() {
        for (int m = 1; m <= PARTITIONS_MAX; m++) {
            for (int k = 0; k < 300; k++) {
                long key = random.nextLong();
                int at = LinearHashing.address(key, 1 + random.nextInt(m));
                int right = LinearHashing.address(key, m);
                int forwards = 0;
                while (at != right) {
                    int next = LinearHashing.forwardAddress(key, at, LinearHashing.levelOf(at, m));
                    assertThat(next).as("a forward raises the address").isGreaterThan(at);
                    at = next;
                    forwards++;
                }
                assertThat(forwards).isLessThanOrEqualTo(2);
                assertThat(LinearHashing.forwardAddress(key, at, LinearHashing.levelOf(at, m)))
                        .isEqualTo(at);
            }
        }
    }

    @Test
    void everyPartitionProvesAnIntervalThatHoldsTheFilesSize() {
        for (int m = 1; m <= PARTITIONS_MAX; m++) {
            for (int a = 0; a < m; a++) {
                int j = LinearHashing.levelOf(a, m);
                assertThat(m).isBetween(LinearHashing.partitionsAtLeast(a, j), LinearHashing.partitionsAtMost(a, j));
            }
        }
    }

    @Test
    void aNewClientNeedsAboutLogarithmicallyManyAdjustments() {
        for (int m = 2; m <= PARTITIONS_MAX; m++) {
            int image = 1;
            int adjustments = 0;
            for (int k = 0; k < 4000; k++) {
                long key = random.nextLong();
                int right = LinearHashing.address(key, m);
                if (LinearHashing.address(key, image) != right) {
                    image = Math.max(image, LinearHashing.partitionsAtLeast(right, LinearHashing.levelOf(right, m)));
                    adjustments++;
                }
                assertThat(image).isLessThanOrEqualTo(m);
            }
            assertThat(adjustments).isLessThanOrEqualTo(2 * (LinearHashing.level(m) + 1));
        }
    }

    @Test
    void splitsMoveExactlyTheKeysWithTheNewBitToThePartitionTwoToTheLevelAbove() {
        for (int m = 1; m < PARTITIONS_MAX; m++) {
            int n = LinearHashing.splitPointer(m);
            int level = LinearHashing.level(m);
            for (int k = 0; k < 200; k++) {
                long key = random.nextLong();
                int before = LinearHashing.address(key, m);
                int after = LinearHashing.address(key, m + 1);
                boolean moves = before == n && (key >>> level & 1) == 1;
                assertThat(after).isEqualTo(moves ? m : before);
            }
        }
    }

    @Test
    void parentIsThePartitionAChildWasSplitFrom() {
        for (int m = 1; m < PARTITIONS_MAX; m++) {
            assertThat(LinearHashing.parent(m)).isEqualTo(LinearHashing.splitPointer(m));
        }
    }

    @Test
    void intervalsOfAllPartitionsTileTheScanOrder() {
        for (int m = 1; m <= PARTITIONS_MAX; m++) {
            long point = 0;
            int visited = 0;
            do {
                int a = LinearHashing.address(ScanOrder.point(point), m);
                assertThat(ScanOrder.start(a)).isEqualTo(point);
                point = ScanOrder.end(a, LinearHashing.levelOf(a, m));
                visited++;
            } while (point != 0);
            assertThat(visited).isEqualTo(m);
        }
    }

    @Test
    void endZeroIsBeyondEveryOtherEnd() {
        assertThat(ScanOrder.minEnd(0, 5)).isEqualTo(5);
        assertThat(ScanOrder.minEnd(5, 0)).isEqualTo(5);
        assertThat(ScanOrder.minEnd(-1, 5)).isEqualTo(5);
        assertThat(ScanOrder.before(-1, 0)).isTrue();
        assertThat(ScanOrder.before(5, 5)).isFalse();
    }
}
