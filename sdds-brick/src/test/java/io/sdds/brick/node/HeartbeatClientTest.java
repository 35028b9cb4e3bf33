package io.sdds.brick.node;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.netty.buffer.ByteBuf;
import io.sdds.core.LogLines;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.BrickCounters;
import io.sdds.core.control.ControlMessage.BrickEnded;
import io.sdds.core.control.ControlMessage.BrickRegistered;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.RegisterBrick;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.node.AnsweringNode;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.node.Readiness;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.protocol.Hello;
import io.sdds.core.stage.StageLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Registration, heartbeats, and what a brick logs while no coordinator answers. */
class HeartbeatClientTest {
    private static final String ADDRESS = "c1:7400";
    private static final String SECOND = "c2:7400";
    private static final ClusterId OWN = new ClusterId(1, 2);
    private static final ClusterId THEIRS = new ClusterId(3, 4);
    private static final BrickInfo SELF = new BrickInfo(1, "b1", 1, "b1:7000");

    private final LogLines log = LogLines.of(LeaderContact.class.getName(), Level.INFO);
    private final FakeWorld world = new FakeWorld(1);
    private final FakeCoordinator coordinator = new FakeCoordinator(ADDRESS);
    private final FakeWorld.FakeEnv env = world.newEnv();
    private final PendingCalls calls = new PendingCalls();
    private final List<String> foreign = new ArrayList<>();
    private final List<String> replaced = new ArrayList<>();
    private long leaseEndsNanos;
    private HeartbeatClient client = with(ADDRESS);

    private HeartbeatClient with(String... coordinators) {
        return new HeartbeatClient(
                env,
                new Brick(),
                new BrickSettings(
                        "b1", "b1:7000", List.of(coordinators), BrickSettings.HEARTBEAT_NANOS, StageLimits.DEFAULT),
                () -> Hello.of(Hello.Role.BRICK, "b1", 0).withCluster(OWN),
                calls,
                Link::flush,
                new Listener());
    }

    @Test
    void aBrickWhoseCoordinatorsAreAllOfAnotherClusterIsToldSo() {
        FakeCoordinator second = new FakeCoordinator(SECOND);
        coordinator.cluster = THEIRS;
        second.cluster = OWN;
        client = with(ADDRESS, SECOND);
        client.start();
        world.run(Duration.ofSeconds(3));
        assertThat(second.heartbeats).as("one of its own goes on").isPositive();
        assertThat(foreign).isEmpty();
        second.cluster = THEIRS;
        second.hangUp();
        world.run(Duration.ofSeconds(3));
        assertThat(foreign)
                .isNotEmpty()
                .allMatch(line -> line.matches("brick 'b1' belongs to cluster " + OWN
                        + ", the coordinator at c[12]:7400 to cluster " + THEIRS));
        assertThat(coordinator.heartbeats).isZero();
    }

    @Test
    void aMapThatClientsWaitForIsConfirmedAtOnce() {
        client.start();
        coordinator.confirm = true;
        world.runUntil(() -> coordinator.heartbeats == 2, Duration.ofSeconds(1));
        world.run(Duration.ofMillis(10));
        assertThat(coordinator.heartbeats).isEqualTo(3);
    }

    @Test
    void aBrickThatEndsSaysSo() {
        client.start();
        world.run(Duration.ofSeconds(1));
        assertThat(coordinator.ended).isEmpty();
        client.close();
        world.run(Duration.ofSeconds(1));
        assertThat(coordinator.ended).containsExactly(new BrickEnded("b1", 1));
    }

    @AfterEach
    void stopListening() {
        log.close();
    }

    @ParameterizedTest
    @CsvSource({"800, 200", "160, 40", "8000, 200"})
    void fourHeartbeatsLeaveInTheTimeOfALeaseAndFiveASecondAtLeast(long leaseMillis, int betweenMillis) {
        coordinator.leaseMillis = leaseMillis;
        client.start();
        world.run(Duration.ofSeconds(1));
        coordinator.heartbeats = 0;
        world.run(Duration.ofSeconds(2));
        assertThat(coordinator.heartbeats).isEqualTo(2000 / betweenMillis);
    }

    @Test
    void anAnswerWithoutALeaseLeavesTheIntervalAsItIs() {
        coordinator.leaseMillis = 160;
        client.start();
        world.run(Duration.ofSeconds(1));
        coordinator.leaseMillis = 0;
        world.run(Duration.ofSeconds(1));
        coordinator.heartbeats = 0;
        world.run(Duration.ofSeconds(1));
        assertThat(coordinator.heartbeats).isEqualTo(25);
    }

    @Test
    void aLeaseIsCountedFromTheHeartbeatsSendingAndAFifthShort() {
        coordinator.leaseMillis = 800;
        client.start();
        world.run(Duration.ofMillis(300));
        assertThat(leaseEndsNanos).isBetween(1L, coordinator.heardNanos + 640_000_000L - 1);
    }

    @Test
    void aBrickWithoutACoordinatorSaysSoWithinFiveSecondsAndThenOnceAMinute() {
        world.stopListening(ADDRESS);
        client.start();
        world.run(Duration.ofMillis(2900));
        assertThat(warnings()).isEmpty();
        world.run(Duration.ofMillis(2000));
        assertThat(warnings()).singleElement().asString().contains("brick b1 has heard from no coordinator", ADDRESS);
        world.run(Duration.ofMinutes(10));
        assertThat(warnings()).hasSize(11);
    }

    @Test
    void aBrickThatLosesItsCoordinatorSaysSoAndSaysWhenOneIsBack() {
        client.start();
        world.run(Duration.ofSeconds(10));
        assertThat(warnings()).isEmpty();
        coordinator.env.crash();
        world.stopListening(ADDRESS);
        world.run(Duration.ofSeconds(5));
        assertThat(warnings()).singleElement().asString().contains("it serves by the map that it has");
        FakeCoordinator next = new FakeCoordinator(ADDRESS);
        world.run(Duration.ofSeconds(70));
        assertThat(next.heartbeats).isPositive();
        assertThat(warnings()).hasSize(1);
        assertThat(log.texts())
                .anyMatch(line -> line.startsWith("brick b1 has heard from a coordinator again, after 5 s"));
    }

    @Test
    void aDuplicateNameIsToldOnceUntilTheBrickIsAccepted() {
        coordinator.refusal = Refusal.DUPLICATE_BRICK;
        client.start();
        world.run(Duration.ofSeconds(30));
        assertThat(warnings()).singleElement().asString().contains("refuses brick b1 for now: \\nnot you");
        coordinator.refusal = null;
        world.run(Duration.ofSeconds(2));
        assertThat(coordinator.heartbeats).isPositive();
        assertThat(replaced).isEmpty();
    }

    @Test
    void aRegisteredBrickWhoseNameIsAnothersNowIsReplacedAndSaysNothingMore() {
        client.start();
        world.run(Duration.ofSeconds(1));
        coordinator.refusal = Refusal.DUPLICATE_BRICK;
        world.run(Duration.ofSeconds(1));
        assertThat(replaced).containsExactly("\nnot you");
        coordinator.heartbeats = 0;
        world.run(Duration.ofSeconds(5));
        assertThat(coordinator.heartbeats).isZero();
    }

    @Test
    void aBrickThatIsRegisteredAnewUnderAnotherIncarnationIsReplaced() {
        client.start();
        world.run(Duration.ofSeconds(1));
        coordinator.incarnation = 2;
        coordinator.forgets = true;
        world.run(Duration.ofSeconds(1));
        assertThat(replaced).hasSize(1);
    }

    @Test
    void theFirstCoordinatorIsDialedNextWhenAnotherNamesItAsTheLeader() {
        FakeCoordinator second = new FakeCoordinator(SECOND);
        second.refusal = Refusal.NOT_LEADER;
        second.refusalText = ADDRESS;
        world.stopListening(ADDRESS);
        client = with(ADDRESS, SECOND);
        client.start();
        world.run(Duration.ofSeconds(1));
        FakeCoordinator first = new FakeCoordinator(ADDRESS);
        world.run(Duration.ofSeconds(1));
        assertThat(first.heartbeats).isPositive();
    }

    @Test
    void aBrickIsReadyOnceItIsRegisteredAndStaysSoWithoutACoordinator() {
        coordinator.refusal = Refusal.NOT_READY;
        client.start();
        world.run(Duration.ofSeconds(1));
        assertThat(client.readiness().yes()).isFalse();
        assertThat(client.readiness().text()).startsWith("starting: ");
        coordinator.refusal = null;
        world.run(Duration.ofSeconds(1));
        assertThat(client.readiness()).isEqualTo(Readiness.OK);
        coordinator.env.crash();
        world.stopListening(ADDRESS);
        world.run(Duration.ofSeconds(10));
        assertThat(client.readiness().yes()).isTrue();
        assertThat(client.readiness().text()).contains("no coordinator that leads has answered for 10 s");
    }

    @Test
    void aBrickThatIsDrainedIsNotReady() {
        client.start();
        coordinator.drains = true;
        world.run(Duration.ofSeconds(1));
        assertThat(client.readiness().yes()).isFalse();
        assertThat(client.readiness().text()).startsWith("draining: ");
        coordinator.drains = false;
        world.run(Duration.ofSeconds(1));
        assertThat(client.readiness()).isEqualTo(Readiness.OK);
    }

    private List<String> warnings() {
        return log.texts(Level.WARN);
    }

    private final class Brick implements Node {
        @Override
        public void onLinkUp(Link link) {
            client.linkUp();
        }

        @Override
        public void onFrames(Link link, ByteBuf frames) {
            for (int at = frames.readerIndex(); at < frames.writerIndex(); at += frames.getIntLE(at)) {
                int correlation = frames.getIntLE(at + ControlFrame.CORRELATION);
                calls.answered(link, correlation, ControlFrame.read(frames, at, frames.getIntLE(at)));
            }
        }

        @Override
        public void onLinkDown(Link link, String reason) {
            calls.linkDown(link);
            client.linkDown(link, reason);
        }
    }

    private final class Listener implements HeartbeatClient.Listener {
        @Override
        public long memoryLimitBytes() {
            return 1L << 30;
        }

        @Override
        public void registered(BrickInfo self) {}

        @Override
        public void foreign(String line) {
            foreign.add(line);
        }

        @Override
        public void replaced(String why) {
            replaced.add(why);
        }

        @Override
        public void mapUpdate(MapUpdate update, long leaseUntilNanos) {
            leaseEndsNanos = leaseUntilNanos;
        }

        @Override
        public Heartbeat heartbeat(BrickInfo self) {
            BrickCounters counters = BrickCounters.NONE;
            return new Heartbeat(
                    self.number(),
                    self.incarnation(),
                    0,
                    0,
                    counters,
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    0,
                    0,
                    List.of());
        }
    }

    /** Registers the brick and grants leases. */
    private final class FakeCoordinator extends AnsweringNode {
        private final FakeWorld.FakeEnv env = world.newEnv();
        private long leaseMillis;
        private @Nullable Refusal refusal;
        private String refusalText = "\nnot you";
        private boolean drains;
        private boolean confirm;
        private final List<BrickEnded> ended = new ArrayList<>();
        private int heartbeats;
        private long heardNanos;
        private ClusterId cluster = ClusterId.UNKNOWN;
        private @Nullable Link link;
        private boolean forgets;
        private long incarnation = 1;

        FakeCoordinator(String address) {
            world.listen(
                    address, env, () -> Hello.of(Hello.Role.COORDINATOR, "c", 0).withCluster(cluster), this);
        }

        void hangUp() {
            Objects.requireNonNull(link).close();
        }

        @Override
        public void onLinkUp(Link up) {
            link = up;
        }

        @Override
        protected ControlMessage answer(ControlMessage message) {
            if (refusal != null) {
                return new Refused(refusal, refusalText);
            }
            if (message instanceof RegisterBrick) {
                forgets = false;
                return new BrickRegistered(new BrickInfo(SELF.number(), SELF.id(), incarnation, SELF.address()));
            }
            if (forgets) {
                return new Refused(Refusal.NOT_READY, "register first");
            }
            if (message instanceof BrickEnded end) {
                ended.add(end);
                return new Done(0);
            }
            heartbeats++;
            heardNanos = env.nowNanos();
            return new MapUpdate(
                    0,
                    1,
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    0,
                    List.of(),
                    leaseMillis,
                    List.of(),
                    cluster,
                    drains,
                    0,
                    0,
                    confirm && heartbeats == 2);
        }
    }
}
