package io.sdds.coordinator.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.coordinator.control.base.InMemoryLog;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.BrickCounters;
import io.sdds.core.control.ControlMessage.BrickRegistered;
import io.sdds.core.control.ControlMessage.ClusterStatus;
import io.sdds.core.control.ControlMessage.Coordinators;
import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.control.ControlMessage.FetchStatus;
import io.sdds.core.control.ControlMessage.FindCoordinators;
import io.sdds.core.control.ControlMessage.FindTable;
import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.control.ControlMessage.OpenSession;
import io.sdds.core.control.ControlMessage.RegisterBrick;
import io.sdds.core.control.ControlMessage.SessionOpened;
import io.sdds.core.control.ControlMessage.TableFound;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import io.sdds.core.node.Readiness;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.protocol.Hello;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CoordinatorProcessTest {
    private static final RegisterBrick B1 = new RegisterBrick("b1", 42, "127.0.0.1:7500", 1 << 30, "", 0);

    @TempDir
    Path directory;

    private CoordinatorConfig config() {
        return CoordinatorConfig.in(directory).withListen("127.0.0.1:0");
    }

    private static CoordinatorProcess start(CoordinatorConfig config) throws IOException {
        CoordinatorProcess process = CoordinatorProcess.start(config);
        process.ready().orTimeout(10, TimeUnit.SECONDS).join();
        return process;
    }

    @Test
    void aCoordinatorIsReadyWhenItLeads() throws IOException {
        try (CoordinatorProcess process = start(config())) {
            assertThat(process.readiness()).isEqualTo(new Readiness(true, "ok: leads"));
            assertThat(process.liveness()).isEqualTo(Readiness.OK);
        }
    }

    @Test
    void oneOfThreeThatReachesNoOtherIsAliveAndNotReady() throws IOException {
        CoordinatorConfig config = CoordinatorConfig.in(directory)
                .withListen("127.0.0.1:24400")
                .withPeers(List.of(
                        new CoordinatorConfig.Peer("c1", "127.0.0.1:24400"),
                        new CoordinatorConfig.Peer("c2", "127.0.0.1:24401"),
                        new CoordinatorConfig.Peer("c3", "127.0.0.1:24402")));
        try (CoordinatorProcess process = CoordinatorProcess.start(config)) {
            assertThat(process.readiness().yes()).isFalse();
            assertThat(process.readiness().text()).startsWith("not ready: ");
            assertThat(process.liveness()).isEqualTo(Readiness.OK);
        }
    }

    private static SocketPeer client(CoordinatorProcess process) {
        return new SocketPeer(process.address(), Hello.Role.CLIENT, "test");
    }

    private static MapUpdate beat(SocketPeer brick, BrickInfo self, long mapVersion) {
        return (MapUpdate) brick.ask(new Heartbeat(
                self.number(),
                self.incarnation(),
                mapVersion,
                0,
                BrickCounters.NONE,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                0,
                0,
                List.of()));
    }

    /** Creates a table on a brick that confirms it at once. */
    private static TableFound createTable(SocketPeer client, SocketPeer brick, BrickInfo self) {
        CompletableFuture<ControlMessage> created = client.send(
                new CreateTable("t", TableSpec.of(TableKind.HASH).capacity(100).build()));
        long version = 0;
        while (!created.isDone()) {
            version = beat(brick, self, version).toVersion();
        }
        return (TableFound) created.join();
    }

    @Test
    void knowsAfterRestartWhatItHadToldAnybody() throws IOException {
        TableFound table;
        long session;
        try (CoordinatorProcess process = start(config());
                SocketPeer client = client(process);
                SocketPeer brick = new SocketPeer(process.address(), Hello.Role.BRICK, "b1")) {
            BrickInfo self = ((BrickRegistered) brick.ask(B1)).self();
            table = createTable(client, brick, self);
            session = ((SessionOpened) client.ask(new OpenSession("test"))).session();
        }
        try (CoordinatorProcess process = start(config());
                SocketPeer client = client(process);
                SocketPeer brick = new SocketPeer(process.address(), Hello.Role.BRICK, "b1")) {
            assertThat(client.ask(new FindTable("t"))).isEqualTo(table);
            assertThat(((BrickRegistered) brick.ask(B1)).self().incarnation()).isEqualTo(1);
            assertThat(((SessionOpened) client.ask(new OpenSession("test"))).session())
                    .isGreaterThan(session);
            assertThat(((ClusterStatus) client.ask(new FetchStatus(true))).sessions())
                    .isEqualTo(2);
        }
    }

    @Test
    void namesThePortItTook() throws IOException {
        try (CoordinatorProcess process = CoordinatorProcess.startInMemory(config(), new InMemoryLog());
                SocketPeer client = client(process)) {
            assertThat(process.address()).doesNotEndWith(":0");
            assertThat(client.ask(new FindCoordinators(""))).isEqualTo(new Coordinators(List.of(process.address())));
        }
    }

    @Test
    void refusesAPortInUse() throws IOException {
        try (CoordinatorProcess process = CoordinatorProcess.startInMemory(config(), new InMemoryLog())) {
            assertThatThrownBy(() -> CoordinatorProcess.start(config().withListen(process.address())))
                    .isInstanceOf(BindException.class)
                    .hasMessageContaining(process.address());
        }
        start(config()).close(); // nothing is left behind
    }

    @Test
    void aDirectoryKeepsTheIdOfItsClusterAndDoesNotServeAnother() throws IOException {
        ClusterId id;
        try (CoordinatorProcess process = start(config())) {
            id = clusterOf(process);
            assertThat(Files.readString(directory.resolve("cluster-id"))).isEqualTo(id + "\n");
        }
        try (CoordinatorProcess process = start(config())) {
            assertThat(clusterOf(process)).isEqualTo(id);
        }
        ClusterId other = new ClusterId(1, 2);
        Files.writeString(directory.resolve("cluster-id"), other.toString());
        try (CoordinatorProcess process = CoordinatorProcess.start(config())) {
            assertThat(process.failed().orTimeout(10, TimeUnit.SECONDS).join())
                    .isInstanceOf(WrongDirectoryException.class)
                    .hasMessage("the directory of coordinator 'c1' belongs to cluster " + other
                            + ", its log to cluster " + id);
        }
    }

    private static ClusterId clusterOf(CoordinatorProcess process) {
        try (SocketPeer client = client(process)) {
            assertThat(client.ask(new FetchStatus(false))).isInstanceOf(ClusterStatus.class);
            return client.peer().cluster();
        }
    }

    @Test
    void refusesADirectoryInUse() throws IOException {
        try (CoordinatorProcess process = start(config())) {
            assertThat(process.address()).isNotEmpty();
            assertThatThrownBy(() -> CoordinatorProcess.start(config()))
                    .isInstanceOf(WrongDirectoryException.class)
                    .hasMessageContaining("in use");
        }
    }

    @Test
    void refusesAnothersDirectory() throws IOException {
        CoordinatorDirectory.take(config()).close();
        assertThatThrownBy(() -> CoordinatorProcess.start(config().withId("c2")))
                .isInstanceOf(WrongDirectoryException.class)
                .hasMessageContaining("belongs to coordinator 'c1', not 'c2'");
        List<CoordinatorConfig.Peer> peers = List.of(
                new CoordinatorConfig.Peer("c1", "127.0.0.1:7400"),
                new CoordinatorConfig.Peer("c2", "127.0.0.1:7401"),
                new CoordinatorConfig.Peer("c3", "127.0.0.1:7402"));
        assertThatThrownBy(() -> CoordinatorProcess.start(config().withPeers(peers)))
                .isInstanceOf(WrongDirectoryException.class)
                .hasMessageContaining(
                        "a cluster with coordinators c1, not c1=127.0.0.1:7400,c2=127.0.0.1:7401,c3=127.0.0.1:7402");
    }
}
