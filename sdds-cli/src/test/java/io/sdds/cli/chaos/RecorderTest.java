package io.sdds.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.testkit.check.HistoryFile;
import io.sdds.testkit.check.LinearizabilityChecker;
import io.sdds.testkit.check.Operation;
import io.sdds.testkit.check.Operation.Kind;
import io.sdds.testkit.check.Operation.Result;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecorderTest {
    private final Recorder recorder = new Recorder(null);
    private long number;

    private void done(int client, Kind kind, @Nullable String value, Result result, @Nullable String out, long from) {
        recorder.take(client, new Event.Begun(++number, kind, "k0.1", value, null, from));
        recorder.take(client, new Event.Ended(number, result, out, from + 5));
    }

    @Test
    void whatAKilledClientHadUnderWayMayHaveHappened() {
        recorder.take(1, new Event.Begun(1, Kind.PUT, "k0.1", "a", null, 10));
        recorder.gone(1);
        done(2, Kind.GET, null, Result.VALUE, "a", 50);
        List<Operation> history = recorder.close(0);
        assertThat(history)
                .hasSize(2)
                .anyMatch(operation -> operation.result() == Result.UNKNOWN && operation.isOpen());
        assertThat(LinearizabilityChecker.check(history)).isEmpty();
    }

    @Test
    void anAcknowledgedWriteThatIsGoneIsAViolation() {
        done(1, Kind.PUT, "a", Result.OK, null, 10);
        done(Auditor.CLIENT, Kind.GET, null, Result.ABSENT, null, 50);
        assertThat(LinearizabilityChecker.check(recorder.close(0)))
                .singleElement()
                .satisfies(violation -> assertThat(violation.operations()).hasSize(2));
    }

    @Test
    void whatIsOpenWhenAGenerationIsClosedIsUnknownAndIsNotAddedLater() {
        recorder.take(1, new Event.Begun(1, Kind.PUT, "k0.1", "a", null, 10));
        assertThat(recorder.isOpen(0)).isTrue();
        assertThat(recorder.isOpen(1)).isFalse();
        assertThat(recorder.close(0)).singleElement().matches(operation -> operation.result() == Result.UNKNOWN);
        recorder.take(1, new Event.Ended(1, Result.OK, null, 20));
        assertThat(recorder.close(0)).isEmpty();
    }

    @Test
    void writesEachOperationAsALineOfAHistory() throws IOException {
        StringBuilder file = new StringBuilder();
        Recorder writing = new Recorder(file);
        writing.take(3, new Event.Begun(1, Kind.CAS, "k2.7", "b", "a", 10));
        writing.take(3, new Event.Ended(1, Result.FALSE, null, 20));
        assertThat(HistoryFile.read(new StringReader(file.toString())))
                .containsExactly(new Operation(3, Kind.CAS, "k2.7", "b", "a", Result.FALSE, null, 10, 20));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "b 1 PUT k0.1 a - 10",
                "b 2 GET k0.1 - - 10",
                "e 2 VALUE a 20",
                "e 1 OK - 30",
                "a 3 sum0 7",
                "d 3 OK",
                "c QUERY",
                "w a b"
            })
    void anEventIsWhatItsLineSays(String line) {
        assertThat(String.valueOf(Event.parse(line))).isEqualTo(line);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "b 1 PUT k0.1 a -", "b 1 PUSH k0.1 a - 10", "e x OK - 30", "warning: something"})
    void aLineThatIsNoEventIsNone(String line) {
        assertThat(Event.parse(line)).isNull();
    }
}
