package io.sdds.testkit.sim;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Runs the one seed that {@code -Dsdds.seed} names, as {@code -Dsdds.severity} and the other switches of {@link ClusterSeeds} say, with the planted bug that
 * {@code -Dsdds.bug} names, if any.
 */
class ReplaySimTest {
    @Test
    void replaysOneSeed() {
        Switches.check(System.getProperties().stringPropertyNames()); // a misspelled one would have skipped this
        Consumer<SimCluster> bug = planted(System.getProperty(Switches.BUG));
        Long seed = ClusterSeeds.chosen();
        assumeTrue(seed != null, "replays the seed of -Dsdds.seed=N");
        System.out.println(ClusterSeeds.ofSwitches().run(seed, bug));
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
