package io.sdds.coordinator.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sdds.coordinator.shell.CoordinatorConfig.Peer;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.BrickRegistered;
import io.sdds.core.control.ControlMessage.ClusterStatus;
import io.sdds.core.control.ControlMessage.FetchStatus;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.RegisterBrick;
import io.sdds.core.protocol.Hello;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThreeCoordinatorsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private final List<Peer> peers = new ArrayList<>();
    private final List<CoordinatorProcess> running = new ArrayList<>();

    private CoordinatorProcess start(Peer peer) throws IOException {
        CoordinatorProcess process = CoordinatorProcess.start(CoordinatorConfig.in(directory.resolve(peer.id()))
                .withId(peer.id())
                .withListen(peer.address())
                .withPeers(peers));
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
                continue; // the one above is taken: another pair
            }
        }
    }

    /** Asks each until one answers something else than that it does not lead. */
    private @Nullable ControlMessage askLeader(Hello.Role role, ControlMessage message) {
        for (Peer peer : peers) {
            try (SocketPeer asking = new SocketPeer(peer.address(), role, "b1")) {
                ControlMessage answer = asking.ask(message);
                if (!(answer instanceof Refused refused) || refused.reason() != Refusal.NOT_LEADER) {
                    return answer;
                }
            } catch (RuntimeException e) {
                continue; // it is down
            }
        }
        return null;
    }

    @Test
    void goesOnWithoutTheLeaderAndLosesNothing() throws IOException {
        for (int k = 1; k <= 3; k++) {
            peers.add(new Peer("c" + k, "127.0.0.1:" + freePort()));
        }
        for (Peer peer : peers) {
            start(peer);
        }
        for (CoordinatorProcess process : running) {
            process.ready().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        }
        ControlMessage registered = await().atMost(PATIENCE)
                .until(
                        () -> askLeader(Hello.Role.BRICK, new RegisterBrick("b1", 42, "127.0.0.1:7500", 1 << 30)),
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
        assertThat(after.bricks().get(0).brick()).isEqualTo(((BrickRegistered) registered).self());
    }
}
