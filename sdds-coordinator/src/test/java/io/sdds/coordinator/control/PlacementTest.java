package io.sdds.coordinator.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.Placement.Candidate;
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
