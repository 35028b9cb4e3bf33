package io.sdds.coordinator.control.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.CoordinatorNode;
import io.sdds.coordinator.control.FakeBrick;
import io.sdds.coordinator.control.FakePeer;
import io.sdds.coordinator.control.HoldingLog;
import io.sdds.coordinator.control.base.CoordinatorSettings;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.protocol.Hello;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the leases that a coordinator grants, and of its wait for bricks that may still hold one. */
class LeasesTest {
    private static final String ADDRESS = "coordinator:7400";
    private static final Duration SILENCE = Duration.ofMillis(1500);
    private static final Duration LONG_SILENCE = Duration.ofMillis(6000);
    private static final Duration SHORT_SILENCE = Duration.ofMillis(600);
    private static final Duration TICK = Duration.ofMillis(200);

    private final FakeWorld world = new FakeWorld(1);
    private final HoldingLog log = new HoldingLog();
    private FakeBrick one = new FakeBrick(world, "b1", 1);
    private FakeBrick two = new FakeBrick(world, "b2", 2);
    private CoordinatorNode node = coordinator(SILENCE);

    /** A coordinator takes over, and two bricks register. */
    private void lead(Duration silence) {
        node.close();
        world.stopListening(ADDRESS);
        node = coordinator(silence);
        one = new FakeBrick(world, "b1", 1).join(ADDRESS);
        two = new FakeBrick(world, "b2", 2).join(ADDRESS);
    }

    private CoordinatorNode coordinator(Duration silence) {
        CoordinatorSettings defaults = CoordinatorSettings.of("c1", List.of(ADDRESS));
        FakeWorld.FakeEnv env = world.newEnv();
        CoordinatorNode next = new CoordinatorNode(
                env,
                new CoordinatorSettings(
                        "c1",
                        List.of(ADDRESS),
                        silence.toNanos(),
                        defaults.sessionLeaseNanos(),
                        defaults.createPatienceNanos(),
                        defaults.avoidTargetNanos(),
                        defaults.mergeAfterNanos(),
                        defaults.rebalanceAfterNanos(),
                        defaults.indexCapacityRecords()),
                log);
        next.start();
        world.listen(ADDRESS, env, next::hello, next);
        return next;
    }

    private void createTableOfTwoCopies() {
        one.beat();
        two.beat();
        FakePeer client = new FakePeer(world);
        client.dial(ADDRESS, Hello.Role.CLIENT, "test");
        client.send(new CreateTable(
                "t", TableSpec.of(TableKind.HASH).capacity(1000).replicas(2).build()));
        beatFor(TICK, one, two);
        assertThat(members()).isEqualTo(2);
    }

    private void beatFor(Duration time, FakeBrick... bricks) {
        for (long millis = 0; millis < time.toMillis(); millis += TICK.toMillis()) {
            world.run(TICK);
            for (FakeBrick brick : bricks) {
                brick.beat();
            }
        }
    }

    private int members() {
        return node.state().place(1, 0).members().size();
    }

    private static long leaseMillis(ControlMessage answer) {
        assertThat(answer).isInstanceOf(MapUpdate.class);
        return ((MapUpdate) answer).leaseMillis();
    }

    @Test
    void aBrickGetsNoLeaseWhileAnotherProcessOfItsNameIsBeingRegistered() {
        lead(SILENCE);
        createTableOfTwoCopies();
        world.run(SILENCE.plus(TICK)); // both bricks are silent, so neither is removed
        log.hold();
        FakeBrick next = new FakeBrick(world, "b1", 99);
        next.dial(ADDRESS, Hello.Role.BRICK, "b1");
        next.send(next.registration());
        world.run(TICK);
        assertThat(leaseMillis(two.beat())).isEqualTo(800);
        assertThat(leaseMillis(one.beat()))
                .as("its lease would outlive its membership")
                .isZero();
        log.goOn();
        world.run(TICK);
        assertThat(one.down).isTrue();
        assertThat(members()).isEqualTo(1);
    }

    @Test
    void leasesAreAsLongAsTheLogSays() {
        lead(LONG_SILENCE);
        log.hold();
        assertThat(leaseMillis(one.beat())).isEqualTo(800);
        world.run(LONG_SILENCE);
        assertThat(leaseMillis(one.beat())).isEqualTo(800);
        log.goOn();
        world.run(TICK);
        assertThat(leaseMillis(one.beat())).isEqualTo(3200);
    }

    @Test
    void aLeaderThatGrantsShorterLeasesWaitsForTheLongerOnesThatOthersGranted() {
        lead(LONG_SILENCE);
        createTableOfTwoCopies();
        beatFor(Duration.ofSeconds(2), one, two);
        assertThat(leaseMillis(two.beat())).isEqualTo(3200);

        lead(SHORT_SILENCE);
        beatFor(TICK.multipliedBy(2), one);
        assertThat(leaseMillis(one.beat())).isEqualTo(320);
        beatFor(Duration.ofMillis(5000), one);
        assertThat(members()).as("two may answer reads by a long lease").isEqualTo(2);
        beatFor(Duration.ofMillis(1200), one);
        assertThat(members()).isEqualTo(1);
    }

    @Test
    void onceLongerLeasesHaveRunOutAMemberIsLeftBehindAfterTheShorterSilence() {
        lead(LONG_SILENCE);
        createTableOfTwoCopies();
        beatFor(Duration.ofSeconds(2), one, two);
        lead(SHORT_SILENCE);
        beatFor(LONG_SILENCE.plusSeconds(1), one, two);
        assertThat(members()).isEqualTo(2);
        beatFor(SHORT_SILENCE.plus(TICK), one);
        assertThat(members()).isEqualTo(1);
    }
}
