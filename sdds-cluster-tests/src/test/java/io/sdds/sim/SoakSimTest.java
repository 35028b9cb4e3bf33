package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

class SoakSimTest {
    private static final int MEDIAN_MAX = 500;
    private static final int SEEDS_THAT_MEET_EVERYTHING = 2000;

    /** {@code mvn verify -Psoak -Dsdds.soak=10m}. */
    @Test
    @EnabledIfSystemProperty(named = "sdds.soak", matches = ".*", disabledReason = "the long form: mvn verify -Psoak")
    void noNewSeedFailsAndEveryPlantedBugIsCaught() {
        Soak soak = new Soak(System.getProperty("sdds.soak"));
        soak.run();
        assertThat(soak.failures()).isEmpty();
        soak.seedsUntilCaught().forEach((bug, counts) -> {
            if (!counts.isEmpty()) {
                assertThat(Soak.median(counts)).as("%s: %s", bug, counts).isLessThanOrEqualTo(MEDIAN_MAX);
            }
        });
        if (soak.isLongEnoughForEveryBug()) {
            assertThat(soak.notCaught()).isEmpty();
        }
        if (soak.seeds() >= SEEDS_THAT_MEET_EVERYTHING) {
            assertThat(soak.coverage().missing()).isSubsetOf(CoverageSimTest.NOT_IN_EVERY_PLAN);
        }
    }

    @Test
    void timeBudgetsAreReadOrRefused() {
        assertThat(Soak.nanos("90s")).isEqualTo(90_000_000_000L);
        assertThat(Soak.nanos("2h")).isEqualTo(7_200_000_000_000L);
        for (String wrong : new String[] {"", "m", "10", "0s", "-1m", "ten minutes", "1.5h"}) {
            assertThatThrownBy(() -> new Soak(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("such as 90s, 10m or 2h")
                    .hasMessageContaining("'" + wrong + "'");
        }
    }
}
