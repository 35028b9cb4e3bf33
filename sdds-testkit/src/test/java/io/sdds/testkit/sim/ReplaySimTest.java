package io.sdds.testkit.sim;

import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Runs the one seed that {@code -Dsdds.seed} names, as {@code -Dsdds.severity} and the other switches of {@link ClusterSeeds} say, with the planted bug that
 * {@code -Dsdds.bug} names, if any.
 */
@EnabledIfSystemProperty(named = "sdds.seed", matches = ".*", disabledReason = "replays the seed of -Dsdds.seed=N")
class ReplaySimTest {
    @Test
    void replaysOneSeed() {
        Long seed = ClusterSeeds.chosen();
        if (seed != null) {
            System.out.println(ClusterSeeds.ofSwitches().run(seed, planted(System.getProperty(Switches.BUG))));
        }
    }

    static Consumer<SimCluster> planted(String name) {
        if (name == null) {
            return cluster -> {};
        }
        for (Planted bug : Planted.all()) {
            if (bug.name().equals(name)) {
                return bug::plant;
            }
        }
        throw new IllegalArgumentException("-Dsdds.bug must be one of " + Planted.all() + ", not '" + name + "'");
    }
}
