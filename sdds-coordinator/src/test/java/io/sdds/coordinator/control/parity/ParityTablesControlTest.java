package io.sdds.coordinator.control.parity;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.CoordinatorNode;
import io.sdds.coordinator.control.FakeBrick;
import io.sdds.coordinator.control.FakePeer;
import io.sdds.coordinator.control.HoldingLog;
import io.sdds.coordinator.control.base.CoordinatorSettings;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.BlockFetched;
import io.sdds.core.control.ControlMessage.ClusterStatus;
import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.control.ControlMessage.DrainBrick;
import io.sdds.core.control.ControlMessage.DrainStatus;
import io.sdds.core.control.ControlMessage.FetchBlock;
import io.sdds.core.control.ControlMessage.FetchStatus;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.TableFound;
import io.sdds.core.model.DrainAction;
import io.sdds.core.model.Parity;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.protocol.Hello;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How a coordinator creates tables with parity, and that it does not move their partitions. */
class ParityTablesControlTest {
    private static final String ADDRESS = "coordinator:7400";

    private final FakeWorld world = new FakeWorld(1);
    private final FakeWorld.FakeEnv env = world.newEnv();
    private final CoordinatorNode node =
            new CoordinatorNode(env, CoordinatorSettings.of("c1", List.of(ADDRESS)), new HoldingLog());
    private final FakePeer client = new FakePeer(world);
    private final List<FakeBrick> bricks = new ArrayList<>();

    @BeforeEach
    void start() {
        node.start();
        world.listen(ADDRESS, env, node::hello, node);
        client.dial(ADDRESS, Hello.Role.CLIENT, "test");
    }

    private void bricks(int count) {
        for (int k = 1; k <= count; k++) {
            bricks.add(new FakeBrick(world, "b" + k, k).join(ADDRESS));
        }
        beatFor(Duration.ofMillis(600)); // the feature becomes active
    }

    private void beatFor(Duration time) {
        for (long millis = 0; millis < time.toMillis(); millis += 200) {
            world.run(Duration.ofMillis(200 - 2 * bricks.size()));
            bricks.forEach(FakeBrick::beat);
        }
    }

    private static CreateTable table(TableKind kind, int replicas, int partitions, Parity parity) {
        return new CreateTable(
                "t",
                TableSpec.of(kind)
                        .capacity(1000)
                        .replicas(replicas)
                        .firstPartitions(partitions)
                        .parity(parity)
                        .build());
    }

    private ControlMessage create(TableKind kind, int partitions, Parity parity) {
        int id = client.send(table(kind, 1, partitions, parity));
        beatFor(Duration.ofMillis(400));
        return client.answer(id);
    }

    private void assertRefused(CreateTable wanted, Refusal reason, String text) {
        assertThat(client.ask(wanted)).isEqualTo(new Refused(reason, text));
    }

    @Test
    void aHashTableBeginsWithFullGroups() {
        bricks(6);
        TableFound created = (TableFound) create(TableKind.HASH, 5, new Parity(4, 2));
        assertThat(created.table().partitions()).isEqualTo(8);
        assertThat(created.table().definition().spec().firstPartitions()).isEqualTo(8);
        assertThat(node.state().block(1, 0).parities()).hasSize(2);
        for (FakeBrick brick : bricks) {
            assertThat(node.state().places(brick.self().number()))
                    .as("columns and parities of two groups on six bricks")
                    .isEqualTo(2);
        }
    }

    @Test
    void aRangeTableBeginsWithOnePartitionAndItsParities() {
        bricks(6);
        TableFound created = (TableFound) create(TableKind.RANGE, 1, new Parity(4, 2));
        assertThat(created.table().partitions()).isEqualTo(1);
        assertThat(node.state().parities(1, 0).present()).hasSize(2);
    }

    @Test
    void theAnswerWaitsForTheBricksOfTheParities() {
        bricks(3);
        int id = client.send(table(TableKind.HASH, 1, 2, new Parity(2, 1)));
        world.run(Duration.ofMillis(1));
        int parity = node.state().parities(1, 0).members().get(0).brick();
        bricks.stream().filter(brick -> brick.self().number() != parity).forEach(FakeBrick::beat);
        assertThat(client.answer(id)).isNull();
        bricks.stream().filter(brick -> brick.self().number() == parity).forEach(FakeBrick::beat);
        assertThat(client.answer(id)).isInstanceOf(TableFound.class);
    }

    @Test
    void tooFewBricksAreRefusedWithTheNumberThatIsMissing() {
        bricks(5);
        assertRefused(
                table(TableKind.HASH, 1, 4, new Parity(4, 2)),
                Refusal.TOO_FEW_BRICKS,
                "parity 4,2 needs 6 bricks, and 5 are up; 1 more is missing");
        assertRefused(
                table(TableKind.RANGE, 1, 1, new Parity(4, 4)),
                Refusal.TOO_FEW_BRICKS,
                "parity 4,4 needs 8 bricks, and 5 are up; 3 more are missing");
    }

    @Test
    void wrongParityIsRefused() {
        bricks(1);
        assertRefused(
                table(TableKind.HASH, 1, 4, new Parity(5, 2)),
                Refusal.BAD_REQUEST,
                "parity 5,2: M,K is expected, with M 2, 4, 8 or 16 and K 1 to 4, such as 4,2");
        assertRefused(
                table(TableKind.HASH, 2, 4, new Parity(4, 2)),
                Refusal.BAD_REQUEST,
                "parity 4,2 with 2 replicas, at least 1: a table has parity or copies, not both");
    }

    @Test
    void aBrickIsDrainedOnlyIfTheOthersAreEnoughForAGroup() {
        bricks(3);
        create(TableKind.HASH, 2, new Parity(2, 1));
        DrainStatus refused = (DrainStatus) client.ask(new DrainBrick("b1", DrainAction.BEGIN));
        assertThat(refused.draining()).isFalse();
        assertThat(refused.obstacle())
                .isEqualTo("table t with parity 2,1 needs 3 bricks, and 2 other bricks are up; start another brick"
                        + " first");
        bricks.add(new FakeBrick(world, "b4", 4).join(ADDRESS));
        beatFor(Duration.ofMillis(400));
        DrainStatus begun = (DrainStatus) client.ask(new DrainBrick("b1", DrainAction.BEGIN));
        assertThat(begun.draining()).isTrue();
        assertThat(begun.obstacle()).isEmpty();
    }

    @Test
    void aBrickThatJoinsGetsAColumnAfterAWhileFromTheFullest() {
        bricks(3);
        create(TableKind.HASH, 4, new Parity(2, 1));
        for (FakeBrick brick : bricks) {
            for (int a = 0; a < 4; a++) {
                if (node.state().place(1, a).brick() == brick.self().number()) {
                    brick.loads.add(new PartitionLoad(1, a, 1, 1_000, 100L << 20));
                }
            }
        }
        beatFor(Duration.ofSeconds(20));
        assertThat(node.state().migrations()).isEmpty();
        bricks.add(new FakeBrick(world, "b4", 4).join(ADDRESS));
        beatFor(Duration.ofSeconds(20));
        assertThat(node.state().migrations()).singleElement().satisfies(order -> {
            assertThat(order.isMove()).isTrue();
            assertThat(node.state().brick(order.target().brick()).id()).isEqualTo("b4");
        });
    }

    @Test
    void aTableKeepsThePartitionsThatItBeganWithWhenTheLoadIsLow() {
        bricks(3);
        create(TableKind.HASH, 4, new Parity(2, 1));
        for (FakeBrick brick : bricks) {
            for (int a = 0; a < 4; a++) {
                if (node.state().place(1, a).brick() == brick.self().number()) {
                    brick.loads.add(new PartitionLoad(1, a, 2, 0, 0));
                }
            }
        }
        beatFor(Duration.ofSeconds(30));
        assertThat(node.state().migrations()).isEmpty();
        assertThat(node.state().table(1).partitions()).isEqualTo(4);
    }

    @Test
    void aClientGetsBlocksWithoutParitiesAndAStatusWithThem() {
        bricks(3);
        create(TableKind.HASH, 2, new Parity(2, 1));
        BlockFetched fetched = (BlockFetched) client.ask(new FetchBlock(1, 0));
        assertThat(fetched.block().parities()).isEmpty();
        assertThat(fetched.block().places())
                .allSatisfy(place -> assertThat(place.backups()).isEmpty());
        ClusterStatus status = (ClusterStatus) client.ask(new FetchStatus(true));
        int parity = node.state().parities(1, 0).members().get(0).brick();
        assertThat(status.partitions())
                .hasSize(2)
                .allSatisfy(partition -> assertThat(partition.parities())
                        .containsExactly(node.state().brick(parity).id()));
        assertThat(status.bricks())
                .allSatisfy(brick -> assertThat(brick.partitions()).isEqualTo(1));
    }
}
