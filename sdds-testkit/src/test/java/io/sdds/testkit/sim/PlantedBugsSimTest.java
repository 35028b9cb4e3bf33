package io.sdds.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulator and its checkers find nodes that are known to be bad. */
class PlantedBugsSimTest {
    private static final int SEEDS_MAX = 2000;

    static List<Planted> bugs() {
        return Planted.all();
    }

    @ParameterizedTest
    @MethodSource("bugs")
    @Execution(ExecutionMode.CONCURRENT)
    void isCaught(Planted bug) {
        for (long seed = bug.firstSeed(); seed < bug.firstSeed() + SEEDS_MAX; seed++) {
            if (bug.isCaughtBy(seed)) {
                return;
            }
        }
        assertThat(bug).as("not caught by %d seeds", SEEDS_MAX).isNull();
    }
}
