package io.sdds.coordinator.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sdds.coordinator.control.StateKeeper;
import io.sdds.coordinator.raft.RaftGroupConfig.Member;
import io.sdds.coordinator.state.ClusterSnapshot;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.netty.NettyTransport;
import io.sdds.core.node.Env;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RaftLogTest {
    private static final UUID GROUP = new UUID(1, 2);

    @TempDir
    Path directory;

    private final NettyTransport transport = new NettyTransport(1, "log-test");
    private final Env env = transport.envs().get(0);

    @AfterEach
    void stop() {
        transport.close();
    }

    private RaftLog start(StateKeeper keeper, long snapshotEvery) throws IOException {
        return start(keeper, snapshotEvery, directory.resolve("log"));
    }

    private static RaftLog log(long snapshotEvery, Path directory) {
        return new RaftLog(new RaftGroupConfig(
                "c1",
                GROUP,
                List.of(new Member("c1", "127.0.0.1:1", "")),
                directory,
                Duration.ofMillis(100),
                snapshotEvery));
    }

    private RaftLog start(StateKeeper keeper, long snapshotEvery, Path directory) throws IOException {
        RaftLog log = log(snapshotEvery, directory);
        log.open(env, keeper);
        log.start();
        log.ready().orTimeout(10, TimeUnit.SECONDS).join();
        return log;
    }

    private <T> T onNode(Supplier<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        env.execute(() -> result.complete(task.get()));
        return result.orTimeout(10, TimeUnit.SECONDS).join();
    }

    private List<Result> propose(RaftLog log, int commands) {
        List<CompletableFuture<Result>> results = new ArrayList<>();
        for (int k = 0; k < commands; k++) {
            CompletableFuture<Result> result = new CompletableFuture<>();
            results.add(result);
            env.execute(() -> log.propose(new Command.OpenSession(), result::complete));
        }
        return results.stream()
                .map(result -> result.orTimeout(10, TimeUnit.SECONDS).join())
                .toList();
    }

    private ClusterSnapshot snapshot(StateKeeper keeper) {
        return onNode(keeper::snapshot);
    }

    private List<Path> files(String glob) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(file -> file.getFileName().toString().startsWith(glob))
                    .toList();
        }
    }

    @Test
    void answersEachProposalWithItsResultInOrder() throws IOException {
        StateKeeper keeper = new StateKeeper();
        try (RaftLog log = start(keeper, 1000)) {
            List<Result> results = propose(log, 200);
            for (int k = 0; k < results.size(); k++) {
                assertThat(results.get(k)).isEqualTo(new Result.SessionOpened(k + 1));
            }
        }
    }

    @Test
    void beginsAgainFromItsSnapshotAndTheCommandsAfterIt() throws IOException {
        StateKeeper first = new StateKeeper();
        try (RaftLog log = start(first, 50)) {
            propose(log, 120);
            propose(log, 10);
        }
        assertThat(files("snapshot.")).isNotEmpty();
        StateKeeper second = new StateKeeper();
        try (RaftLog log = start(second, 50)) {
            assertThat(snapshot(second)).isEqualTo(snapshot(first));
            assertThat(second.snapshots()).isEqualTo(1);
            assertThat(second.commands()).isLessThan(100);
            assertThat(propose(log, 1)).containsExactly(new Result.SessionOpened(131));
        }
    }

    @Test
    void failsWhenTheLibraryHasClosedItsServer() throws Exception {
        try (RaftLog log = start(new StateKeeper(), 50)) {
            propose(log, 1);
            Objects.requireNonNull(log.division()).close();
            assertThat(log.failed().orTimeout(10, TimeUnit.SECONDS).join())
                    .hasMessageContaining("has closed its server");
        }
    }

    @Test
    void isNoFailureToBeClosed() throws IOException {
        RaftLog log = start(new StateKeeper(), 50);
        propose(log, 1);
        log.close();
        assertThat(log.failed()).isNotDone();
    }

    /** A log with a snapshot cannot end its start before a node opens the log. */
    @Test
    void tellsNoPositionBeforeItsDiskHasBeenRead() throws Exception {
        long term;
        try (RaftLog log = start(new StateKeeper(), 50)) {
            propose(log, 120);
            term = log.position().term();
        }
        assertThat(term).isPositive();
        try (RaftLog log = log(50, directory.resolve("log"))) {
            assertThat(log.position()).isNull();
            CompletableFuture<Void> started = CompletableFuture.runAsync(() -> startUnchecked(log));
            await().during(Duration.ofMillis(500)).until(() -> log.position() == null && !started.isDone());
            log.open(env, new StateKeeper());
            started.orTimeout(10, TimeUnit.SECONDS).join();
            await().until(() -> log.position() != null);
            assertThat(log.position().term()).isGreaterThanOrEqualTo(term);
        }
    }

    private static void startUnchecked(RaftLog log) {
        try {
            log.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The files at one moment are what a killed process leaves. */
    @Test
    void knowsWhatItAnsweredWhenItWasKilled() throws IOException {
        StateKeeper first = new StateKeeper();
        StateKeeper second = new StateKeeper();
        try (RaftLog log = start(first, 40)) {
            propose(log, 100);
            Path image = Files.createDirectory(directory.resolve("image"));
            copy(directory.resolve("log"), image);
            try (RaftLog next = start(second, 40, image.resolve("whole"))) {
                assertThat(propose(next, 1)).containsExactly(new Result.SessionOpened(101));
            }
        }
    }

    /** Copies the files as they are at one moment. Copies again when a file got another name meanwhile. */
    private static void copy(Path from, Path to) throws IOException {
        for (int k = 0; ; k++) {
            try {
                copyAll(from, to.resolve("try" + k));
                Files.move(to.resolve("try" + k), to.resolve("whole"));
                return;
            } catch (NoSuchFileException renamed) {
                assertThat(k).as("copies in vain").isLessThan(100);
            }
        }
    }

    private static void copyAll(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path file : all.filter(f -> !f.endsWith("in_use.lock")).toList()) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
    }

    @Test
    void cutsOffWhatACrashLeftHalfWritten() throws IOException {
        StateKeeper first = new StateKeeper();
        try (RaftLog log = start(first, 1000)) {
            propose(log, 10);
        }
        Path open = files("log_inprogress").get(0);
        Files.write(open, new byte[] {40, 1, 2, 3, 4}, StandardOpenOption.APPEND); // 4 bytes instead of 40
        StateKeeper second = new StateKeeper();
        try (RaftLog log = start(second, 1000)) {
            assertThat(snapshot(second)).isEqualTo(snapshot(first));
            assertThat(propose(log, 1)).containsExactly(new Result.SessionOpened(11));
        }
    }

    @Test
    void rejectsProposalsOnceClosed() throws IOException {
        StateKeeper keeper = new StateKeeper();
        RaftLog log = start(keeper, 1000);
        log.close();
        Result result = propose(log, 1).get(0);
        assertThat(((Result.Rejected) result).reason()).isEqualTo(Refusal.NOT_LEADER);
    }
}
