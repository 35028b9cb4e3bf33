package io.sdds.cli.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client on the oldest Java it is for, against processes on the newest. */
class Java17IT {
    @TempDir
    private Path directory;

    @Test
    void aClientOnJava17UsesACluster() {
        String java17 = System.getProperty("sdds.jdk17.java", "");
        assumeThat(java17).as("no JDK 17 here").isNotEmpty();
        Path program = SddsProcess.HOME.resolve("sdds-cli/src/test/resources/Java17Client.java");
        try (UpProcess up = UpProcess.start(directory, 2);
                SddsProcess client = SddsProcess.start(
                        List.of(java17, program.toString(), up.address()),
                        Map.of("CLASSPATH", SddsProcess.classPath()))) {
            assertThat(client.end().ok().out()).isEqualTo("java 17: 5000 of 5000 records, 19 with a 7\n");
        }
    }
}
