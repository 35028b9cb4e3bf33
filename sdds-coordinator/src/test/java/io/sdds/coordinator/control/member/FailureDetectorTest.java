package io.sdds.coordinator.control.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.CoordinatorNode;
import io.sdds.coordinator.control.FakeBrick;
import io.sdds.coordinator.control.FakePeer;
import io.sdds.coordinator.control.base.CoordinatorSettings;
import io.sdds.coordinator.control.base.InMemoryLog;
import io.sdds.core.control.ControlMessage.BrickEnded;
import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.protocol.Hello;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the members that a coordinator removes from replica groups. */
class FailureDetectorTest {
    private static final String ADDRESS = "coordinator:7400";

    private final FakeWorld world = new FakeWorld(1);
    private final FakeWorld.FakeEnv env = world.newEnv();
    private final CoordinatorNode node =
            new CoordinatorNode(env, CoordinatorSettings.of("c1", List.of(ADDRESS)), new InMemoryLog());
    private FakeBrick one = new FakeBrick(world, "b1", 1);
    private FakeBrick two = new FakeBrick(world, "b2", 2);

    /** Starts two bricks, and creates a table of two copies. */
    @BeforeEach
    void start() {
        node.start();
        world.listen(ADDRESS, env, node::hello, node);
        one = one.join(ADDRESS);
        two = two.join(ADDRESS);
        one.beat();
        two.beat();
        FakePeer client = new FakePeer(world);
        client.dial(ADDRESS, Hello.Role.CLIENT, "test");
        client.send(new CreateTable(
                "t", TableSpec.of(TableKind.HASH).capacity(1000).replicas(2).build()));
        beatFor(Duration.ofMillis(200), one, two);
        assertThat(group().members()).hasSize(2);
    }

    private void beatFor(Duration time, FakeBrick... bricks) {
        FakeBrick.beatFor(world, time, List.of(bricks));
    }

    private Place group() {
        return node.state().place(1, 0);
    }

    private static List<Place.Member> only(FakeBrick brick) {
        return List.of(new Place.Member(brick.self().number(), brick.self().incarnation()));
    }

    @Test
    void aSilentMemberIsLeftBehindByOneThatIsHeard() {
        beatFor(Duration.ofMillis(1400), one);
        assertThat(group().members()).hasSize(2);
        beatFor(Duration.ofMillis(400), one);
        assertThat(group().members()).isEqualTo(only(one));
        assertThat(group().epoch()).isEqualTo(2);
    }

    /** The program that started the process tells its end. */
    private void tellEnd(String brick) {
        FakePeer teller = new FakePeer(world);
        teller.dial(ADDRESS, Hello.Role.CLIENT, "teller");
        teller.send(new BrickEnded(brick, 1));
        world.run(Duration.ofMillis(10));
    }

    @Test
    void aMemberWhoseProcessIsKnownToHaveEndedIsLeftBehindAtOnce() {
        two.crash();
        world.run(Duration.ofMillis(10));
        assertThat(group().members()).hasSize(2);
        tellEnd("b2");
        assertThat(group().members()).isEqualTo(only(one));
    }

    /** The word may come before the link breaks, and it may be wrong. */
    @Test
    void aMemberWhoseLinkStandsIsNotLeftBehindThoughItIsSaidToHaveEnded() {
        tellEnd("b2");
        beatFor(Duration.ofMillis(600), one, two);
        assertThat(group().members()).hasSize(2);
        two.crash();
        world.run(Duration.ofMillis(10));
        assertThat(group().members()).isEqualTo(only(one));
    }

    @Test
    void aMemberThatHasEndedIsLeftBehindOnlyForOneThatWasHeardLately() {
        world.run(Duration.ofMillis(600)); // nobody was heard lately
        two.crash();
        tellEnd("b2");
        assertThat(group().members()).hasSize(2);
        one.beat();
        world.run(Duration.ofMillis(200));
        assertThat(group().members()).isEqualTo(only(one));
    }

    @Test
    void anotherProcessTakesTheNameOfOneThatHasEndedAtOnce() {
        two.crash();
        tellEnd("b2");
        FakeBrick next = new FakeBrick(world, "b2", 99).join(ADDRESS);
        assertThat(next.self().incarnation()).isEqualTo(2);
    }

    @Test
    void aSilentMemberStaysWhenTheOtherFellSilentSoonAfterIt() {
        beatFor(Duration.ofMillis(600), one);
        world.run(Duration.ofMillis(1200)); // two bricks were silent for 1.8 s, one for 1.2 s
        assertThat(group().members()).hasSize(2);

        beatFor(Duration.ofMillis(600), two);
        assertThat(group().members()).isEqualTo(only(two));
    }

    @Test
    void aSilentMemberStaysWhenTheOthersLinkHasJustBroken() {
        beatFor(Duration.ofMillis(1400), one);
        one.crash();
        world.run(Duration.ofMillis(300));
        assertThat(group().members()).hasSize(2);

        beatFor(Duration.ofMillis(200), two);
        FakeBrick next = new FakeBrick(world, "b1", 99);
        next.dial(ADDRESS, Hello.Role.BRICK, "b1");
        beatFor(Duration.ofMillis(1400), two);
        next.join(ADDRESS);
        assertThat(group().members()).isEqualTo(only(two));
        assertThat(group().lost()).isFalse();
    }

    @Test
    void aMemberThatHasGivenUpItsCopyGoesOnAloneWhenNoOtherWasHeardSinceItWasToldToLeave() {
        one.loads.add(new PartitionLoad(1, 0, 0, 10, 1000));
        two.loads.add(new PartitionLoad(1, 0, PartitionLoad.STUCK, 10, 1000));
        beatFor(Duration.ofMillis(200), one, two);
        beatFor(Duration.ofMillis(200), two);
        assertThat(node.state().leaves()).hasSize(1);

        two.loads.set(0, new PartitionLoad(1, 0, PartitionLoad.GIVEN_UP, 0, 0, 1));
        beatFor(Duration.ofMillis(200), two);
        assertThat(group().members()).as("one may be gone").hasSize(2);
        beatFor(Duration.ofMillis(1600), two);
        assertThat(group().members()).isEqualTo(only(two));
        assertThat(node.state().leaves()).isEmpty();
    }

    @Test
    void theLastMembersAreWaitedFor() {
        world.run(Duration.ofSeconds(10));
        assertThat(group().members()).hasSize(2);
        two.beat();
        world.run(Duration.ofMillis(200));
        assertThat(group().members()).isEqualTo(only(two));
    }
}
