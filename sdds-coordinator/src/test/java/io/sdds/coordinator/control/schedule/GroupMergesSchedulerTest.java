package io.sdds.coordinator.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.CoordinatorNode;
import io.sdds.coordinator.control.FakeBrick;
import io.sdds.coordinator.control.FakePeer;
import io.sdds.coordinator.control.base.CoordinatorSettings;
import io.sdds.coordinator.control.base.InMemoryLog;
import io.sdds.coordinator.state.Command;
import io.sdds.core.control.ControlMessage.ClusterStatus;
import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.control.ControlMessage.FetchStatus;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.protocol.Hello;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of merges of two replica groups: when the coordinator orders one, and whose report ends it. */
class GroupMergesSchedulerTest {
    private static final String ADDRESS = "coordinator:7400";
    private static final Duration LOW = Duration.ofNanos(CoordinatorSettings.MERGE_AFTER_NANOS);
    private static final Duration SILENCE = Duration.ofSeconds(3);

    private final FakeWorld world = new FakeWorld(1);
    private final FakeWorld.FakeEnv env = world.newEnv();
    private final InMemoryLog log = new InMemoryLog();
    private final CoordinatorNode node = new CoordinatorNode(env, CoordinatorSettings.of("c1", List.of(ADDRESS)), log);
    private final FakePeer client = new FakePeer(world);
    private FakeBrick one;
    private FakeBrick two;
    private FakeBrick three;

    /** Partition 0 is at b1 and b2, partition 1 at b2 and b3. */
    @BeforeEach
    void aTableOfTwoGroups() {
        node.start();
        world.listen(ADDRESS, env, node::hello, node);
        client.dial(ADDRESS, Hello.Role.CLIENT, "test");
        one = new FakeBrick(world, "b1", 1).join(ADDRESS);
        two = new FakeBrick(world, "b2", 2).join(ADDRESS);
        three = new FakeBrick(world, "b3", 3).join(ADDRESS);
        beatFor(Duration.ofMillis(200), one, two, three);
        client.send(new CreateTable(
                "t", TableSpec.of(TableKind.HASH).capacity(1000).replicas(2).build()));
        beatFor(Duration.ofMillis(400), one, two, three);
        split(1, two, three);
        one.loads.add(new PartitionLoad(1, 0, 1, 10, 1000, 0));
        two.loads.add(new PartitionLoad(1, 0, 1, 10, 1000, 0));
        two.loads.add(new PartitionLoad(1, 1, 1, 10, 1000, 0));
        three.loads.add(new PartitionLoad(1, 1, 1, 10, 1000, 0));
        assertThat(place(0).members()).extracting(Place.Member::brick).containsExactly(1, 2);
        assertThat(place(1).members()).extracting(Place.Member::brick).containsExactly(2, 3);
    }

    private void beatFor(Duration time, FakeBrick... bricks) {
        FakeBrick.beatFor(world, time, List.of(bricks));
    }

    /** Splits partition 0, which is the next to split in a table of one or two partitions. */
    private void split(int table, FakeBrick... members) {
        int partitions = node.state().table(table).partitions();
        List<Command.Host> hosts = Stream.of(members)
                .map(brick ->
                        new Command.Host(brick.self().number(), brick.self().incarnation()))
                .toList();
        long epoch = node.state().place(table, 0).epoch();
        log.propose(Command.BeginMigration.split(table, partitions, epoch, hosts), begun -> {});
        beatFor(Duration.ofMillis(200), one, two, three);
        log.propose(new Command.CommitMigration(node.state().splitOf(table).id()), done -> {});
        beatFor(Duration.ofMillis(200), one, two, three);
        assertThat(node.state().table(table).partitions()).isEqualTo(partitions + 1);
    }

    private Place place(int partition) {
        return node.state().place(1, partition);
    }

    private MigrationOrder merge() {
        beatFor(LOW.plusSeconds(2), one, two, three);
        assertThat(node.state().splits()).hasSize(1);
        return node.state().splits().get(0);
    }

    private void say(FakeBrick brick, MigrationOrder order, MigrationState word) {
        brick.reports.add(new MigrationReport(order.id(), word, 0, 0));
        brick.beat();
        brick.reports.clear();
    }

    @Test
    void lowLoadMergesTheLastGroupIntoItsParentsWhichHasTheWord() {
        MigrationOrder order = merge();
        assertThat(order.isMerge()).isTrue();
        assertThat(order.source()).isEqualTo(place(1));
        assertThat(order.target()).isEqualTo(place(0));
        say(three, order, MigrationState.HANDED_OVER);
        assertThat(node.state().splits())
                .as("the word of a member of the child is none")
                .hasSize(1);
        say(one, order, MigrationState.HANDED_OVER);
        assertThat(node.state().splits()).isEmpty();
        assertThat(node.state().table(1).partitions()).isEqualTo(1);
    }

    @Test
    void aMergeThatWasGivenUpWithoutProgressIsOrderedAgainAfterARest() {
        MigrationOrder order = merge();
        beatFor(Duration.ofSeconds(30), one, two, three);
        say(two, order, MigrationState.ABANDONED);
        beatFor(LOW.plusSeconds(10), one, two, three);
        assertThat(node.state().splits()).as("both partitions rest").isEmpty();
        assertThat(resting()).isEqualTo(2);
        beatFor(Duration.ofSeconds(12), one, two, three);
        assertThat(node.state().splits()).hasSize(1);
        assertThat(resting()).isZero();
    }

    private int resting() {
        ClusterStatus status = (ClusterStatus) client.ask(new FetchStatus(false));
        return status.tables().getFirst().health().restingPartitions();
    }

    @Test
    void theChildsPrimaryGivesUpAndItIsOrderedAgainAfterTheWholeWait() {
        MigrationOrder order = merge();
        say(one, order, MigrationState.ABANDONED);
        assertThat(node.state().splits()).as("the parent's word is none").hasSize(1);
        say(two, order, MigrationState.ABANDONED);
        assertThat(node.state().splits()).isEmpty();
        beatFor(LOW.minusSeconds(2), one, two, three);
        assertThat(node.state().splits()).isEmpty();
        beatFor(Duration.ofSeconds(5), one, two, three);
        assertThat(node.state().splits()).hasSize(1);
    }

    @Test
    void aTableWhoseLoadStaysLowGoesOnMergingWithoutAnotherWait() {
        client.send(new CreateTable(
                "u", TableSpec.of(TableKind.HASH).capacity(1000).replicas(2).build()));
        beatFor(Duration.ofMillis(400), one, two, three);
        split(2, two, three);
        split(2, three, one);
        FakeBrick[] bricks = {one, two, three};
        for (int partition = 0; partition < 3; partition++) {
            for (Place.Member member : node.state().place(2, partition).members()) {
                bricks[member.brick() - 1].loads.add(new PartitionLoad(2, partition, 2, 10, 1000, 0));
            }
        }
        beatFor(LOW.plusSeconds(2), one, two, three);
        MigrationOrder first = node.state().splitOf(2);
        assertThat(first.child()).isEqualTo(2);
        say(bricks[node.state().place(2, 0).brick() - 1], first, MigrationState.HANDED_OVER);
        assertThat(node.state().table(2).partitions()).isEqualTo(2);
        beatFor(Duration.ofMillis(1_000), one, two, three);
        assertThat(node.state().splitOf(2))
                .isNotNull()
                .satisfies(second -> assertThat(second.child()).isEqualTo(1));
    }

    @Test
    void aGroupThatLacksMembersGetsThemFirst() {
        beatFor(SILENCE, one, three);
        assertThat(place(0).members()).hasSize(1);
        beatFor(LOW.plusSeconds(5), one, three);
        assertThat(node.state().splits())
                .as("the two that are up are to join each other's groups")
                .isEmpty();
        assertThat(node.state().learners()).hasSize(2);
    }

    @Test
    void aLostParentLeavesTheWordToTheChildsPrimary() {
        MigrationOrder order = merge();
        FakeBrick again = new FakeBrick(world, "b1", 11);
        FakeBrick andAgain = new FakeBrick(world, "b2", 12);
        one.crash();
        two.crash();
        beatFor(SILENCE, three);
        again.join(ADDRESS);
        andAgain.join(ADDRESS);
        assertThat(place(0).lost()).isTrue();
        beatFor(Duration.ofSeconds(1), again, andAgain, three);
        say(three, order, MigrationState.HANDED_OVER);
        assertThat(node.state().splits()).isEmpty();
        assertThat(node.state().table(1).partitions()).isEqualTo(1);
        assertThat(place(0).lost()).isTrue();
    }
}
