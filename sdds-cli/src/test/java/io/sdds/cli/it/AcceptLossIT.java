package io.sdds.cli.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Losses are accepted when the processes that held the records are known to be gone. */
@Execution(ExecutionMode.CONCURRENT)
class AcceptLossIT {
    private static final Duration PATIENCE = SddsProcess.PATIENCE;

    @TempDir
    private Path directory;

    private final int port = SddsProcess.freePorts(2);

    private String address(int number) {
        return "127.0.0.1:" + (port + number);
    }

    private SddsProcess brick() {
        SddsProcess brick =
                SddsProcess.start("brick", "--listen", address(1), "--coordinators", address(0), "--memory", "256m");
        brick.awaitOut("ready");
        return brick;
    }

    private SddsProcess.Ended run(String... args) {
        return SddsProcess.runHere(address(0), args);
    }

    @Test
    void aProcessThatMayStillRunIsNamedUntilSomebodyConfirmsThatItIsGone() {
        try (SddsProcess coordinator = SddsProcess.start(
                "coordinator",
                "--listen",
                address(0),
                "--dir",
                directory.resolve("c1").toString())) {
            coordinator.awaitOut("ready");
            try (SddsProcess first = brick()) {
                run("table", "create", "names").ok();
                run("put", "names", "k", "v").ok();
                SddsProcess.Ended nothingLost = run("table", "accept-loss", "names");
                assertThat(nothingLost.exitCode()).isEqualTo(1);
                assertThat(nothingLost.err()).contains("table names has no lost partition");
                first.signal("KILL");
                first.end();
            }
            try (SddsProcess second = brick()) {
                SddsProcess.Ended refused = run("table", "accept-loss", "names");
                assertThat(refused.exitCode()).isEqualTo(1);
                assertThat(refused.err())
                        .contains("brick 'b1' (incarnation 1 at " + address(1) + ")")
                        .contains("--yes-they-are-gone");
                assertThat(run("get", "names", "k").exitCode()).isNotZero();
                run("table", "accept-loss", "names", "--yes-they-are-gone").ok();
                run("put", "names", "k", "w").ok();
                second.signal("INT"); // it says that it ends
                assertThat(second.end().exitCode()).isZero();
            }
            try (SddsProcess third = brick()) {
                run("table", "accept-loss", "names").ok();
                run("put", "names", "k", "x").ok();
                assertThat(third.isAlive()).isTrue();
            }
        }
    }

    @Test
    @Tag("soak")
    void upTellsOfTheEndsOfItsProcesses() {
        try (UpProcess up = UpProcess.start(directory, 1, "--respawn")) {
            up.run("table", "create", "names").ok();
            up.run("put", "names", "k", "v").ok();
            SddsProcess.signal("KILL", up.pid("b1"));
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> up.run("get", "names", "k").err().contains("accept-loss"));
            up.run("table", "accept-loss", "names").ok();
            up.run("put", "names", "k", "w").ok();
        }
    }
}
