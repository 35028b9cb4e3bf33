package io.sdds.coordinator.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.CoordinatorNode;
import io.sdds.coordinator.control.FakeBrick;
import io.sdds.coordinator.control.FakePeer;
import io.sdds.coordinator.control.HoldingLog;
import io.sdds.coordinator.control.base.CoordinatorSettings;
import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.control.ControlMessage.DrainBrick;
import io.sdds.core.control.ControlMessage.DrainStatus;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.model.DrainAction;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.Routing;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import io.sdds.core.model.TableSpec;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.IndexRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of the orders by which a coordinator empties a brick, and fills a new one. */
class DrainControllerTest {
    private static final String ADDRESS = "coordinator:7400";
    private static final long MEBIBYTE = 1L << 20;

    private final FakeWorld world = new FakeWorld(1);
    private final FakeWorld.FakeEnv env = world.newEnv();
    private final HoldingLog log = new HoldingLog();
    private final CoordinatorNode node = new CoordinatorNode(env, CoordinatorSettings.of("c1", List.of(ADDRESS)), log);
    private final FakePeer client = new FakePeer(world);
    private final List<FakeBrick> bricks = new ArrayList<>();

    @BeforeEach
    void start() {
        node.start();
        world.listen(ADDRESS, env, node::hello, node);
        client.dial(ADDRESS, Hello.Role.CLIENT, "test");
    }

    private FakeBrick brick(String id) {
        FakeBrick brick = new FakeBrick(world, id, id.hashCode()).join(ADDRESS);
        bricks.add(brick);
        brick.beat();
        return brick;
    }

    private void table(int replicas, int partitions) {
        client.send(new CreateTable(
                "t",
                TableSpec.of(TableKind.HASH)
                        .capacity(1000)
                        .replicas(replicas)
                        .firstPartitions(partitions)
                        .build()));
        beatFor(Duration.ofMillis(400));
    }

    private void beatFor(Duration time) {
        for (long millis = 0; millis < time.toMillis(); millis += 200) {
            world.run(Duration.ofMillis(200 - 2 * bricks.size()));
            bricks.forEach(FakeBrick::beat);
        }
    }

    private DrainStatus drain(String id) {
        return (DrainStatus) client.ask(new DrainBrick(id, DrainAction.BEGIN));
    }

    private Place place(int partition) {
        return node.state().place(1, partition);
    }

    private static Place.Member member(FakeBrick brick) {
        return new Place.Member(brick.self().number(), brick.self().incarnation());
    }

    /** Lets the primary of the only group report that its learner has caught up. */
    private void catchUp() {
        MigrationOrder order = node.state().learners().get(0);
        FakeBrick primary = bricks.stream()
                .filter(each -> each.self().number() == place(order.receiver()).brick())
                .findFirst()
                .orElseThrow();
        primary.reports.add(new MigrationReport(order.id(), MigrationState.HANDED_OVER, 1, 1));
        primary.beat();
        primary.reports.clear();
    }

    private void giveUp(FakeBrick brick) {
        brick.loads.add(new PartitionLoad(1, 0, PartitionLoad.GIVEN_UP, 0, 0, place(0).epoch()));
        brick.beat();
        brick.loads.clear();
    }

    @Test
    void anotherBrickJoinsBeforeTheDrainedOneIsToldToLeaveAndItIsAMemberUntilItHasGivenUp() {
        FakeBrick one = brick("b1");
        FakeBrick two = brick("b2");
        FakeBrick three = brick("b3");
        table(2, 1);
        assertThat(place(0).members()).containsExactly(member(one), member(two));

        assertThat(drain("b1")).isEqualTo(new DrainStatus("b1", true, 1, 0, ""));
        beatFor(Duration.ofMillis(400));
        assertThat(node.state().learners())
                .singleElement()
                .satisfies(join -> assertThat(join.learner()).isEqualTo(member(three)));
        assertThat(node.state().leaves()).isEmpty();

        catchUp();
        assertThat(place(0).members()).containsExactly(member(one), member(two), member(three));
        beatFor(Duration.ofMillis(400));
        assertThat(node.state().leaves())
                .singleElement()
                .satisfies(leave -> assertThat(leave.leaver()).isEqualTo(member(one)));
        assertThat(place(0).members()).hasSize(3);
        assertThat(drain("b1").partitionsLeft()).isEqualTo(1);

        giveUp(one);
        assertThat(place(0).members())
                .as("the newcomer has the place of the one that left")
                .containsExactly(member(three), member(two));
        assertThat(node.state().leaves()).isEmpty();
        assertThat(drain("b1")).isEqualTo(new DrainStatus("b1", true, 0, 0, ""));
        beatFor(Duration.ofSeconds(8));
        assertThat(node.state().learners()).isEmpty();
        assertThat(place(0).epoch()).isEqualTo(3);
    }

    @Test
    void theBrickThatIsToGetTheCopiesOfADrainedOneIsNotDrainedAsWellThoughItHasNoneYet() {
        brick("b1");
        brick("b2");
        FakeBrick three = brick("b3");
        table(2, 1);
        drain("b1");
        beatFor(Duration.ofMillis(400));
        assertThat(node.state().learners())
                .singleElement()
                .satisfies(join -> assertThat(join.learner()).isEqualTo(member(three)));

        assertThat(drain("b3"))
                .isEqualTo(new DrainStatus(
                        "b3",
                        false,
                        1,
                        0,
                        "table t keeps 2 copies, and 1 other brick is up; start another brick first"));
    }

    @Test
    void theBrickThatIsToGetTheCopiesOfADrainedOneIsNotDrainedAsWellBeforeTheyAreOrdered() {
        brick("b1");
        brick("b2");
        brick("b3");
        table(2, 1);
        assertThat(drain("b1").draining()).isTrue();
        assertThat(node.state().learners()).isEmpty();

        assertThat(drain("b3"))
                .isEqualTo(new DrainStatus(
                        "b3",
                        false,
                        0,
                        0,
                        "table t keeps 2 copies, and 1 other brick is up; start another brick first"));
    }

    @Test
    void aDrainUnderWayIsNotHinderedByTablesThatTheBrickHasNothingOf() {
        brick("b1");
        FakeBrick two = brick("b2");
        brick("b3");
        table(3, 1);
        brick("b4");
        assertThat(drain("b4")).isEqualTo(new DrainStatus("b4", true, 0, 0, ""));
        bricks.remove(two);
        beatFor(Duration.ofSeconds(3));
        assertThat(drain("b4")).isEqualTo(new DrainStatus("b4", true, 0, 0, ""));
    }

    /** The writes of the group wait until its change, and the next heartbeat may be a fifth of a second away. */
    @Test
    void aGroupWhoseCopyIsGivenUpWhileAnotherOnesIsBeingTakenOffIsNextAtOnce() {
        FakeBrick one = brick("b1");
        brick("b2");
        brick("b3");
        table(2, 3);
        assertThat(List.of(place(0), place(2)))
                .allSatisfy(place -> assertThat(place.members()).contains(member(one)));
        drain("b1");
        beatFor(Duration.ofMillis(400));
        catchUp();
        catchUp();
        beatFor(Duration.ofMillis(400));
        assertThat(node.state().leaves()).hasSize(2);
        log.hold();
        for (int partition : new int[] {0, 2}) {
            one.loads.add(new PartitionLoad(
                    1, partition, PartitionLoad.GIVEN_UP, 0, 0, place(partition).epoch()));
            one.beat();
        }
        assertThat(node.state().leaves()).hasSize(2);
        log.goOn();
        assertThat(List.of(place(0), place(2)))
                .allSatisfy(place -> assertThat(place.members()).doesNotContain(member(one)));
    }

    @Test
    void whatWasGivenUpInAnEarlierEpochRemovesNobody() {
        FakeBrick one = brick("b1");
        brick("b2");
        brick("b3");
        table(2, 1);
        drain("b1");
        beatFor(Duration.ofMillis(400));
        catchUp();
        one.loads.add(new PartitionLoad(1, 0, PartitionLoad.GIVEN_UP, 0, 0, place(0).epoch() - 1));
        one.beat();
        assertThat(place(0).members()).contains(member(one));
    }

    @Test
    void nobodyIsToldToLeaveWhileAnotherMemberIsNotHeard() {
        brick("b1");
        FakeBrick two = brick("b2");
        brick("b3");
        table(2, 1);
        drain("b1");
        beatFor(Duration.ofMillis(400));
        bricks.remove(two);
        beatFor(Duration.ofMillis(1200));
        two.hangUp();
        catchUp();
        world.run(Duration.ofMillis(160));
        assertThat(node.state().leaves()).isEmpty();
    }

    @Test
    void aDrainedBrickIsGivenNothingAndACancelledDrainEndsThat() {
        FakeBrick one = brick("b1");
        FakeBrick two = brick("b2");
        drain("b1");
        table(1, 4);
        for (int a = 0; a < 4; a++) {
            assertThat(place(a).members()).containsExactly(member(two));
        }
        DrainStatus cancelled = (DrainStatus) client.ask(new DrainBrick("b1", DrainAction.CANCEL));
        assertThat(cancelled.draining()).isFalse();
        assertThat(node.state().drains(one.self().number())).isFalse();
    }

    @Test
    void aLookAtADrainThatWasCancelledDoesNotBeginItAgain() {
        FakeBrick one = brick("b1");
        brick("b2");
        drain("b1");
        assertThat(look("b1").draining()).isTrue();
        client.ask(new DrainBrick("b1", DrainAction.CANCEL));
        assertThat(look("b1").draining()).isFalse();
        assertThat(node.state().drains(one.self().number())).isFalse();
    }

    private DrainStatus look(String id) {
        return (DrainStatus) client.ask(new DrainBrick(id, DrainAction.LOOK));
    }

    @Test
    void aBrickIsToldWithItsHeartbeatsThatItIsBeingDrained() {
        FakeBrick one = brick("b1");
        FakeBrick two = brick("b2");
        drain("b1");
        assertThat(((MapUpdate) one.beat()).drains()).isTrue();
        assertThat(((MapUpdate) two.beat()).drains()).isFalse();
        client.ask(new DrainBrick("b1", DrainAction.CANCEL));
        assertThat(((MapUpdate) one.beat()).drains()).isFalse();
    }

    @Test
    void theIndexOfPartitionsMovesAsOtherTablesOfOneCopy() {
        FakeBrick one = brick("b1");
        brick("b2");
        client.send(new CreateTable(
                "r",
                TableSpec.of(TableKind.RANGE)
                        .capacity(1000)
                        .replicas(2)
                        .routing(Routing.INDEX)
                        .build()));
        beatFor(Duration.ofMillis(600));
        TableMap index = node.state().table(IndexRecord.TABLE);
        FakeBrick holder = node.state().place(index.definition().id(), 0).brick()
                        == one.self().number()
                ? one
                : bricks.get(1);
        brick("b3");
        assertThat(drain(holder.id)).isEqualTo(new DrainStatus(holder.id, true, 2, 0, ""));
        beatFor(Duration.ofMillis(600));
        assertThat(node.state().splits())
                .singleElement()
                .satisfies(move ->
                        assertThat(move.table()).isEqualTo(index.definition().id()));
    }

    @Test
    void whatCanNotBeDoneIsRefusedAndChangesNothing() {
        FakeBrick one = brick("b1");
        assertThat(drain("b1").obstacle()).contains("b1 is the last one");
        assertThat(((Refused) client.ask(new DrainBrick("b9", DrainAction.BEGIN))).reason())
                .isEqualTo(Refusal.BAD_REQUEST);
        FakeBrick two = brick("b2");
        table(2, 1);
        assertThat(drain("b1").obstacle()).contains("table t keeps 2 copies, and 1 other brick is up");
        brick("b3");
        two.loads.add(new PartitionLoad(1, 0, 0, 1, 3 << 30));
        one.loads.add(new PartitionLoad(1, 0, 0, 1, 3L << 30));
        one.beat();
        assertThat(drain("b1").obstacle()).contains("holds 3221225472 bytes, and the others have room for");
        one.hangUp();
        bricks.remove(one);
        beatFor(Duration.ofSeconds(2));
        assertThat(drain("b1").obstacle()).contains("b1 is down");
        assertThat(node.state().bricks()).noneMatch(brick -> node.state().drains(brick.number()));
    }

    /** Lets the old brick report that it has handed a partition over. */
    private void handOver(FakeBrick from, MigrationOrder move) {
        from.reports.add(new MigrationReport(move.id(), MigrationState.HANDED_OVER, 1, 1));
        from.beat();
        from.reports.clear();
    }

    @Test
    void partitionsOfOneCopyMoveOffADrainedBrick() {
        brick("b1");
        FakeBrick two = brick("b2");
        FakeBrick three = brick("b3");
        table(1, 3);
        assertThat(drain("b2")).isEqualTo(new DrainStatus("b2", true, 1, 0, ""));
        beatFor(Duration.ofMillis(400));
        MigrationOrder move = node.state().splits().get(0);
        assertThat(node.state().splits()).hasSize(1);
        assertThat(move.isMove()).isTrue();
        assertThat(move.source().members()).containsExactly(member(two));
        assertThat(place(1).members()).as("until it is handed over").containsExactly(member(two));
        handOver(two, move);
        assertThat(place(1)).isEqualTo(move.target());
        assertThat(move.target().members()).doesNotContain(member(two));
        assertThat(drain("b2")).isEqualTo(new DrainStatus("b2", true, 0, 0, ""));
        beatFor(Duration.ofSeconds(8));
        assertThat(node.state().splits()).isEmpty();
        assertThat(three.map.splits()).isEmpty();
    }

    @Test
    void aMoveThatIsGivenUpIsOrderedToAnotherBrick() {
        brick("b1");
        FakeBrick two = brick("b2");
        brick("b3");
        table(1, 3);
        drain("b2");
        beatFor(Duration.ofMillis(400));
        MigrationOrder first = node.state().splits().get(0);
        two.reports.add(new MigrationReport(first.id(), MigrationState.ABANDONED, 0, 1));
        two.beat();
        two.reports.clear();
        beatFor(Duration.ofMillis(400));
        assertThat(node.state().splits()).singleElement().satisfies(second -> {
            assertThat(second.isMove()).isTrue();
            assertThat(second.target().brick()).isNotEqualTo(first.target().brick());
        });
    }

    @Test
    void aBrickThatJoinsGetsAPartitionOfOneCopyAfterAWhileFromTheFullest() {
        FakeBrick one = brick("b1");
        table(1, 3);
        one.loads.add(new PartitionLoad(1, 0, 1, 1, MEBIBYTE));
        one.loads.add(new PartitionLoad(1, 1, 1, 1, 2 * MEBIBYTE));
        one.loads.add(new PartitionLoad(1, 2, 1, 1, 8 * MEBIBYTE));
        FakeBrick two = brick("b2");
        beatFor(Duration.ofSeconds(4));
        assertThat(node.state().splits()).as("it may be gone again at once").isEmpty();
        beatFor(Duration.ofSeconds(2));
        assertThat(node.state().splits()).singleElement().satisfies(move -> {
            assertThat(move.target().members()).containsExactly(member(two));
            assertThat(move.parent()).as("8 of 11 would make it the fullest").isEqualTo(1);
        });
    }

    @Test
    void aBrickThatJoinsGetsACopyAfterAWhileFromTheFullest() {
        FakeBrick one = brick("b1");
        FakeBrick two = brick("b2");
        table(2, 3);
        for (FakeBrick brick : List.of(one, two)) {
            brick.loads.add(new PartitionLoad(1, 0, 0, 1, MEBIBYTE));
            brick.loads.add(new PartitionLoad(1, 1, 0, 1, 2 * MEBIBYTE));
            brick.loads.add(new PartitionLoad(1, 2, 0, 1, 8 * MEBIBYTE));
        }
        FakeBrick three = brick("b3");
        beatFor(Duration.ofSeconds(4));
        assertThat(node.state().learners()).as("it may be gone again at once").isEmpty();
        beatFor(Duration.ofSeconds(2));
        assertThat(node.state().learners()).singleElement().satisfies(join -> {
            assertThat(join.learner()).isEqualTo(member(three));
            assertThat(join.receiver()).as("8 of 11 would make it the fullest").isEqualTo(1);
        });
    }

    @Test
    void bricksThatHoldAboutTheSameAreLeftAlone() {
        List.of("b1", "b2", "b3").forEach(this::brick);
        table(2, 3);
        beatFor(Duration.ofSeconds(10));
        assertThat(node.state().learners()).isEmpty();
        assertThat(node.state().leaves()).isEmpty();
    }
}
