package io.sdds.brick.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.control.ControlMessage.SplitWanted;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a stage looks for partitions that want to split. */
class SplitCheckTest {
    private static final SplitWanted SPLIT = new SplitWanted(1, 0);

    private final List<SplitWanted> wanted = new ArrayList<>(List.of(SPLIT));
    private boolean ready = true;
    private int looks;
    private int reports;
    private final SplitCheck check = new SplitCheck(() -> ready, this::look, () -> reports++);

    @Test
    void aTurnSoonAfterALookDoesNotLookAgain() {
        check.onDrained(10 * SplitCheck.NANOS);
        check.onDrained(11 * SplitCheck.NANOS);
        assertThat(looks).isOne();
        check.onDrained(11 * SplitCheck.NANOS + 1);
        assertThat(looks).isEqualTo(2);
        assertThat(reports).isEqualTo(2);
    }

    @Test
    void theFirstTurnAfterAChangeOfTheMapLooksAtOnce() {
        check.onDrained(10 * SplitCheck.NANOS);
        check.mapChanged();
        check.onDrained(10 * SplitCheck.NANOS + 1);
        assertThat(looks).isEqualTo(2);
        check.onDrained(10 * SplitCheck.NANOS + 2);
        assertThat(looks).as("one change forces one look").isEqualTo(2);
    }

    @Test
    void nothingIsReportedWhileNoPartitionWantsToSplit() {
        wanted.clear();
        check.mapChanged();
        check.onDrained(1);
        assertThat(looks).isOne();
        assertThat(reports).isZero();
    }

    @Test
    void aBrickThatIsNotRegisteredDoesNotLook() {
        ready = false;
        check.mapChanged();
        check.onDrained(1);
        assertThat(looks + reports).isZero();
    }

    private List<SplitWanted> look() {
        looks++;
        return wanted;
    }
}
