package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Scenario;
import io.sdds.sim.planted.Planted;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SwitchesTest {
    private static final Switches NONE = new Switches(name -> null);

    private static Switches with(String name, String value) {
        return new Switches(Map.of(name, value)::get);
    }

    @ParameterizedTest
    @ValueSource(strings = {Switches.TRACE, Switches.DETERMINISM, Switches.SEEDS, Switches.SHRINK})
    void aCountThatIsNoneIsRefused(String name) {
        for (String wrong : new String[] {"x", "", "-1", "99999999999"}) {
            assertThatThrownBy(() -> with(name, wrong).count(name, 20))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("-D" + name + " must be a whole number from 0 to 2147483647, not '" + wrong + "'");
        }
        assertThat(with(name, " 3 ").count(name, 20)).isEqualTo(3);
        assertThat(NONE.count(name, 20)).isEqualTo(20);
    }

    @Test
    void severityAndScenarioAreThoseThatWereSaid() {
        assertThat(NONE.severity()).isNull();
        assertThat(with(Switches.SEVERITY, "HARSH").severity()).isEqualTo(ClusterPlan.Severity.HARSH);
        assertThat(NONE.scenario()).isEqualTo(Scenario.GROWING);
        assertThat(with(Switches.SHAPE, "QUORUM").scenario()).isEqualTo(Scenario.QUORUM);
    }

    @Test
    void aBuildRunsAPartOfTheNewSeedsOfTheLongForm() {
        assertThat(NONE.newSeeds(75)).isEqualTo(8);
        assertThat(NONE.newSeeds(4)).isEqualTo(1);
        assertThat(NONE.newSeeds(0)).isZero();
        assertThat(with(Switches.SEEDS_PERCENT, "100").newSeeds(75)).isEqualTo(75);
        assertThat(with(Switches.SEEDS_PERCENT, "1000").newSeeds(75)).isEqualTo(750);
        assertThat(with(Switches.SEEDS, "7").newSeeds(75)).isEqualTo(7);
        assertThat(with(Switches.SEEDS, "7").newSeeds(0)).isZero();
    }

    @Test
    void seedsSeveritiesAndScenariosThatDontExistAreRefused() {
        assertThatThrownBy(with(Switches.SEED, "seven")::seed)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-Dsdds.seed must be a whole number")
                .hasMessageContaining("'seven'");
        assertThatThrownBy(with(Switches.SEVERITY, "AWFUL")::severity)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-Dsdds.severity must be one of [CALM, ")
                .hasMessageContaining("'AWFUL'");
        assertThatThrownBy(with(Switches.SHAPE, "quorum")::scenario)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-Dsdds.shape must be one of [GROWING, SHRINKING, ")
                .hasMessageContaining("'quorum'");
    }

    @Test
    void aBugThatDoesNotExistIsRefused() {
        assertThatThrownBy(() -> ReplaySimTest.planted("EVERYTHING_IS_FINE"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-Dsdds.bug must be one of [")
                .hasMessageContaining("RESULTS_STAY_BEHIND")
                .hasMessageContaining("'EVERYTHING_IS_FINE'");
        for (Planted bug : Planted.all()) {
            assertThat(ReplaySimTest.planted(bug.name())).isNotNull();
        }
    }

    @Test
    void moreClientsThanThePlanHasAreRefused() {
        ClusterPlan plan = ClusterPlan.draw(6, ClusterPlan.Severity.HARSH, 1000);
        assertThatThrownBy(() -> with(Switches.CLIENTS, "1000").reduction(plan))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("-Dsdds.clients must be a whole number from 1 to " + plan.clients() + ",");
    }

    @Test
    void aSizeThatIsNoneIsRefused() {
        assertThat(NONE.size()).isNull();
        assertThat(with(Switches.SIZE, "5x3").size()).isEqualTo("5x3");
        assertThatThrownBy(with(Switches.SIZE, "big")::size)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("-Dsdds.size must be bricks and clients such as 5x3, not 'big'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sdds.sede", "sdds.SEED", "sdds.seed.bases", "sdds.fault"})
    void aMisspelledSwitchIsRefused(String name) {
        assertThatThrownBy(() -> Switches.check(Set.of("sdds.seed", name)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("-D" + name + " is no switch of the simulator; there are sdds.bug, ")
                .hasMessageContaining("sdds.seed.base");
    }

    @Test
    void whatTheBuildAndOthersListenToIsLeftToThem() {
        assertThatCode(() -> Switches.check(Set.of(
                        "sdds.seed",
                        "sdds.home",
                        "sdds.chaos.seconds",
                        "sdds.spin.micros",
                        "sdds.format.mode",
                        "java.home")))
                .doesNotThrowAnyException();
    }
}
