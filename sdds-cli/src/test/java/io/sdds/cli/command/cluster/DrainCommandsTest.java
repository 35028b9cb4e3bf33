package io.sdds.cli.command.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.cli.command.Sdds;
import io.sdds.client.ClusterStatus.BrickStatus;
import io.sdds.testkit.EmbeddedCluster;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code brick-drain} against a cluster in this process. */
class DrainCommandsTest {
    @Test
    void whatCanNotBeDoneIsRefusedInOneLine() {
        try (EmbeddedCluster cluster = EmbeddedCluster.start(2)) {
            assertRefused(sdds(cluster, "brick-drain", "b7"), "no brick is called 'b7'; there are b1, b2");
            assertDone(sdds(cluster, "brick-drain", "b1"));
            assertRefused(
                    sdds(cluster, "brick-drain", "b2"), "brick b2 is the last one that is up and not being drained");
            assertDone(sdds(cluster, "brick-drain", "b1", "--cancel"));
            assertThat(cluster.client().status(false).bricks()).noneMatch(BrickStatus::draining);
            assertDone(sdds(cluster, "brick-drain", "b2"));
        }
    }

    private static Sdds sdds(EmbeddedCluster cluster, String... args) {
        List<String> all = new ArrayList<>(List.of("--connect", cluster.address()));
        all.addAll(List.of(args));
        return Sdds.run(all.toArray(String[]::new));
    }

    private static void assertDone(Sdds command) {
        assertThat(command.exitCode()).as(command.err()).isZero();
    }

    private static void assertRefused(Sdds command, String why) {
        assertThat(command.exitCode()).as(command.err()).isEqualTo(1);
        assertThat(command.err().lines()).singleElement().asString().contains(why);
    }
}
