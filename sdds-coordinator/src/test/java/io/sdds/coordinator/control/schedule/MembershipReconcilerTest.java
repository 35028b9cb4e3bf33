package io.sdds.coordinator.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.CoordinatorNode;
import io.sdds.coordinator.control.FakeBrick;
import io.sdds.coordinator.control.FakePeer;
import io.sdds.coordinator.control.HoldingLog;
import io.sdds.coordinator.control.base.CoordinatorSettings;
import io.sdds.coordinator.state.Command;
import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.model.LeaveOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.protocol.Hello;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests which of the bricks that can't reach each other leave their groups. */
class MembershipReconcilerTest {
    private static final String ADDRESS = "coordinator:7400";

    private final FakeWorld world = new FakeWorld(1);
    private final FakeWorld.FakeEnv env = world.newEnv();
    private final HoldingLog log = new HoldingLog();
    private final CoordinatorNode node = new CoordinatorNode(env, CoordinatorSettings.of("c1", List.of(ADDRESS)), log);
    private List<FakeBrick> bricks = List.of();

    /** Starts three bricks, and creates a table of three copies. */
    @BeforeEach
    void start() {
        node.start();
        world.listen(ADDRESS, env, node::hello, node);
        bricks = List.of(brick(1), brick(2), brick(3));
        beatFor(Duration.ofMillis(200));
        FakePeer client = new FakePeer(world);
        client.dial(ADDRESS, Hello.Role.CLIENT, "test");
        client.send(new CreateTable(
                "t", TableSpec.of(TableKind.HASH).capacity(1000).replicas(3).build()));
        beatFor(Duration.ofMillis(400));
        assertThat(group().members()).hasSize(3);
    }

    private FakeBrick brick(int number) {
        return new FakeBrick(world, "b" + number, number).join(ADDRESS);
    }

    private void beatFor(Duration time) {
        FakeBrick.beatFor(world, time, bricks);
    }

    private Place group() {
        return node.state().place(1, 0);
    }

    /** The brick of a member by its place in the group's order. */
    private FakeBrick member(int place) {
        Member member = group().members().get(place);
        return bricks.stream()
                .filter(brick -> brick.self().number() == member.brick())
                .findFirst()
                .orElseThrow();
    }

    private static void misses(FakeBrick brick, FakeBrick missed) {
        brick.missed.add(missed.self().number());
    }

    private List<Member> leavers() {
        return node.state().leaves().stream().map(LeaveOrder::leaver).toList();
    }

    private static Member process(FakeBrick brick) {
        return new Member(brick.self().number(), brick.self().incarnation());
    }

    @Test
    void aMemberThatThePrimaryMissesLeavesWhenItHasGivenUp() {
        FakeBrick missed = member(1);
        misses(member(0), missed);
        beatFor(Duration.ofMillis(400));
        assertThat(leavers()).containsExactly(process(missed));
        assertThat(group().members()).as("it may still answer reads").hasSize(3);

        member(0).missed.clear();
        missed.loads.add(new PartitionLoad(1, 0, PartitionLoad.GIVEN_UP, 0, 0, group().epoch()));
        beatFor(Duration.ofMillis(400));
        assertThat(group().members()).hasSize(2).doesNotContain(process(missed));
        assertThat(leavers()).isEmpty();
    }

    @Test
    void aProposalThatTheLogRejectsIsMadeAgainWithTheNextHeartbeatAndNotAtOnce() {
        FakeBrick missed = member(1);
        misses(member(0), missed);
        beatFor(Duration.ofMillis(400));
        missed.loads.add(new PartitionLoad(1, 0, PartitionLoad.GIVEN_UP, 0, 0, group().epoch()));
        log.reject();
        beatFor(Duration.ofMillis(400));
        assertThat(log.rejected()).isBetween(1, 2 * bricks.size());
        assertThat(group().members()).hasSize(3);

        log.goOn();
        beatFor(Duration.ofMillis(400));
        assertThat(group().members()).hasSize(2).doesNotContain(process(missed));
    }

    @Test
    void ofTwoThatThePrimaryMissesTheLaterOneLeavesFirst() {
        misses(member(0), member(1));
        misses(member(0), member(2));
        beatFor(Duration.ofMillis(400));
        assertThat(leavers()).containsExactly(process(member(2)));
    }

    @Test
    void aPrimaryThatMostMissLeavesItself() {
        misses(member(0), member(1));
        misses(member(0), member(2));
        misses(member(1), member(0));
        misses(member(2), member(0));
        beatFor(Duration.ofMillis(400));
        assertThat(leavers()).containsExactly(process(member(0)));
    }

    @Test
    void aMemberWithoutMemoryForWhatWasDecidedLeavesIfAnotherHasIt() {
        bricks.forEach(brick -> brick.loads.add(stuck()));
        beatFor(Duration.ofMillis(400));
        assertThat(leavers()).as("the last copies are kept").isEmpty();

        member(0).loads.set(0, new PartitionLoad(1, 0, 0, 10, 1000));
        beatFor(Duration.ofMillis(400));
        assertThat(leavers()).containsExactly(process(member(2)));
    }

    @Test
    void aMemberWithoutMemoryForWhatWasDecidedLeavesThoughAnotherIsJoiningAndWaitsForIt() {
        FakeBrick fourth = brick(4);
        Command.Host joiner =
                new Command.Host(fourth.self().number(), fourth.self().incarnation());
        log.propose(Command.BeginMigration.learner(1, 0, group().epoch(), joiner), result -> {});
        bricks = List.of(bricks.get(0), bricks.get(1), bricks.get(2), fourth);
        beatFor(Duration.ofMillis(200));
        assertThat(node.state().learners()).hasSize(1);

        member(0).loads.add(new PartitionLoad(1, 0, 0, 10, 1000));
        member(2).loads.add(stuck());
        beatFor(Duration.ofMillis(400));
        assertThat(leavers()).containsExactly(process(member(2)));
        assertThat(node.state().learners()).isEmpty();
    }

    private static PartitionLoad stuck() {
        return new PartitionLoad(1, 0, PartitionLoad.STUCK, 10, 1000);
    }

    @Test
    void nobodyLeavesForWhatBackupsMissOfOthers() {
        misses(member(1), member(2));
        beatFor(Duration.ofMillis(400));
        assertThat(leavers()).isEmpty();
    }
}
