package io.sdds.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SwitchesTest {
    private final Properties before = (Properties) System.getProperties().clone();

    @AfterEach
    void restore() {
        System.setProperties(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {Switches.TRACE, Switches.DETERMINISM, Switches.SEEDS, Switches.SHRINK})
    void aCountThatIsNoneIsRefused(String name) {
        for (String wrong : new String[] {"x", "", "-1", "99999999999"}) {
            System.setProperty(name, wrong);
            assertThatThrownBy(() -> Switches.count(name, 20))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("-D" + name + " must be a whole number from 0 to 2147483647, not '" + wrong + "'");
        }
        System.setProperty(name, " 3 ");
        assertThat(Switches.count(name, 20)).isEqualTo(3);
        System.clearProperty(name);
        assertThat(Switches.count(name, 20)).isEqualTo(20);
    }

    @Test
    void severityAndScenarioAreThoseThatWereSaid() {
        System.setProperty(Switches.SEVERITY, "HARSH");
        assertThat(Switches.severity()).isEqualTo(ClusterPlan.Severity.HARSH);
        System.setProperty(Switches.SHAPE, "QUORUM");
        assertThat(Switches.scenario()).isEqualTo(Scenario.QUORUM);
        System.setProperty(Switches.SHAPE, "quorum");
        assertThatThrownBy(Switches::scenario)
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
        System.setProperty(Switches.CLIENTS, "1000");
        assertThatThrownBy(() -> Switches.reduction(plan))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("-Dsdds.clients must be a whole number from 1 to " + plan.clients() + ",");
    }

    @Test
    void aSizeThatIsNoneIsRefused() {
        assertThat(Switches.size()).isNull();
        System.setProperty(Switches.SIZE, "5x3");
        assertThat(Switches.size()).isEqualTo("5x3");
        System.setProperty(Switches.SIZE, "big");
        assertThatThrownBy(Switches::size)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("-Dsdds.size must be bricks and clients such as 5x3, not 'big'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sdds.sede", "sdds.SEED", "sdds.seed.bases", "sdds.fault"})
    void aMisspelledSwitchIsRefused(String name) {
        System.setProperty(name, "1");
        assertThatThrownBy(() -> new ClusterSeeds(Scenario.GROWING, null))
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
