package io.sdds.coordinator.control.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sdds.coordinator.control.placement.Placement.Candidate;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlacementTest {
    private static final long LIMIT_BYTES = 1 << 30;

    private static Candidate brick(int number, long bytes, int partitions) {
        return new Candidate(number, 1, bytes, LIMIT_BYTES, partitions, false);
    }

    private static Candidate avoided(Candidate c) {
        return new Candidate(c.brick(), c.incarnation(), c.bytes(), c.limitBytes(), c.partitions(), true);
    }

    @Test
    void choosesTheLeastFilledThenTheOneWithFewestPartitions() {
        assertThat(Placement.forNewPartition(List.of(brick(1, 50 << 20, 1), brick(2, 40 << 20, 9)))
                        .brick())
                .isEqualTo(2);
        assertThat(Placement.forNewPartition(List.of(brick(1, 0, 2), brick(2, 0, 1), brick(3, 0, 1)))
                        .brick())
                .isEqualTo(2);
        assertThat(Placement.forNewPartition(List.of())).isNull();
    }

    @Test
    void comparesFillAndNotBytesOfBricksOfDifferentSize() {
        Candidate large = new Candidate(1, 1, 300 << 20, 4 * LIMIT_BYTES, 3, false);
        assertThat(Placement.forNewPartition(List.of(large, brick(2, 100 << 20, 1)))
                        .brick())
                .isEqualTo(1);
    }

    @Test
    void doesNotDecideByAFewBytes() {
        assertThat(Placement.forNewPartition(List.of(brick(1, 10_000, 1), brick(2, 0, 2)))
                        .brick())
                .isEqualTo(1);
    }

    private static Candidate heavy(int number, long bytes, int partitions) {
        return new Candidate(number, 1, bytes, LIMIT_BYTES, partitions, false, 200);
    }

    /** Places partitions one by one, each of {@code bytes}; returns the number of each brick. */
    private static int[] placed(int partitions, long bytes) {
        int[] counts = new int[2];
        for (int k = 0; k < partitions; k++) {
            Candidate chosen = Placement.forNewPartition(
                    List.of(brick(0, counts[0] * bytes, counts[0]), heavy(1, counts[1] * bytes, counts[1])));
            counts[chosen.brick()]++;
        }
        return counts;
    }

    @Test
    void aBrickOfWeightTwoGetsTwiceAsMuch() {
        assertThat(placed(60, 0)).containsExactly(20, 40);
        assertThat(placed(60, 8 << 20)).containsExactly(20, 40);
    }

    @Test
    void aFullMemoryCountsWhateverTheWeight() {
        assertThat(Placement.forNewPartition(List.of(brick(1, LIMIT_BYTES * 9 / 10, 9), heavy(2, LIMIT_BYTES, 10)))
                        .brick())
                .isEqualTo(1);
    }

    @Test
    void loadGrowsWithWhatABrickHolds() {
        for (int weight : List.of(10, 50, 100, 200, 10_000)) {
            double before = -1;
            for (int percent = 0; percent <= 120; percent++) {
                double load = WeightedLoad.fill(percent, 100, weight);
                assertThat(load).as("%s %% at weight %s", percent, weight).isGreaterThan(before);
                before = load;
            }
            if (weight >= 100) {
                assertThat(WeightedLoad.fill(100, 100, weight)).isCloseTo(1, within(1e-9));
            }
        }
    }

    @Test
    void primariesAndBackupsOfANewTableFollowTheWeights() {
        List<Candidate> four = List.of(brick(1, 0, 0), brick(2, 0, 0), heavy(3, 0, 0), heavy(4, 0, 0));
        List<Candidate> hosts = Placement.spread(four, 60, 2);
        assertThat(hosts).hasSize(120);
        int[] primaries = new int[5];
        int[] copies = new int[5];
        for (int k = 0; k < hosts.size(); k++) {
            copies[hosts.get(k).brick()]++;
            primaries[hosts.get(k).brick()] += k % 2 == 0 ? 1 : 0;
        }
        assertThat(primaries).containsExactly(0, 10, 10, 20, 20);
        assertThat(copies[1] + copies[2]).isBetween(36, 44);
        for (int a = 0; a < 60; a++) {
            assertThat(hosts.get(2 * a)).isNotEqualTo(hosts.get(2 * a + 1));
        }
    }

    @Test
    void equalBricksTakeTurns() {
        List<Candidate> three = List.of(brick(1, 0, 0), brick(2, 0, 0), brick(3, 0, 0));
        assertThat(bricks(Placement.spread(three, 4, 2))).containsExactly(1, 2, 2, 3, 3, 1, 1, 2);
    }

    @Test
    void putsAChildOnAnotherBrickThanItsParentWheneverThereIsOne() {
        List<Candidate> two = List.of(brick(1, 0, 0), brick(2, 500 << 20, 50));
        assertThat(Placement.forChild(two, 1).brick()).isEqualTo(2);
        assertThat(Placement.forChild(List.of(brick(1, 0, 0)), 1).brick()).isEqualTo(1);
    }

    private static List<Integer> bricks(List<Candidate> chosen) {
        return chosen.stream().map(Candidate::brick).toList();
    }

    @Test
    void aChildsGroupIsLedByAnotherBrickThanItsParentsWheneverThereIsOne() {
        List<Candidate> two = List.of(brick(1, 0, 0), brick(2, 500 << 20, 50));
        assertThat(bricks(Placement.forChildGroup(two, 2, 1))).containsExactly(2, 1);
        assertThat(bricks(Placement.forChildGroup(two, 2, 2))).containsExactly(1, 2);
        assertThat(bricks(Placement.forChildGroup(List.of(brick(1, 0, 0)), 2, 1)))
                .containsExactly(1);
    }

    @Test
    void aChildsGroupHasAsManyMembersAsThereCouldBeOrWaits() {
        List<Candidate> three = List.of(brick(1, 300 << 20, 1), brick(2, 100 << 20, 1), brick(3, 200 << 20, 1));
        assertThat(bricks(Placement.forChildGroup(three, 2, 1))).containsExactly(2, 3);
        assertThat(bricks(Placement.forChildGroup(three, 5, 2))).containsExactly(3, 1, 2);
        assertThat(Placement.forChildGroup(List.of(brick(1, 0, 0), avoided(brick(2, 0, 0))), 2, 1))
                .isEmpty();
    }

    @Test
    void waitsForTheOnlyOtherBrickWhenItFailedLately() {
        assertThat(Placement.forChild(List.of(brick(1, 0, 0), avoided(brick(2, 0, 0))), 1))
                .isNull();
        assertThat(Placement.forChild(List.of(brick(1, 0, 0), avoided(brick(2, 0, 0)), brick(3, 9 << 20, 9)), 1)
                        .brick())
                .isEqualTo(3);
    }
}
