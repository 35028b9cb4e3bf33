package io.sdds.coordinator.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.StateKeeper;
import io.sdds.coordinator.raft.RaftGroupConfig.Member;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;
import io.sdds.core.netty.NettyTransport;
import io.sdds.core.node.Env;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that an answered command is on disk: the JVM's flight recorder sees each file that is forced. */
class SyncedLogTest {
    private static final int COMMANDS = 30;

    @TempDir
    Path directory;

    /** The times at which a command was proposed and at which its result was known. */
    private record Answered(Instant proposed, Instant known) {}

    @Test
    void theLogIsForcedToDiskBetweenEachProposalAndItsResult() throws Exception {
        List<Answered> answers;
        List<RecordedEvent> forced;
        try (Recording recording = new Recording()) {
            recording.enable("jdk.FileForce").withoutThreshold().withoutStackTrace();
            recording.start();
            answers = commands();
            recording.stop();
            Path file = directory.resolve("forced.jfr");
            recording.dump(file);
            forced = RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getString("path").contains("log_inprogress"))
                    .toList();
        }
        assertThat(answers)
                .hasSize(COMMANDS)
                .allMatch(answer -> forced.stream()
                        .anyMatch(event -> !event.getStartTime().isBefore(answer.proposed())
                                && !event.getEndTime().isAfter(answer.known())));
    }

    /** Proposes commands one after the other. */
    private List<Answered> commands() throws IOException {
        List<Answered> answers = new ArrayList<>();
        try (NettyTransport transport = new NettyTransport(1, "log-test");
                RaftLog log = new RaftLog(new RaftGroupConfig(
                        "c1",
                        new UUID(1, 2),
                        List.of(new Member("c1", "127.0.0.1:1", "")),
                        directory.resolve("log"),
                        Duration.ofMillis(100),
                        1_000))) {
            Env env = transport.envs().get(0);
            log.open(env, new StateKeeper());
            log.start();
            log.ready().orTimeout(10, TimeUnit.SECONDS).join();
            for (int k = 0; k < COMMANDS; k++) {
                Instant proposed = Instant.now();
                CompletableFuture<Result> result = new CompletableFuture<>();
                env.execute(() -> log.propose(new Command.OpenSession(), result::complete));
                result.orTimeout(10, TimeUnit.SECONDS).join();
                answers.add(new Answered(proposed, Instant.now()));
            }
        }
        return answers;
    }
}
