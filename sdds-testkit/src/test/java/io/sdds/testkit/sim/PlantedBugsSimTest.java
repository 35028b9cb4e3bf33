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

    /** Beyond, it is said which seed should be tried first. */
    private static final int SEEDS_FEW = 20;

    static List<Planted> bugs() {
        return Planted.all();
    }

    @ParameterizedTest
    @MethodSource("bugs")
    @Execution(ExecutionMode.CONCURRENT)
    void isCaught(Planted bug) {
        for (long seed = bug.firstSeed(); seed < bug.firstSeed() + SEEDS_MAX; seed++) {
            if (ClusterSeeds.each(List.of(seed), bug::isCaughtBy).get(0)) {
                if (seed > bug.firstSeed() + SEEDS_FEW) {
                    System.out.println(bug + " was caught by seed " + seed + ", not by " + bug.firstSeed());
                }
                return;
            }
        }
        assertThat(bug).as("not caught by %d seeds", SEEDS_MAX).isNull();
    }
}
