package io.sdds.coordinator.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sdds.coordinator.raft.RaftGroupConfig;
import io.sdds.coordinator.shell.CoordinatorConfig.Peer;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.BrickRegistered;
import io.sdds.core.control.ControlMessage.ClusterStatus;
import io.sdds.core.control.ControlMessage.FetchStatus;
import io.sdds.core.control.ControlMessage.OpenSession;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.RegisterBrick;
import io.sdds.core.control.ControlMessage.SessionOpened;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.protocol.Hello;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThreeCoordinatorsIT {
    private static final long SNAPSHOT_EVERY_COMMANDS = 40;
    private static final int SESSIONS = 200;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private final List<Peer> peers = new ArrayList<>();
    private final List<CoordinatorProcess> running = new ArrayList<>();

    private CoordinatorProcess start(Peer peer) throws IOException {
        return start(peer, RaftGroupConfig.SNAPSHOT_EVERY_COMMANDS);
    }

    private CoordinatorProcess start(Peer peer, long snapshotEveryCommands) throws IOException {
        CoordinatorConfig config = CoordinatorConfig.in(directory.resolve(peer.id()))
                .withId(peer.id())
                .withListen(peer.address())
                .withPeers(peers);
        CoordinatorProcess process = CoordinatorProcess.start(config, snapshotEveryCommands);
        running.add(process);
        return process;
    }

    @AfterEach
    void stop() throws IOException {
        for (CoordinatorProcess process : running) {
            process.close();
        }
    }

    private static int freePort() throws IOException {
        while (true) {
            try (ServerSocket own = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                int raftPort = own.getLocalPort() + CoordinatorConfig.RAFT_PORT_OFFSET;
                if (raftPort < 65_536) {
                    new ServerSocket(raftPort, 1, InetAddress.getLoopbackAddress()).close();
                    return own.getLocalPort();
                }
            } catch (java.net.BindException e) {
                continue; // the port above is taken: try another pair
            }
        }
    }

    /** Asks all coordinators until one answers otherwise than with NOT_LEADER. */
    private @Nullable ControlMessage askLeader(Hello.Role role, ControlMessage message) {
        for (Peer peer : peers) {
            try (SocketPeer asking = new SocketPeer(peer.address(), role, "b1")) {
                ControlMessage answer = asking.ask(message);
                if (!(answer instanceof Refused refused) || refused.reason() != Refusal.NOT_LEADER) {
                    return answer;
                }
            } catch (RuntimeException e) {
                continue; // the coordinator is down
            }
        }
        return null;
    }

    @Test
    void goesOnWithoutTheLeaderAndLosesNothing() throws IOException {
        addPeers();
        for (Peer peer : peers) {
            start(peer);
        }
        for (CoordinatorProcess process : running) {
            process.ready().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        }
        ControlMessage registered = await().atMost(PATIENCE)
                .until(
                        () -> askLeader(
                                Hello.Role.BRICK, new RegisterBrick("b1", 42, "127.0.0.1:7500", 1 << 30, "", 0)),
                        a -> a != null);
        assertThat(registered).isInstanceOf(BrickRegistered.class);

        ClusterStatus before = (ClusterStatus) askLeader(Hello.Role.CLIENT, new FetchStatus(false));
        assertThat(before).isNotNull();
        CoordinatorProcess leader = running.get(peers.indexOf(peers.stream()
                .filter(peer -> peer.id().equals(before.coordinator()))
                .findFirst()
                .orElseThrow()));
        leader.close();
        ClusterStatus after = (ClusterStatus) await().atMost(PATIENCE)
                .until(() -> askLeader(Hello.Role.CLIENT, new FetchStatus(false)), a -> a != null);
        assertThat(after.coordinator()).isNotEqualTo(before.coordinator());
        List<CoordinatorProcess> left =
                running.stream().filter(process -> process != leader).toList();
        await().atMost(PATIENCE)
                .until(() ->
                        left.stream().allMatch(process -> process.readiness().yes()));
        left.get(0).close();
        await().atMost(PATIENCE).until(() -> !left.get(1).readiness().yes());
        assertThat(left.get(1).liveness().yes()).isTrue();
        assertThat(after.bricks().get(0).brick()).isEqualTo(((BrickRegistered) registered).self());
    }

    @Test
    void aMemberThatLostItsDirectoryIsSentASnapshotAndCountsForTheMajorityAgain() throws IOException {
        addPeers();
        List<CoordinatorProcess> processes = new ArrayList<>();
        for (Peer peer : peers) {
            processes.add(start(peer, SNAPSHOT_EVERY_COMMANDS));
        }
        for (CoordinatorProcess process : processes) {
            process.ready().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        }
        openSessions(SESSIONS);
        int wiped = peers.indexOf(peer(leaderId())) == 0 ? 1 : 0;
        processes.get(wiped).close();
        deleteTree(directory.resolve(peers.get(wiped).id()));

        openSessions(SESSIONS);
        int deposed = peers.indexOf(peer(leaderId()));
        processes.get(deposed).close();
        processes.set(deposed, start(peers.get(deposed), SNAPSHOT_EVERY_COMMANDS));
        openSessions(SESSIONS); // under another leader, or the same leader in another term
        // A coordinator cuts off its log in the background, some time after it has taken a snapshot.
        await("the log is cut off").atMost(PATIENCE).until(() -> firstLogIndex(peers.get(deposed)) > 0);

        CoordinatorProcess back = start(peers.get(wiped), SNAPSHOT_EVERY_COMMANDS);
        processes.set(wiped, back);
        back.ready().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        await().atMost(PATIENCE).until(() -> hasSnapshot(peers.get(wiped)));
        await("it votes").atMost(PATIENCE).until(() -> hasCaughtUp(peers.get(wiped)));
        int leader = peers.indexOf(peer(leaderId()));
        int other = 3 - wiped - leader;
        if (leader != wiped) {
            processes.get(other).close(); // only with the wiped coordinator there is a majority
        }
        openSessions(SESSIONS);
        assertThat(back.failed()).isNotDone();
    }

    @Test
    void aCoordinatorWithTheDirectoryOfAnotherClusterIsRefusedWithBothIds() throws IOException {
        addPeers();
        List<CoordinatorProcess> processes = new ArrayList<>();
        for (Peer peer : peers) {
            processes.add(start(peer));
        }
        for (CoordinatorProcess process : processes) {
            process.ready().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        }
        List<String> ids = new ArrayList<>();
        for (Peer peer : peers) {
            ids.add(Files.readString(directory.resolve(peer.id()).resolve("cluster-id")));
        }
        assertThat(ids).allMatch(ids.get(0)::equals);
        processes.get(2).close();
        Path own = directory.resolve(peers.get(2).id());
        deleteTree(own);
        String other = new ClusterId(1, 2).toString();
        Files.createDirectories(own);
        Files.writeString(own.resolve("cluster-id"), other);
        assertThat(start(peers.get(2))
                        .failed()
                        .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                        .join())
                .isInstanceOf(WrongDirectoryException.class)
                .hasMessageContaining("it belongs to cluster " + ids.get(0).strip())
                .hasMessageContaining("to cluster " + other);
        assertThat(leaderId()).as("the others go on").isNotEmpty();
    }

    private void addPeers() throws IOException {
        for (int k = 1; k <= 3; k++) {
            peers.add(new Peer("c" + k, "127.0.0.1:" + freePort()));
        }
    }

    private Peer peer(String id) {
        return peers.stream().filter(peer -> peer.id().equals(id)).findFirst().orElseThrow();
    }

    private String leaderId() {
        return await().atMost(PATIENCE)
                                .until(
                                        () -> askLeader(Hello.Role.CLIENT, new FetchStatus(false)),
                                        ClusterStatus.class::isInstance)
                        instanceof ClusterStatus status
                ? status.coordinator()
                : "";
    }

    /** Opens sessions. Each one is a command of the log. */
    private void openSessions(int count) {
        int opened = 0;
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (opened < count) {
            assertThat(System.nanoTime())
                    .as("%d of %d sessions opened in time", opened, count)
                    .isLessThan(deadline);
            opened += openSessionsAt(peer(leaderId()), count - opened);
        }
    }

    private static int openSessionsAt(Peer leader, int count) {
        try (SocketPeer asking = new SocketPeer(leader.address(), Hello.Role.CLIENT, "test")) {
            List<CompletableFuture<ControlMessage>> answers = new ArrayList<>();
            for (int k = 0; k < count; k++) {
                answers.add(asking.send(new OpenSession("test")));
            }
            return (int) answers.stream()
                    .map(answer -> answer.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                            .join())
                    .filter(SessionOpened.class::isInstance)
                    .count();
        } catch (RuntimeException e) {
            return 0; // the coordinator leads no more
        }
    }

    private List<Path> raftFiles(Peer peer, String prefix) throws IOException {
        try (Stream<Path> all = Files.walk(directory.resolve(peer.id()))) {
            return all.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .toList();
        } catch (UncheckedIOException e) {
            return List.of(); // the file is being written
        }
    }

    /** The index of the first entry that is still in a coordinator's log. */
    private long firstLogIndex(Peer peer) throws IOException {
        return raftFiles(peer, "log_").stream()
                .map(file -> file.getFileName().toString())
                .map(name -> name.replaceFirst("log_(inprogress_)?", "").replaceFirst("-.*", ""))
                .mapToLong(Long::parseLong)
                .min()
                .orElse(0);
    }

    private boolean hasSnapshot(Peer peer) throws IOException {
        return !raftFiles(peer, "snapshot.").isEmpty();
    }

    /** Whether a coordinator has all that the others had when it joined. Before that it does not vote. */
    private boolean hasCaughtUp(Peer peer) throws IOException {
        return !Files.readString(directory.resolve(peer.id()).resolve(CoordinatorDirectory.IDENTITY))
                .contains("last-index=");
    }

    private static void deleteTree(Path tree) throws IOException {
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
