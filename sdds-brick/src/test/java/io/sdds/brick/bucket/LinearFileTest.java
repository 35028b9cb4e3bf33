package io.sdds.brick.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LinearFileTest {

    private final LinearFile file = new LinearFile();
    private final Random random = new Random(Seeds.next("LinearFileTest"));

    @Test
    void beginsWithOneBucketForAllKeys() {
        assertThat(file.buckets()).isOne();
        assertThat(file.address(random.nextLong())).isZero();
        assertThat(file.levelOf(0)).isZero();
    }

    @Test
    void addressIsTheLowBitsThatTheBucketsLevelSays() {
        for (int buckets = 1; buckets < 300; buckets++) {
            for (int i = 0; i < 50; i++) {
                long bits = random.nextLong();
                int address = file.address(bits);
                assertThat(address).isBetween(0, buckets - 1);
                assertThat(address).isEqualTo((int) (bits & ((1L << file.levelOf(address)) - 1)));
            }
            file.grow();
            assertThat(file.buckets()).isEqualTo(buckets + 1);
        }
    }

    @Test
    void growthMovesKeysOnlyFromTheSplitPointerToTheNewBucket() {
        for (int step = 0; step < 200; step++) {
            int from = file.splitPointer();
            int to = file.buckets();
            int bit = file.level();
            long[] bits = random.longs(100).toArray();
            int[] before = addresses(bits);
            file.grow();
            for (int i = 0; i < bits.length; i++) {
                boolean moves = before[i] == from && (bits[i] >>> bit & 1) != 0;
                assertThat(file.address(bits[i])).isEqualTo(moves ? to : before[i]);
            }
        }
    }

    @Test
    void shrinkUndoesGrow() {
        for (int step = 0; step < 200; step++) {
            int level = file.level();
            int splitPointer = file.splitPointer();
            file.grow();
            file.shrink();
            assertThat(file.level()).isEqualTo(level);
            assertThat(file.splitPointer()).isEqualTo(splitPointer);
            file.grow();
        }
    }

    @Test
    void halvingKeepsTheEvenBucketsAtHalfTheirAddress() {
        for (int buckets = 2; buckets < 300; buckets++) {
            LinearFile halved = new LinearFile();
            for (int i = 1; i < buckets; i++) {
                halved.grow();
            }
            long[] even = random.longs(100).map(bits -> bits << 1).toArray();
            int[] before = new int[even.length];
            for (int i = 0; i < even.length; i++) {
                before[i] = halved.address(even[i]);
            }
            halved.halve();
            assertThat(halved.buckets()).isEqualTo((buckets + 1) / 2);
            for (int i = 0; i < even.length; i++) {
                assertThat(2 * halved.address(even[i] >>> 1)).isEqualTo(before[i]);
            }
        }
    }

    @Test
    void wideningDoublesEveryAddressAndPutsAnEmptyBucketBehind() {
        for (int buckets = 1; buckets < 300; buckets++) {
            LinearFile wide = new LinearFile();
            for (int i = 1; i < buckets; i++) {
                wide.grow();
            }
            long[] bits = random.longs(100).toArray();
            int[] before = new int[bits.length];
            for (int i = 0; i < bits.length; i++) {
                before[i] = wide.address(bits[i]);
            }
            wide.widen();
            assertThat(wide.buckets()).isEqualTo(2 * buckets);
            for (int i = 0; i < bits.length; i++) {
                assertThat(wide.address(bits[i] << 1)).isEqualTo(2 * before[i]);
                assertThat(wide.address(bits[i] << 1 | 1)).isEqualTo(2 * before[i] + 1);
            }
        }
    }

    private int[] addresses(long[] bits) {
        int[] addresses = new int[bits.length];
        for (int i = 0; i < bits.length; i++) {
            addresses[i] = file.address(bits[i]);
        }
        return addresses;
    }
}
