package io.sdds.brick.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.control.ControlMessage.PartitionLoad;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The loads that a heartbeat lists. */
class LoadListTest {
    private final LoadList list = new LoadList();

    @Test
    void theFirstListNamesAllAndTheNextWhatHasChangedSince() {
        list.take(List.of(load(0, 10), load(1, 10)));
        LoadList.Listed first = list.next();
        assertThat(first.since()).isZero();
        assertThat(first.loads()).containsExactly(load(0, 10), load(1, 10));
        list.answered(first.number());
        list.take(List.of(load(1, 20), load(2, 5)));
        LoadList.Listed second = list.next();
        assertThat(second.since()).isEqualTo(first.number());
        assertThat(second.loads()).containsExactly(load(1, 20), load(2, 5));
    }

    @Test
    void atRestAListNamesNothing() {
        list.take(List.of(load(0, 10)));
        list.answered(list.next().number());
        LoadList.Listed second = list.next();
        assertThat(second.loads()).isEmpty();
        list.answered(second.number());
        assertThat(list.next()).isEqualTo(new LoadList.Listed(3, 2, List.of()));
    }

    @Test
    void whatChangesWhileAHeartbeatIsUnansweredIsInTheNextOne() {
        list.take(List.of(load(0, 10)));
        list.answered(list.next().number());
        list.take(List.of(load(0, 20)));
        LoadList.Listed second = list.next();
        list.take(List.of(load(0, 30)));
        list.answered(second.number());
        assertThat(list.next().loads()).containsExactly(load(0, 30));
    }

    @Test
    void afterAHeartbeatWithoutItsAnswerTheNextListNamesAll() {
        list.take(List.of(load(0, 10), load(1, 10)));
        list.answered(list.next().number());
        list.take(List.of(load(1, 20)));
        list.next(); // refused, or its link went down
        LoadList.Listed next = list.next();
        assertThat(next.since()).isZero();
        assertThat(next.loads()).containsExactly(load(0, 10), load(1, 20));
    }

    @Test
    void anAnswerThatKnowsAnotherListMakesTheNextOneNameAll() {
        list.take(List.of(load(0, 10)));
        LoadList.Listed first = list.next();
        list.answered(first.number());
        list.next();
        list.answered(first.number());
        assertThat(list.next().since()).isZero();
        list.answered(0); // of a version that wants all each time
        assertThat(list.next().loads()).containsExactly(load(0, 10));
    }

    @Test
    void aCoordinatorThatTheBrickHasRegisteredWithIsToldAll() {
        list.take(List.of(load(0, 10)));
        list.answered(list.next().number());
        list.forget();
        assertThat(list.next().loads()).containsExactly(load(0, 10));
    }

    @Test
    void whatHasGoneIsNamedOnceAndIsInNoListOfAll() {
        list.take(List.of(load(0, 10), load(1, 10)));
        list.answered(list.next().number());
        list.take(List.of(gone(0)));
        LoadList.Listed second = list.next();
        assertThat(second.loads()).containsExactly(gone(0));
        list.answered(second.number());
        assertThat(list.next().loads()).isEmpty();
        assertThat(list.next().loads()).containsExactly(load(1, 10));
    }

    @Test
    void whatHasGoneAndComeAgainIsThere() {
        list.take(List.of(load(0, 10)));
        list.answered(list.next().number());
        list.take(List.of(gone(0)));
        list.take(List.of(load(0, 3)));
        assertThat(list.next().loads()).containsExactly(load(0, 3));
    }

    private static PartitionLoad load(int partition, long records) {
        return new PartitionLoad(1, partition, 2, records, 100 * records);
    }

    private static PartitionLoad gone(int partition) {
        return new PartitionLoad(1, partition, PartitionLoad.GONE, 0, 0);
    }
}
