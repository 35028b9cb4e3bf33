package io.sdds.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LocalClusterTest {
    @Test
    void aPlanNamesThePortsAtWhichItsProcessesListen() {
        assertThat(portsOf(3, 2)).containsExactly(7400, 7401, 7402, 7403, 7404, 8400, 8401, 8402);
        assertThat(portsOf(1, 2)).containsExactly(7400, 7401, 7402);
    }

    private static IntStream portsOf(int coordinators, int bricks) {
        LocalCluster.Plan plan = new LocalCluster.Plan(Path.of("none"), coordinators, bricks, 7400, null);
        return IntStream.range(1024, 65_536).filter(plan::hasPort);
    }
}
