package io.sdds.coordinator.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.coordinator.control.base.CommandLog;
import io.sdds.coordinator.control.base.CoordinatorSettings;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.TableFound;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.protocol.Features;
import io.sdds.core.protocol.Hello;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that features of the cluster become active when all bricks and coordinators support them. */
class FeatureReconcilerTest {
    private static final String ADDRESS = "coordinator:7400";
    private static final long FEATURE = 1L << 60;
    private static final long ANOTHER = 1L << 61;
    private static final long OF_LINKS = 1L << 20;
    private static final long NEW = Features.CHECKSUMS | OF_LINKS | FEATURE;

    private final FakeWorld world = new FakeWorld(1);
    private final HoldingLog commands = new HoldingLog();
    private final CoordinatorNode node = newNode(commands);

    private CoordinatorNode newNode(CommandLog log) {
        return new CoordinatorNode(world.newEnv(), CoordinatorSettings.of("c1", List.of(ADDRESS)), log);
    }

    @BeforeEach
    void start() {
        node.supports(NEW | ANOTHER);
        FakeWorld.FakeEnv env = world.newEnv();
        node.start();
        world.listen(ADDRESS, env, node::hello, node);
    }

    private FakeBrick brick(String id, long features) {
        FakeBrick brick =
                new FakeBrick(world, id, id.hashCode()).thatSupports(features).join(ADDRESS);
        brick.beat();
        return brick;
    }

    private void beatFor(Duration time, FakeBrick... bricks) {
        FakeBrick.beatFor(world, time, List.of(bricks));
    }

    private void createTable(FakeBrick brick) {
        FakePeer client = new FakePeer(world);
        client.dial(ADDRESS, Hello.Role.CLIENT, "test");
        int id = client.send(
                new CreateTable("t", TableSpec.of(TableKind.HASH).capacity(1000).build()));
        world.run(Duration.ofMillis(1));
        brick.beat();
        assertThat(client.answer(id)).isInstanceOf(TableFound.class);
    }

    private static void assertRefused(ControlMessage answer) {
        assertThat(answer).isInstanceOf(Refused.class);
        assertThat(((Refused) answer).reason()).isEqualTo(Refusal.BAD_REQUEST);
        assertThat(((Refused) answer).text())
                .isEqualTo(
                        "the cluster uses the features 60, which this brick's version does not support; start a newer"
                                + " one");
    }

    @Test
    void whatAllSupportIsActivatedAndToldInTheMap() {
        FakeBrick one = brick("b1", NEW);
        FakeBrick two = brick("b2", NEW | ANOTHER);
        beatFor(Duration.ofSeconds(1), one, two);
        assertThat(node.state().features())
                .as("those of links are none of the cluster's")
                .isEqualTo(FEATURE);
        assertThat(((MapUpdate) two.beat()).features()).isEqualTo(FEATURE);
    }

    @Test
    void nothingIsActivatedWithoutBricks() {
        world.run(Duration.ofSeconds(5));
        assertThat(node.state().features()).isZero();
    }

    @Test
    void oneBrickWithoutItIsEnoughToWaitUntilItIsReplaced() {
        FakeBrick old = brick("b1", Features.CHECKSUMS);
        FakeBrick other = brick("b2", NEW);
        beatFor(Duration.ofSeconds(3), old, other);
        assertThat(node.state().features()).isZero();
        old.crash();
        beatFor(Duration.ofSeconds(5), other);
        assertThat(node.state().features())
                .as("nothing is on the brick that is gone")
                .isEqualTo(FEATURE);
    }

    @Test
    void aBrickThatIsAwayAndHoldsSomethingIsWaitedFor() {
        FakeBrick old = brick("b1", NEW);
        commands.featuresOfOthers(0);
        createTable(old);
        FakeBrick other = brick("b2", NEW);
        old.crash();
        beatFor(Duration.ofSeconds(5), other);
        commands.featuresOfOthers(NEW);
        beatFor(Duration.ofSeconds(5), other);
        assertThat(node.state().features()).isZero();
    }

    @Test
    void theOtherCoordinatorsMustSupportItToo() {
        commands.featuresOfOthers(Features.CHECKSUMS);
        FakeBrick brick = brick("b1", NEW);
        beatFor(Duration.ofSeconds(1), brick);
        assertThat(node.state().features()).isZero();
        commands.featuresOfOthers(NEW);
        beatFor(Duration.ofSeconds(1), brick);
        assertThat(node.state().features()).isEqualTo(FEATURE);
    }

    @Test
    void aBrickWithoutAnActiveFeatureIsRefused() {
        FakeBrick brick = brick("b1", NEW);
        beatFor(Duration.ofSeconds(1), brick);
        FakeBrick old = new FakeBrick(world, "b2", 7).thatSupports(Features.CHECKSUMS);
        old.dial(ADDRESS, Hello.Role.BRICK, "b2");
        assertRefused(old.register());
    }

    /** The brick was known, silent and empty when the feature was activated. Its process is the same as before. */
    @Test
    void aBrickThatComesBackWithoutAnActiveFeatureIsRefused() {
        FakeBrick old = brick("b2", Features.CHECKSUMS);
        old.hangUp();
        FakeBrick brick = brick("b1", NEW);
        beatFor(Duration.ofSeconds(3), brick);
        assertThat(node.state().features()).isEqualTo(FEATURE);
        old.dial(ADDRESS, Hello.Role.BRICK, "b2");
        assertRefused(old.register());
    }

    @Test
    void aBrickThatRegistersMeanwhileIsAskedFirst() {
        FakeBrick brick = brick("b1", NEW);
        commands.hold();
        beatFor(Duration.ofSeconds(1), brick);
        FakeBrick old = new FakeBrick(world, "b2", 7).thatSupports(Features.CHECKSUMS);
        old.dial(ADDRESS, Hello.Role.BRICK, "b2");
        int registration = old.send(old.registration());
        world.run(Duration.ofMillis(2));
        commands.reverse();
        commands.goOn();
        world.run(Duration.ofMillis(2));
        assertThat(old.answer(registration)).isInstanceOf(ControlMessage.BrickRegistered.class);
        assertThat(node.state().features()).isZero();
    }

    @Test
    void aCoordinatorWithoutAnActiveFeatureDoesNotGoOnWithTheLog() {
        FakeBrick brick = brick("b1", NEW);
        beatFor(Duration.ofSeconds(1), brick);
        CoordinatorNode old = newNode(commands);
        assertThatThrownBy(old::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the cluster uses the features 60, which this version does not support; start a newer one");
    }
}
