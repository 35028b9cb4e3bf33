package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.planted.Planted;
import io.sdds.sim.world.Simulation;
import io.sdds.sim.world.Trace;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Runs the one seed that {@code -Dsdds.seed} names, as {@code -Dsdds.severity} and the other switches of
 * {@link ClusterSeeds} say, with the planted bug that {@code -Dsdds.bug} names, if any. With {@code -Dsdds.trace=N} the
 * test prints the last N lines of the trace, also when the seed passes.
 */
class ReplaySimTest {
    @Test
    void replaysOneSeed() {
        Switches.check(System.getProperties().stringPropertyNames()); // a misspelled one would have skipped this
        Consumer<SimCluster> bug = planted(System.getProperty(Switches.BUG));
        Long seed = ClusterSeeds.chosen();
        assumeTrue(seed != null, "replays the seed of -Dsdds.seed=N");
        int lines = Switches.OF_JVM.count(Switches.TRACE, 0);
        Replay replay = Replay.of(ClusterSeeds.ofSwitches(), seed, bug, lines);
        replay.trace().lines().forEach(System.out::println);
        System.out.println(replay.outcome());
        if (System.getProperty(Switches.BUG) != null) {
            assertThat(replay.tampered())
                    .as("what %s changed with seed %d", System.getProperty(Switches.BUG), seed)
                    .isPositive();
        }
    }

    /** A run, with the last lines of its trace and what was planted in it. */
    record Replay(ClusterRun.Outcome outcome, Trace trace, long tampered) {
        static Replay of(ClusterSeeds seeds, long seed, Consumer<SimCluster> bug, int lines) {
            AtomicReference<Simulation> simulation = new AtomicReference<>();
            ClusterRun.Outcome outcome = seeds.run(seed, cluster -> {
                simulation.set(cluster.simulation());
                cluster.simulation().trace().keepLines(lines);
                bug.accept(cluster);
            });
            return new Replay(
                    outcome,
                    simulation.get().trace(),
                    simulation.get().tampering().times());
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
