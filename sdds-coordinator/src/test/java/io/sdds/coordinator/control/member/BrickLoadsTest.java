package io.sdds.coordinator.control.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.control.ControlMessage.BrickCounters;
import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the lists of loads, and of their changes, that a coordinator takes. */
class BrickLoadsTest {
    private final BrickLoads loads = new BrickLoads();

    @Test
    void changesSinceTheKnownListAreTaken() {
        loads.take(list(1, 0, load(1, 0, 10), load(1, 1, 20)));
        loads.take(list(2, 1, load(1, 1, 25), load(1, 2, 5), gone(1, 0)));
        assertThat(loads.known()).isEqualTo(2);
        assertThat(loads.of(1)).containsOnlyKeys(1, 2);
        assertThat(loads.records()).isEqualTo(30);
        assertThat(loads.bytes()).isEqualTo(3000);
    }

    @Test
    void changesSinceAnotherListAreNotTakenAndAllLoadsAreWanted() {
        loads.take(list(1, 0, load(1, 0, 10)));
        loads.take(list(3, 2, load(1, 0, 99)));
        assertThat(loads.known()).isZero();
        assertThat(loads.isComplete()).isFalse();
        assertThat(loads.records()).isEqualTo(10);
        loads.take(list(4, 3, load(1, 0, 99)));
        assertThat(loads.known()).as("what was missing is missing still").isZero();
        loads.take(list(5, 0, load(1, 0, 99)));
        assertThat(loads.known()).isEqualTo(5);
        assertThat(loads.records()).isEqualTo(99);
    }

    @Test
    void changesBeforeAnyListAreNotTaken() {
        loads.take(list(7, 6, load(1, 0, 10)));
        assertThat(loads.known()).isZero();
        assertThat(loads.of(1, 0)).isNull();
    }

    @Test
    void aListOfAllTakesThePlaceOfWhatWasKnown() {
        loads.take(list(1, 0, load(1, 0, 10), load(2, 0, 10), level(1, 1, PartitionLoad.STUCK)));
        loads.take(list(2, 0, load(1, 1, 5)));
        assertThat(loads.of(2)).isEmpty();
        assertThat(loads.records()).isEqualTo(5);
        assertThat(loads.anyStuck()).isFalse();
    }

    @Test
    void aBrickOfAVersionThatListsAllEachTimeIsKnownWithoutANumber() {
        loads.take(list(0, 0, load(1, 0, 10)));
        loads.take(list(0, 0, load(1, 1, 5)));
        assertThat(loads.known()).isZero();
        assertThat(loads.isComplete()).isTrue();
        assertThat(loads.of(1)).containsOnlyKeys(1);
    }

    @Test
    void copiesThatWereGivenUpOrAreStuckAreNamedUntilTheyAreNot() {
        loads.take(list(1, 0, level(1, 0, PartitionLoad.GIVEN_UP), level(1, 1, PartitionLoad.STUCK), load(1, 2, 10)));
        assertThat(loads.givenUp()).extracting(PartitionLoad::partition).containsExactly(0);
        assertThat(loads.anyStuck()).isTrue();
        loads.take(list(2, 1, gone(1, 0), load(1, 1, 10)));
        assertThat(loads.givenUp()).isEmpty();
        assertThat(loads.anyStuck()).isFalse();
    }

    private static Heartbeat list(long number, long since, PartitionLoad... loads) {
        return new Heartbeat(
                1,
                1,
                1,
                0,
                BrickCounters.NONE,
                List.of(loads),
                List.of(),
                List.of(),
                List.of(),
                number,
                since,
                List.of());
    }

    private static PartitionLoad load(int table, int partition, long records) {
        return new PartitionLoad(table, partition, 3, records, 100 * records);
    }

    private static PartitionLoad level(int table, int partition, int level) {
        return new PartitionLoad(table, partition, level, 1, 100);
    }

    private static PartitionLoad gone(int table, int partition) {
        return new PartitionLoad(table, partition, PartitionLoad.GONE, 0, 0);
    }
}
