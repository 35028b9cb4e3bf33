package io.sdds.sim.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.testkit.check.Operation;
import io.sdds.testkit.check.Operation.Kind;
import io.sdds.testkit.check.Operation.Result;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryTest {
    private final History history = new History();

    private List<Operation> of(Kind kind) {
        return history.operations().stream()
                .filter(operation -> operation.kind() == kind)
                .toList();
    }

    private void lose(long nanos, History.Copy... late) {
        history.lose(key -> key.equals("k"), nanos, List.of(late));
    }

    @Test
    void aLossRemovesARecordWhenItIsAcceptedAndNotBefore() {
        history.begin(1, Kind.PUT, "k", "a", null, 5).end(Result.OK, null, 6);
        history.begin(1, Kind.PUT, "other", "a", null, 5).end(Result.OK, null, 6);
        lose(10);
        assertThat(of(Kind.CLEAR)).singleElement().satisfies(clear -> {
            assertThat(clear.key()).isEqualTo("k");
            assertThat(clear.startNanos()).isEqualTo(10);
            assertThat(clear.endNanos()).isEqualTo(10);
        });
        assertThat(of(Kind.PUT)).hasSize(2);
    }

    @Test
    void aWriteUnderWayMayBeDoneOnceMoreAfterEachLoss() {
        history.begin(1, Kind.INCREMENT, "k", "1", null, 5).end(Result.OK, "1", 35);
        history.begin(1, Kind.INCREMENT, "other", "1", null, 5).end(Result.OK, "1", 35);
        lose(10);
        lose(20);
        lose(30);
        assertThat(of(Kind.INCREMENT).stream()
                        .filter(operation -> operation.key().equals("k")))
                .hasSize(4)
                .filteredOn(Operation::isOpen)
                .hasSize(3);
        assertThat(of(Kind.INCREMENT).stream()
                        .filter(operation -> operation.key().equals("other")))
                .hasSize(1);
    }

    @Test
    void aWriteThatWasAnsweredBeforeALossIsDoneOnceMoreOnlyByALateCopy() {
        history.begin(1, Kind.INCREMENT, "k", "1", null, 5).end(Result.OK, "1", 6);
        history.begin(1, Kind.INCREMENT, "k", "2", null, 7).end(Result.OK, "3", 8);
        history.begin(1, Kind.INCREMENT, "k", "4", null, 15).end(Result.UNKNOWN, null, 16);
        lose(10, new History.Copy("k", 7));
        lose(12);
        assertThat(of(Kind.INCREMENT)).extracting(Operation::value).containsExactlyInAnyOrder("1", "2", "2", "2", "4");
    }
}
