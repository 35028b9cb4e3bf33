package io.sdds.client.internal.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TableImagePropertyTest {
    private final SplittableRandom random = Seeds.random("TableImagePropertyTest");

    /** The number of forwards that bring a pseudo-key from a partition to the right partition. */
    private static int forwards(long pseudoKey, int from, int partitions) {
        int at = from;
        int forwards = 0;
        for (; ; forwards++) {
            int next = LinearHashing.forwardAddress(pseudoKey, at, LinearHashing.levelOf(at, partitions));
            if (next == at) {
                assertThat(at).isEqualTo(LinearHashing.address(pseudoKey, partitions));
                return forwards;
            }
            at = next;
        }
    }

    @Test
    void everyStaleImageReachesTheRightPartitionInTwoForwards() {
        for (int partitions = 1; partitions < 300; partitions++) {
            for (int stale = 1; stale <= partitions; stale++) {
                TableImage image = TableImage.of(stale, 1);
                for (int k = 0; k < 10; k++) {
                    long pseudoKey = random.nextLong();
                    assertThat(forwards(pseudoKey, image.address(pseudoKey), partitions))
                            .isLessThanOrEqualTo(2);
                }
            }
        }
    }

    @Test
    void learnsAFileInTwiceItsLogarithmOfAdjustments() {
        for (int partitions = 1; partitions < 3000; partitions += 1 + random.nextInt(17)) {
            TableImage image = TableImage.of(1, 0);
            int adjustments = 0;
            for (int k = 0; k < 20 * partitions; k++) {
                long pseudoKey = random.nextLong();
                if (forwards(pseudoKey, image.address(pseudoKey), partitions) > 0) {
                    int right = LinearHashing.address(pseudoKey, partitions);
                    image = image.adjusted(right, LinearHashing.levelOf(right, partitions), 1);
                    adjustments++;
                }
                assertThat(image.partitions()).isLessThanOrEqualTo(partitions);
            }
            assertThat(adjustments).isLessThanOrEqualTo(2 * (1 + LinearHashing.level(partitions)));
        }
    }

    /** The image of a client after a request that the old image addressed to a partition that a merge has removed. */
    private static TableImage afterARequest(TableImage image, long pseudoKey, int partitions, long version) {
        if (image.address(pseudoKey) == LinearHashing.address(pseudoKey, partitions)) {
            return image;
        }
        int right = LinearHashing.address(pseudoKey, partitions);
        return image.adjusted(right, LinearHashing.levelOf(right, partitions), version);
    }

    @Test
    void anImageThatIsAheadIsPutRightByTheFirstPassOverTheTable() {
        for (int partitions = 1; partitions < 150; partitions += 1 + random.nextInt(3)) {
            for (int ahead = partitions + 1; ahead < 3 * partitions; ahead += 1 + random.nextInt(15)) {
                TableImage image = TableImage.of(ahead, 5);
                for (int k = 0; k < 40 * ahead; k++) {
                    image = afterARequest(image, random.nextLong(), partitions, 5);
                    assertThat(image.partitions()).isGreaterThanOrEqualTo(partitions);
                }
                assertThat(image.partitions()).isEqualTo(partitions);
            }
        }
    }

    @Test
    void imagesFollowAFileThatGrowsAndShrinks() {
        int partitions = 1;
        TableImage image = TableImage.of(1, 1);
        for (int version = 2; version < 3000; version++) {
            boolean grows = version / 100 % 3 != 2;
            partitions = Math.max(1, grows ? partitions + 1 : partitions - 2);
            for (int k = 0; k < 20; k++) {
                image = afterARequest(image, random.nextLong(), partitions, version);
            }
        }
        for (int k = 0; k < 50 * partitions; k++) {
            image = afterARequest(image, random.nextLong(), partitions, 3000);
        }
        assertThat(image.partitions()).isEqualTo(partitions);
    }

    @Test
    void anOlderFactNeverShrinksAndANewerOneDoes() {
        TableImage image = TableImage.of(100, 7);

        assertThat(image.adjusted(3, 2, 6).partitions()).isEqualTo(100);
        assertThat(image.adjusted(3, 2, 7).partitions()).isEqualTo(7);
        assertThat(image.adjusted(3, 2, 8).partitions()).isEqualTo(7);
        assertThat(image.adjusted(99, 7, 6).partitions()).isEqualTo(100);
        assertThat(image.adjusted(120, 7, 6).partitions()).isEqualTo(121);
        assertThat(image.told(50, 6).partitions()).isEqualTo(100);
        assertThat(image.told(50, 8).partitions()).isEqualTo(50);
        assertThat(image.told(150, 6).partitions()).isEqualTo(150);
    }

    @Test
    void stripsTopBitsToAPartitionWhosePlaceIsKnown() {
        TableImage image = TableImage.of(2000, 1);
        assertThat(image.nearestKnown(1234)).isEqualTo(-1);
        image = image.withPlace(0, 9);
        assertThat(image.nearestKnown(1234)).isEqualTo(0);
        image = image.withBlock(new AddressBlock(1, 0, 1, places(512)));
        assertThat(image.nearestKnown(1234)).isEqualTo(1234 & 511 & ~0).isLessThan(512);
        assertThat(image.nearestKnown(1234)).isEqualTo(1234 - 1024);
        assertThat(image.brick(1234 - 1024)).isEqualTo(1234 - 1024);
        assertThat(image.brick(1234)).isEqualTo(TableImage.UNKNOWN);
    }

    @Test
    void takesBlocksUnlessItKnowsNewerOnes() {
        TableImage image = TableImage.of(600, 1).withBlock(new AddressBlock(1, 1, 5, places(88)));
        assertThat(image.brick(512 + 87)).isEqualTo(87);
        assertThat(image.brick(512 + 88)).isEqualTo(TableImage.UNKNOWN);
        assertThat(image.placeVersion(512)).isEqualTo(5);
        assertThat(image.placeVersion(511)).isZero();

        assertThat(image.withBlock(new AddressBlock(1, 1, 4, List.of())).brick(512))
                .isZero();
        assertThat(image.withBlock(new AddressBlock(1, 1, 6, List.of())).brick(512))
                .isEqualTo(TableImage.UNKNOWN);

        TableImage placed = image.withPlace(512 + 90, 3);
        assertThat(placed.brick(512 + 90)).isEqualTo(3);
        assertThat(placed.brick(512 + 89)).isEqualTo(TableImage.UNKNOWN);
        assertThat(placed.brick(512 + 87)).isEqualTo(87);
        assertThat(image.brick(512 + 90)).isEqualTo(TableImage.UNKNOWN);
    }

    private static List<Place> places(int count) {
        List<Place> places = new ArrayList<>();
        for (int k = 0; k < count; k++) {
            places.add(new Place(k, 1, 0));
        }
        return places;
    }
}
