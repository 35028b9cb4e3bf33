package io.sdds.sim.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.stage.StageLimits;
import io.sdds.sim.check.QueueChecker.Peaks;
import io.sdds.sim.check.QueueChecker.Waiting;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Queues may be as long as they may, and not longer by one event or byte. */
class QueueCheckerTest {
    private static final int EVENTS = 10;
    private static final int BYTES = 4096;
    private static final StageLimits LIMITS = new StageLimits(EVENTS, BYTES, 1_000_000, 4, 3, 5);
    private static final Waiting NOTHING = new Waiting(0, 0);
    private static final Waiting FULL = new Waiting(EVENTS, BYTES);
    private static final Waiting TWICE = new Waiting(2 * EVENTS, 2 * BYTES);

    @Test
    void acceptsQueuesUpToTheirBoundsAndTwiceThatOfWhatWasForwarded() {
        assertThat(check(NOTHING, NOTHING, NOTHING)).isEmpty();
        assertThat(check(FULL, FULL, FULL)).isEmpty();
        assertThat(check(TWICE, FULL, NOTHING)).isEmpty();
    }

    @Test
    void findsAClientsRequestInTheHalfThatIsForForwardedOnes() {
        for (Waiting wrong : List.of(new Waiting(EVENTS + 1, 0), new Waiting(0, BYTES + 1))) {
            assertThat(check(TWICE, wrong, NOTHING)).singleElement().asString().contains("admitted a client's request");
        }
    }

    @Test
    void findsMoreThanTwiceTheBound() {
        for (Waiting wrong : List.of(new Waiting(2 * EVENTS + 1, 0), new Waiting(0, 2 * BYTES + 1))) {
            assertThat(check(wrong, FULL, NOTHING)).singleElement().asString().startsWith("a queue of b1 held");
        }
    }

    @Test
    void findsTooMuchThatWaitsForReaders() {
        for (Waiting wrong : List.of(new Waiting(EVENTS + 1, 0), new Waiting(0, BYTES + 1))) {
            assertThat(check(FULL, FULL, wrong)).singleElement().asString().contains("that don't read");
        }
    }

    @Test
    void findsMoreOfMessagesThatAreNotWholeThanABrickMayHold() {
        assertThat(QueueChecker.incomingBeyondBounds("b1", BYTES, BYTES)).isEmpty();
        assertThat(QueueChecker.incomingBeyondBounds("b1", BYTES + 1, BYTES))
                .singleElement()
                .asString()
                .startsWith("links of b1 held " + (BYTES + 1));
    }

    private static List<String> check(Waiting queue, Waiting admitted, Waiting parked) {
        return QueueChecker.beyondBounds(new Peaks("b1", queue, admitted, parked), LIMITS);
    }
}
