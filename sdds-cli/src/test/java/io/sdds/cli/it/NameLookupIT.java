package io.sdds.cli.it;

import static java.nio.file.StandardOpenOption.APPEND;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Host names that are gone for a while. */
class NameLookupIT {
    @TempDir
    private Path directory;

    @Test
    void aBrickComesBackWhenTheNameOfItsCoordinatorDoes() throws IOException {
        Path hosts = Files.writeString(directory.resolve("hosts"), "127.0.0.1 localhost\n");
        int port = SddsProcess.freePorts(2);
        List<String> command = List.of(
                SddsProcess.LAUNCHER,
                "brick",
                "--listen",
                "127.0.0.1:" + (port + 1),
                "--memory",
                "64m",
                "--coordinators",
                "coordinator.test:" + port);
        try (SddsProcess coordinator = SddsProcess.start(
                        "coordinator",
                        "--listen",
                        "127.0.0.1:" + port,
                        "--dir",
                        directory.resolve("c1").toString());
                SddsProcess brick = SddsProcess.start(command, SddsProcess.namesFrom(hosts))) {
            coordinator.awaitOut("ready: coordinator c1");
            brick.awaitErr("can't look up host name 'coordinator.test'");
            Files.writeString(hosts, "127.0.0.1 coordinator.test\n", APPEND);
            brick.awaitOut("ready: brick b1");
            brick.awaitErr("host name 'coordinator.test' is found again");
        }
    }
}
