package io.sdds.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sim.plan.Scenario;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** A seed is a run: the same events in the same order, in this JVM and in any other. */
@Order(1)
class DeterminismSimTest {
    /** {@code sdds.determinism}: more in the long form. */
    /** A build runs each fifth scenario. */
    private static final int STEP = 5;

    private static final int SEEDS = Scenario.values().length / STEP;

    private static final int OPERATIONS = 400;

    private static List<String> first;

    @BeforeAll
    static void run() {
        first = hashes();
    }

    @Test
    void aSeedGivesOneTraceInOneJvm() {
        assertThat(hashes()).isEqualTo(first);
    }

    @Test
    void keepingTheTraceDoesNotChangeIt() {
        ClusterSeeds seeds = new ClusterSeeds(Scenario.GROWING, null, OPERATIONS);
        ClusterRun.Outcome plain = seeds.run(5, cluster -> {});
        ClusterRun.Outcome traced =
                seeds.run(5, cluster -> cluster.simulation().trace().keepLines(1000));
        assertThat(traced).isEqualTo(plain);
    }

    @Test
    void aSeedGivesOneTraceInAnotherJvm() throws IOException {
        assertThat(hashesOfAnotherJvm()).isEqualTo(first);
    }

    private static int seeds() {
        return Switches.OF_JVM.count(Switches.DETERMINISM, SEEDS);
    }

    /** Of the scenarios by turns. */
    private static List<String> hashes() {
        List<String> hashes = new ArrayList<>();
        Scenario[] scenarios = Scenario.values();
        int seeds = seeds();
        for (int seed = 1; seed <= seeds; seed++) {
            Scenario scenario = scenarios[seed * STEP % scenarios.length];
            hashes.add(seed + " " + scenario + " "
                    + new ClusterSeeds(scenario, null, OPERATIONS).run(seed, cluster -> {}));
        }
        return hashes;
    }

    /** Another garbage collector, another compiler, other identity hashes, a quarter of the heap. */
    private static List<String> hashesOfAnotherJvm() throws IOException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+UnlockExperimentalVMOptions",
                        "-XX:hashCode=1",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx256m",
                        "-D" + Switches.DETERMINISM + "=" + seeds(),
                        "-cp",
                        classPath,
                        DeterminismSimTest.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        child.getOutputStream().close();
        String out = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return out.lines()
                .filter(line -> line.startsWith("hash "))
                .map(line -> line.substring(5))
                .toList();
    }

    /** What the other JVM runs. */
    public static void main(String[] args) {
        hashes().forEach(line -> System.out.println("hash " + line));
    }
}
