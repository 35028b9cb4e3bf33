package io.sdds.coordinator.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.base.CoordinatorSettings;
import io.sdds.coordinator.control.base.InMemoryLog;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.AcceptLoss;
import io.sdds.core.control.ControlMessage.BlockFetched;
import io.sdds.core.control.ControlMessage.BrickEnded;
import io.sdds.core.control.ControlMessage.ClusterStatus;
import io.sdds.core.control.ControlMessage.CreateTable;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.DropTable;
import io.sdds.core.control.ControlMessage.FetchBlock;
import io.sdds.core.control.ControlMessage.FetchStatus;
import io.sdds.core.control.ControlMessage.FindCoordinators;
import io.sdds.core.control.ControlMessage.FindTable;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.control.ControlMessage.OpenSession;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.RenewSession;
import io.sdds.core.control.ControlMessage.SessionOpened;
import io.sdds.core.control.ControlMessage.SplitWanted;
import io.sdds.core.control.ControlMessage.TableFound;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import io.sdds.core.node.ClusterIdentity;
import io.sdds.core.node.FakeWorld;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.protocol.Hello;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CoordinatorNodeTest {
    private static final String ADDRESS = "coordinator:7400";

    private final FakeWorld world = new FakeWorld(1);
    private final InMemoryLog commands = new InMemoryLog();
    private FakeWorld.FakeEnv env = world.newEnv();
    private CoordinatorNode node = newNode();
    private FakePeer client = new FakePeer(world);

    private CoordinatorNode newNode() {
        return new CoordinatorNode(env, CoordinatorSettings.of("c1", List.of(ADDRESS)), commands);
    }

    @BeforeEach
    void start() {
        listen();
        client.dial(ADDRESS, Hello.Role.CLIENT, "test");
    }

    private void listen() {
        node.start();
        world.listen(ADDRESS, env, node::hello, node);
    }

    /** Kills the coordinator's process and starts it again on the same log. */
    private void restart() {
        env.crash();
        world.run(Duration.ofMillis(1));
        env = world.newEnv();
        node = newNode();
        listen();
        client = new FakePeer(world);
        client.dial(ADDRESS, Hello.Role.CLIENT, "test");
    }

    private FakeBrick brick(String id) {
        FakeBrick brick = new FakeBrick(world, id, id.hashCode()).join(ADDRESS);
        brick.beat();
        return brick;
    }

    private void beatFor(Duration time, FakeBrick... bricks) {
        FakeBrick.beatFor(world, time, List.of(bricks));
    }

    private static CreateTable table(String name) {
        return new CreateTable(name, TableSpec.of(TableKind.HASH).capacity(1000).build());
    }

    /** Creates a table and has its brick confirm it. */
    private TableFound create(String name, FakeBrick... bricks) {
        int id = client.send(table(name));
        world.run(Duration.ofMillis(1));
        for (FakeBrick brick : bricks) {
            brick.beat();
        }
        assertThat(client.answer(id)).isInstanceOf(TableFound.class);
        return (TableFound) client.answer(id);
    }

    /** Changes a table, and lets all bricks confirm the change. */
    private void change(ControlMessage change, FakeBrick... bricks) {
        int id = client.send(change);
        world.run(Duration.ofMillis(1));
        for (FakeBrick brick : bricks) {
            brick.beat();
        }
        assertThat(client.answer(id)).isInstanceOf(Done.class);
    }

    /** The target of the first split, in the epoch that its beginning gave it. */
    private static Place secondBrick(long epoch) {
        return new Place(2, 1, 1, epoch, List.of());
    }

    private Place place(String table, int partition) {
        return node.state().place(node.state().table(table).definition().id(), partition);
    }

    private static Refusal refusal(ControlMessage answer) {
        assertThat(answer).isInstanceOf(Refused.class);
        return ((Refused) answer).reason();
    }

    @Test
    void theFirstLeaderGivesTheClusterAnIdThatStaysAndStandsInHellosAndMaps() {
        ClusterId id = node.state().cluster();
        assertThat(id.isKnown()).isTrue();
        assertThat(client.link().peer().cluster()).isEqualTo(id);
        assertThat(((MapUpdate) brick("b1").beat()).cluster()).isEqualTo(id);
        restart();
        assertThat(node.state().cluster()).isEqualTo(id);
        assertThat(client.link().peer().cluster()).isEqualTo(id);
    }

    @Test
    void aBrickOfAnotherClusterIsRefused() {
        ClusterId old = new ClusterId(1, 2);
        FakeBrick brick = new FakeBrick(world, "b1", 1);
        brick.dial(ADDRESS, Hello.of(Hello.Role.BRICK, "b1", 1).withCluster(old));
        assertThat(brick.link().isForeign()).isTrue();
        assertThat(brick.downBecause)
                .contains(old.toString(), node.state().cluster().toString());
        assertThat(node.state().bricks()).isEmpty();
    }

    /** No peer can be compared with an id that is not committed yet. */
    @Test
    void whoCameBeforeTheClusterHadAnIdMustComeAgain() {
        env.crash();
        env = world.newEnv();
        node = new CoordinatorNode(
                env,
                CoordinatorSettings.of("c1", List.of(ADDRESS)),
                new InMemoryLog(Duration.ofMillis(5).toNanos()));
        listen();
        FakePeer early = new FakePeer(world);
        early.dial(ADDRESS, Hello.Role.CLIENT, "test");
        assertThat(early.link().peer().cluster().isKnown()).isFalse();
        assertThat(refusal(early.ask(new OpenSession("test")))).isEqualTo(Refusal.NOT_LEADER);
        FakePeer foreign = new FakePeer(world);
        foreign.dial(ADDRESS, Hello.of(Hello.Role.CLIENT, "test", 0).withCluster(new ClusterId(1, 2)));
        assertThat(foreign.down).isFalse();
        world.run(Duration.ofMillis(10));
        assertThat(early.down).isTrue();
        assertThat(foreign.down).isTrue();
        assertThat(foreign.downBecause).contains("cluster " + node.state().cluster());
    }

    @Test
    void aDirectoryOfAnotherClusterThanTheLogIsReported() {
        ClusterId named = node.state().cluster();
        List<String> reported = new ArrayList<>();
        List<ClusterId> kept = new ArrayList<>();
        for (ClusterId known : List.of(named, ClusterId.UNKNOWN, new ClusterId(1, 2))) {
            CoordinatorNode other = newNode();
            other.belongsTo(new ClusterIdentity(known, kept::add), reported::add);
            other.start();
            other.close();
        }
        assertThat(kept).containsExactly(named);
        assertThat(reported)
                .containsExactly("the directory of coordinator 'c1' belongs to cluster " + new ClusterId(1, 2)
                        + ", its log to cluster " + named);
    }

    @Test
    void answersCreationOnlyWhenTheBrickKnowsTheTable() {
        FakeBrick brick = brick("b1");
        int id = client.send(table("t"));
        world.run(Duration.ofMillis(5));
        assertThat(client.answer(id)).isNull();
        assertThat(brick.notices).isNotEmpty();
        assertThat(brick.map.tables()).hasSize(1);

        brick.beat();
        assertThat(client.answer(id))
                .isEqualTo(new TableFound(brick.map.tables().get(0)));
    }

    @Test
    void refusesCreationWithoutBricksOrWithABadNameOrTwice() {
        assertThat(refusal(client.ask(table("t")))).isEqualTo(Refusal.TOO_FEW_BRICKS);
        FakeBrick brick = brick("b1");
        assertThat(refusal(client.ask(table("no blanks")))).isEqualTo(Refusal.BAD_REQUEST);
        create("t", brick);
        assertThat(refusal(client.ask(table("t")))).isEqualTo(Refusal.TABLE_EXISTS);
    }

    @Test
    void givesUpWaitingForABrickThatNeverConfirms() {
        brick("b1");
        int id = client.send(table("t"));
        world.run(Duration.ofSeconds(31));
        assertThat(refusal(client.answer(id))).isEqualTo(Refusal.NOT_READY);
        assertThat(client.ask(new FindTable("t"))).isInstanceOf(TableFound.class);
    }

    @Test
    void spreadsTablesOverBricksThatAreUp() {
        FakeBrick one = brick("b1");
        FakeBrick two = brick("b2");
        create("t1", one, two);
        create("t2", one, two);
        assertThat(List.of(place("t1", 0).brick(), place("t2", 0).brick())).containsExactlyInAnyOrder(1, 2);

        two.crash();
        beatFor(Duration.ofSeconds(2), one);
        create("t3", one);
        assertThat(place("t3", 0).brick()).isEqualTo(one.self().number());
    }

    @Test
    void findsAndDropsTables() {
        FakeBrick brick = brick("b1");
        TableFound created = create("t", brick);
        int id = created.table().definition().id();
        assertThat(client.ask(new FindTable("t"))).isEqualTo(created);
        BlockFetched block = (BlockFetched) client.ask(new FetchBlock(id, 0));
        assertThat(block.bricks()).containsExactly(brick.self());
        assertThat(block.block().places()).containsExactly(new Place(1, 1, 0));
        FakeBrick second = brick("b2"); // changes the map, and not the table
        BlockFetched later = (BlockFetched) client.ask(new FetchBlock(id, 0));
        assertThat(later.table()).isEqualTo(block.table().asOf(node.state().version()));
        assertThat(later.table().version()).isGreaterThan(block.table().version());
        assertThat(refusal(client.ask(new FetchBlock(id, -1)))).isEqualTo(Refusal.BAD_REQUEST);
        assertThat(refusal(client.ask(new FetchBlock(id, AddressBlock.BLOCKS_MAX))))
                .isEqualTo(Refusal.BAD_REQUEST);

        change(new DropTable("t"), brick, second);
        assertThat(refusal(client.ask(new FindTable("t")))).isEqualTo(Refusal.NO_SUCH_TABLE);
        assertThat(brick.map.tables()).isEmpty();
        assertThat(create("t", brick).table().definition().id()).isGreaterThan(id);
    }

    @Test
    void dropsTheTableThatIsNamedByItsIdAndNoneThatWasCreatedByThatNameSince() {
        FakeBrick brick = brick("b1");
        int first = create("t", brick).table().definition().id();
        change(new DropTable("t", first), brick);
        int second = create("t", brick).table().definition().id();
        assertThat(refusal(client.ask(new DropTable("t", first)))).isEqualTo(Refusal.NO_SUCH_TABLE);
        assertThat(((TableFound) client.ask(new FindTable("t")))
                        .table()
                        .definition()
                        .id())
                .isEqualTo(second);
        change(new DropTable("t", second), brick);
        assertThat(refusal(client.ask(new FindTable("t")))).isEqualTo(Refusal.NO_SUCH_TABLE);
    }

    @Test
    void answersADropOnlyWhenNoBrickThatIsHeardKnowsTheTableAnyMore() {
        FakeBrick one = brick("b1");
        FakeBrick two = brick("b2");
        create("t", one, two);
        int id = client.send(new DropTable("t"));
        assertThat(one.confirms).isFalse();
        world.run(Duration.ofMillis(1));
        assertThat(one.confirms).as("a client waits").isTrue();
        one.beat();
        assertThat(client.answer(id)).isNull();
        beatFor(Duration.ofSeconds(2), one); // the other brick is silent
        assertThat(client.answer(id)).isInstanceOf(Done.class);
    }

    @Test
    void keepsTheLoadsThatAListOfChangesLeavesOutUntilTheyAreGone() {
        FakeBrick brick = brick("b1");
        int id = create("t", brick).table().definition().id();
        PartitionLoad load = new PartitionLoad(id, 0, 0, 10, 1000);
        assertThat(brick.tell(1, 0, load)).isEqualTo(1);
        assertThat(brick.tell(2, 1)).isEqualTo(2);
        ClusterStatus before = (ClusterStatus) client.ask(new FetchStatus(true));
        assertThat(before.bricks().get(0).records()).isEqualTo(10);
        assertThat(before.tables().get(0).bytes()).isEqualTo(1000);
        assertThat(before.partitions().get(0).records()).isEqualTo(10);

        assertThat(brick.tell(3, 2, new PartitionLoad(id, 0, PartitionLoad.GONE, 0, 0)))
                .isEqualTo(3);
        assertThat(recordsOf("b1")).isZero();
    }

    @Test
    void takesNoChangesSinceAListThatWasToldOverAnotherLink() {
        FakeBrick brick = brick("b1");
        int id = create("t", brick).table().definition().id();
        assertThat(brick.tell(1, 0, new PartitionLoad(id, 0, 0, 10, 1000))).isEqualTo(1);
        brick.join(ADDRESS); // the same process, over another link
        assertThat(brick.tell(2, 1, new PartitionLoad(id, 0, 0, 20, 2000))).isZero();
        assertThat(recordsOf("b1")).isZero();
        assertThat(brick.tell(3, 0, new PartitionLoad(id, 0, 0, 20, 2000))).isEqualTo(3);
        assertThat(recordsOf("b1")).isEqualTo(20);
    }

    @Test
    void forgetsTheLoadsOfABricksOldProcess() {
        FakeBrick old = brick("b1");
        int id = create("t", old).table().definition().id();
        old.tell(1, 0, new PartitionLoad(id, 0, 0, 10, 1000));
        old.link().close();
        world.run(Duration.ofSeconds(5));
        FakeBrick restarted = new FakeBrick(world, "b1", 99).join(ADDRESS);
        assertThat(restarted.tell(2, 1)).as("of another process").isZero();
        assertThat(recordsOf("b1")).isZero();
    }

    @Test
    void anAnswerTellsWhatWasNotSentYetAndAllThatABrickHasLostWhenItsNextHeartbeatShowsIt() {
        FakeBrick brick = brick("b1");
        create("t", brick);
        brick.beat();
        long before = brick.map.version();
        client.send(new DropTable("t"));
        world.run(Duration.ofMillis(1)); // the brick gets a notice
        MapUpdate crossing = (MapUpdate) brick.ask(brick.heartbeatAt(before));
        assertThat(crossing.fromVersion()).isEqualTo(crossing.toVersion());
        MapUpdate again = (MapUpdate) brick.ask(brick.heartbeatAt(before));
        assertThat(again.fromVersion()).isEqualTo(before);
        assertThat(again.droppedTables()).hasSize(1);
    }

    @Test
    void theStatusNamesTheErasureKernelOfEachProcess() {
        brick("b1");
        FakeBrick named = new FakeBrick(world, "b2", 2).thatUses("isal").join(ADDRESS);
        named.beat();
        new FakeBrick(world, "b3", 3).thatUses("a\nb" + "c".repeat(1000)).join(ADDRESS);
        ClusterStatus status = (ClusterStatus) client.ask(new FetchStatus(false));
        assertThat(status.bricks().stream().map(ControlMessage.BrickStatus::erasureKernel))
                .as("one of an earlier version, one of this version, a hostile one")
                .containsExactly("", "isal", "a\\nb" + "c".repeat(29) + "...");
        named.thatUses("vector").join(ADDRESS); // the link is another one
        status = (ClusterStatus) client.ask(new FetchStatus(false));
        assertThat(status.bricks().get(1).erasureKernel()).isEqualTo("vector");
    }

    private long recordsOf(String id) {
        ClusterStatus status = (ClusterStatus) client.ask(new FetchStatus(false));
        return status.bricks().stream()
                .filter(brick -> brick.brick().id().equals(id))
                .findFirst()
                .orElseThrow()
                .records();
    }

    @Test
    void splitsByOrderAndReport() {
        FakeBrick one = brick("b1");
        FakeBrick two = brick("b2");
        int table = create("t", one, two).table().definition().id();
        one.loads.add(new PartitionLoad(table, 0, 0, 1000, 100_000));
        one.wanted.add(new SplitWanted(table, 0));
        one.beat();
        MigrationOrder order = two.map.splits().get(0);
        assertThat(order)
                .isEqualTo(new MigrationOrder(
                        1, MigrationKind.SPLIT, table, 0, 1, 0, KeySpan.ALL, new Place(1, 1, 0), secondBrick(4)));

        one.wanted.clear();
        one.reports.add(new MigrationReport(order.id(), MigrationState.SHIPPING, 10, 100));
        one.beat();
        ClusterStatus status = (ClusterStatus) client.ask(new FetchStatus(true));
        assertThat(status.splits().get(0).shippedBytes()).isEqualTo(10);
        assertThat(status.splits().get(0).target()).isEqualTo("b2");

        one.reports.clear();
        one.reports.add(new MigrationReport(order.id(), MigrationState.HANDED_OVER, 100, 100));
        one.beat();
        one.beat(); // the report is repeated until the order is gone from the map
        assertThat(two.map.splits()).isEmpty();
        assertThat(two.map.tables().get(0).partitions()).isEqualTo(2);
        assertThat(two.map.blocks(table).get(0).places()).containsExactly(new Place(1, 1, 0), secondBrick(4));
    }

    @Test
    void anAddressBlockThatWasMergedAwayIsEmptyAndComesWithTheTablesSize() {
        int id = create("t", brick("b1")).table().definition().id();
        BlockFetched gone = (BlockFetched) client.ask(new FetchBlock(id, 1));
        assertThat(gone.block().places()).isEmpty();
        assertThat(gone.table().partitions()).isEqualTo(1);
    }

    /** A table of two partitions, the parent at the first brick. */
    private int splitOnce(FakeBrick one, FakeBrick two) {
        int table = create("t", one, two).table().definition().id();
        one.wanted.add(new SplitWanted(table, 0));
        one.beat();
        one.wanted.clear();
        report(one, node.state().splits().get(0), MigrationState.HANDED_OVER);
        assertThat(node.state().table(table).partitions()).isEqualTo(2);
        return table;
    }

    private static void report(FakeBrick brick, MigrationOrder order, MigrationState state) {
        brick.reports.add(new MigrationReport(order.id(), state, 100, 100));
        brick.beat();
        brick.reports.clear();
    }

    private static void load(int table, long records, FakeBrick... bricks) {
        for (int partition = 0; partition < bricks.length; partition++) {
            bricks[partition].loads.clear();
            bricks[partition].loads.add(new PartitionLoad(table, partition, 1, records, 100 * records));
        }
    }

    @Test
    void lowLoadMergesTheLastPartitionIntoItsParent() {
        FakeBrick one = brick("b1");
        FakeBrick two = brick("b2");
        int table = splitOnce(one, two);
        load(table, 200, one, two); // 400 of the 1000 · 0.8 that split
        beatFor(Duration.ofNanos(CoordinatorSettings.MERGE_AFTER_NANOS).plusSeconds(2), one, two);
        MigrationOrder order = node.state().splits().get(0);
        assertThat(order)
                .isEqualTo(new MigrationOrder(
                        order.id(),
                        MigrationKind.MERGE,
                        table,
                        1,
                        0,
                        0,
                        KeySpan.ALL,
                        secondBrick(4),
                        new Place(1, 1, 0)));
        assertThat(order.id()).isEqualTo(2);

        report(two, order, MigrationState.HANDED_OVER);
        assertThat(node.state().splits())
                .as("the child can't know whether its parent has taken the records")
                .hasSize(1);
        report(one, order, MigrationState.HANDED_OVER);
        assertThat(node.state().splits()).isEmpty();
        assertThat(one.map.tables().get(0).partitions()).isEqualTo(1);
        assertThat(one.map.blocks(table).get(0).places()).containsExactly(new Place(1, 1, 0));
        assertThat(node.state().places(2)).isZero();
    }

    @Test
    void aTableKeepsThePartitionsThatItBeganWithHoweverLittleItHolds() {
        FakeBrick one = brick("b1");
        FakeBrick two = brick("b2");
        beatFor(Duration.ofMillis(200), one, two);
        client.send(new CreateTable(
                "t",
                TableSpec.of(TableKind.HASH).capacity(1000).firstPartitions(2).build()));
        beatFor(Duration.ofMillis(400), one, two);
        int table = node.state().tables().get(0).definition().id();
        load(table, 0, one, two);
        beatFor(Duration.ofSeconds(30), one, two);
        assertThat(node.state().splits()).isEmpty();
        assertThat(node.state().table(table).partitions()).isEqualTo(2);
    }

    @Test
    void loadThatIsNotLowOrOnlyForAWhileMergesNothing() {
        FakeBrick one = brick("b1");
        FakeBrick two = brick("b2");
        int table = splitOnce(one, two);
        load(table, 210, one, two);
        beatFor(Duration.ofSeconds(30), one, two);
        for (int k = 0; k < 5; k++) {
            load(table, 10, one, two);
            beatFor(Duration.ofSeconds(7), one, two);
            load(table, 300, one, two);
            beatFor(Duration.ofSeconds(2), one, two);
        }
        assertThat(node.state().splits()).isEmpty();
        assertThat(node.state().table(table).partitions()).isEqualTo(2);
    }

    @Test
    void nothingMergesWhileABrickOfTheTableIsSilent() {
        FakeBrick one = brick("b1");
        FakeBrick two = brick("b2");
        int table = splitOnce(one, two);
        load(table, 10, one, two);
        beatFor(Duration.ofSeconds(30), one);
        assertThat(node.state().splits()).isEmpty();
        assertThat(node.state().table(table).partitions()).isEqualTo(2);
    }

    @Test
    void aMergeThatWasGivenUpIsOrderedAgainOnlyAfterTheWholeWait() {
        FakeBrick one = brick("b1");
        FakeBrick two = brick("b2");
        int table = splitOnce(one, two);
        load(table, 10, one, two);
        beatFor(Duration.ofSeconds(12), one, two);
        MigrationOrder order = node.state().splits().get(0);
        report(two, order, MigrationState.ABANDONED);
        beatFor(Duration.ofSeconds(8), one, two);
        assertThat(node.state().splits()).isEmpty();
        beatFor(Duration.ofSeconds(4), one, two);
        assertThat(node.state().splits()).hasSize(1);
        assertThat(node.state().splits().get(0).id()).isGreaterThan(order.id());
    }

    @Test
    void theParentsWordCommitsAMergeWhoseChildIsLost() {
        FakeBrick one = brick("b1");
        FakeBrick two = brick("b2");
        int table = splitOnce(one, two);
        load(table, 10, one, two);
        beatFor(Duration.ofSeconds(12), one, two);
        MigrationOrder order = node.state().splits().get(0);
        two.crash();
        world.run(Duration.ofSeconds(2));
        one.beat();
        new FakeBrick(world, "b2", 99).join(ADDRESS);
        assertThat(place("t", 1).lost()).isTrue();
        assertThat(node.state().splits()).containsExactly(order);
        assertThat(refusal(client.ask(new AcceptLoss("t", false)))).isEqualTo(Refusal.NOT_READY);

        report(one, order, MigrationState.HANDED_OVER);
        assertThat(node.state().table(table).partitions()).isEqualTo(1);
        assertThat(place("t", 0).lost()).isFalse();
    }

    @Test
    void splitsOnlyThePartitionWithTheToken() {
        FakeBrick one = brick("b1");
        FakeBrick two = brick("b2");
        int table = create("t", one, two).table().definition().id();
        two.wanted.add(new SplitWanted(table, 0));
        two.beat();
        one.wanted.add(new SplitWanted(table, 1));
        one.wanted.add(new SplitWanted(table + 1, 0));
        one.beat();
        assertThat(node.state().splits()).isEmpty();
    }

    @Test
    void splitsTablesIndependently() {
        FakeBrick one = brick("b1");
        int first = create("t1", one).table().definition().id();
        int second = create("t2", one).table().definition().id();
        one.wanted.add(new SplitWanted(first, 0));
        one.wanted.add(new SplitWanted(second, 0));
        one.beat();
        assertThat(node.state().splits()).hasSize(2);
        assertThat(node.state().splits()).allMatch(order -> order.target().brick() == 1);
    }

    @Test
    void splitsSeveralPartitionsAtOnceUpToTheTablesLimit() {
        FakeBrick one = brick("b1");
        int table = create("t", one).table().definition().id();
        for (int child = 1; child < 8; child++) {
            split(one, table, child);
        }
        assertThat(node.state().table(table).partitions()).isEqualTo(8);
        for (int parent = 0; parent < 8; parent++) {
            one.wanted.add(new SplitWanted(table, parent));
        }
        for (int beat = 0; beat <= SplitPolicy.AT_ONCE_DEFAULT; beat++) {
            one.beat();
        }
        assertThat(node.state().splits()).extracting(MigrationOrder::child).containsExactly(8, 9, 10, 11);
    }

    private void split(FakeBrick one, int table, int child) {
        one.wanted.add(new SplitWanted(table, LinearHashing.splitPointer(child)));
        one.beat();
        one.wanted.clear();
        List<MigrationOrder> orders = node.state().splits();
        assertThat(orders).hasSize(1);
        one.reports.add(new MigrationReport(orders.get(0).id(), MigrationState.HANDED_OVER, 1, 1));
        one.beat();
        one.reports.clear();
    }

    @Test
    void countsWhatIsOnItsWayToABrick() {
        FakeBrick one = brick("b1");
        FakeBrick two = brick("b2");
        FakeBrick three = brick("b3");
        List<FakeBrick> bricks = List.of(one, two, three);
        for (int k = 0; k < 6; k++) {
            create("t" + k, one, two, three);
        }
        for (int table = 1; table <= 6; table++) {
            FakeBrick host = bricks.get(place("t" + (table - 1), 0).brick() - 1);
            host.loads.add(new PartitionLoad(table, 0, 0, 1000, 100 << 20));
        }
        bricks.forEach(FakeBrick::beat);
        for (FakeBrick brick : bricks) {
            brick.loads.forEach(load -> brick.wanted.add(new SplitWanted(load.table(), 0)));
            brick.beat();
        }
        // By loads as reported, all six would go to the first two.
        List<Integer> targets = node.state().splits().stream()
                .map(order -> order.target().brick())
                .toList();
        assertThat(targets).hasSize(6).contains(1, 2, 3);
    }

    @Test
    void avoidsForAWhileTheTargetWhoseSplitWasGivenUp() {
        FakeBrick one = brick("b1");
        FakeBrick two = brick("b2");
        FakeBrick three = brick("b3");
        int table = create("t", one, two, three).table().definition().id();
        one.wanted.add(new SplitWanted(table, 0));
        one.beat();
        MigrationOrder order = node.state().splits().get(0);
        assertThat(order.target().brick()).isEqualTo(2);

        one.reports.add(new MigrationReport(order.id(), MigrationState.ABANDONED, 0, 0));
        one.beat();
        MigrationOrder again = node.state().splits().get(0);
        assertThat(again.target().brick()).isEqualTo(3);
        assertThat(again.id()).isGreaterThan(order.id());
        assertThat(two.map.splits()).containsExactly(again);
    }

    @Test
    void tellsOfAClusterThatIsStartedAsAWholeOnceAllOfItIsThere() {
        node.expectBricks(2);
        assertThat(refusal(client.ask(new FetchStatus(false)))).isEqualTo(Refusal.NOT_READY);
        brick("b1");
        assertThat(refusal(client.ask(new FetchStatus(false)))).isEqualTo(Refusal.NOT_READY);
        FakeBrick two = brick("b2");
        assertThat(client.ask(new FetchStatus(false))).isInstanceOf(ClusterStatus.class);
        two.crash();
        assertThat(client.ask(new FetchStatus(false))).isInstanceOf(ClusterStatus.class);
    }

    @Test
    void takesTheWordOfAChildForThatOfItsParentOnceTheParentIsLost() {
        FakeBrick one = brick("b1");
        FakeBrick two = brick("b2");
        int table = create("t", one, two).table().definition().id();
        one.wanted.add(new SplitWanted(table, 0));
        one.beat();
        one.wanted.clear();
        MigrationOrder order = node.state().splits().get(0);
        two.reports.add(new MigrationReport(order.id(), MigrationState.ABANDONED, 0, 0));
        two.beat();
        assertThat(node.state().splits()).containsExactly(order); // a living parent alone gives a child up

        one.crash();
        new FakeBrick(world, "b1", 99).join(ADDRESS);
        assertThat(node.state().splits()).containsExactly(order);
        two.beat();
        assertThat(node.state().splits()).isEmpty();
        assertThat(Objects.requireNonNull(node.state().table("t")).partitions()).isEqualTo(1);
    }

    @Test
    void keepsAChildThatWasHandedOverBeforeItsParentWasLost() {
        FakeBrick one = brick("b1");
        FakeBrick two = brick("b2");
        int table = create("t", one, two).table().definition().id();
        one.wanted.add(new SplitWanted(table, 0));
        one.beat();
        MigrationOrder order = node.state().splits().get(0);
        one.crash();
        new FakeBrick(world, "b1", 99).join(ADDRESS);
        two.reports.add(new MigrationReport(order.id(), MigrationState.HANDED_OVER, 0, 0));
        two.beat();
        assertThat(place("t", 0).lost()).isTrue();
        assertThat(place("t", 1)).isEqualTo(order.target());
    }

    @Test
    void countsAsLostWhatANewProcessCannotHold() {
        FakeBrick one = brick("b1");
        create("t", one);
        one.crash();
        FakeBrick next = new FakeBrick(world, "b1", 99).join(ADDRESS);
        next.beat();
        assertThat(next.self().incarnation()).isEqualTo(2);
        assertThat(place("t", 0).lost()).isTrue();
        ClusterStatus status = (ClusterStatus) client.ask(new FetchStatus(true));
        assertThat(status.tables().get(0).lostPartitions()).isEqualTo(1);
        assertThat(status.partitions().get(0).lost()).isTrue();

        change(new AcceptLoss("t", true), next);
        assertThat(place("t", 0)).isEqualTo(new Place(1, 2, 0, 2, List.of()));
    }

    @Test
    void aLossIsNotAcceptedWhileTheProcessThatHeldItIsNotKnownToHaveEnded() {
        FakeBrick one = brick("b1");
        create("t", one);
        one.crash();
        FakeBrick next = new FakeBrick(world, "b1", 99).join(ADDRESS);
        next.beat();
        FakeBrick other = brick("b2");
        assertThat(((Refused) client.ask(new AcceptLoss("t", false))).text())
                .contains("brick 'b1' (incarnation 1 at b1:7000)");
        assertThat(refusal(other.ask(new BrickEnded("b1", 1))))
                .as("another brick can't know")
                .isEqualTo(Refusal.BAD_REQUEST);
        assertThat(refusal(client.ask(new BrickEnded("b1", 3)))).isEqualTo(Refusal.BAD_REQUEST);
        assertThat(client.ask(new BrickEnded("b1", 2))).as("the wrong one").isInstanceOf(Done.class);
        assertThat(refusal(client.ask(new AcceptLoss("t", false)))).isEqualTo(Refusal.BAD_REQUEST);
        assertThat(place("t", 0).lost()).isTrue();

        assertThat(client.ask(new BrickEnded("b1", 1))).isInstanceOf(Done.class);
        change(new AcceptLoss("t", false), next, other);
        assertThat(place("t", 0).lost()).isFalse();
    }

    @Test
    void aLossIsAcceptedWhenTheProcessThatHeldItHadSaidThatItEnds() {
        FakeBrick one = brick("b1");
        create("t", one);
        assertThat(one.ask(new BrickEnded("b1", 1))).isInstanceOf(Done.class);
        one.crash();
        FakeBrick next = new FakeBrick(world, "b1", 99).join(ADDRESS);
        next.beat();
        assertThat(place("t", 0).lost()).isTrue();
        change(new AcceptLoss("t", false), next);
        assertThat(place("t", 0)).isEqualTo(new Place(1, 2, 0, 2, List.of()));
    }

    @Test
    void refusesASecondProcessWhileTheFirstIsHeard() {
        FakeBrick one = brick("b1");
        create("t", one);
        FakeBrick twin = new FakeBrick(world, "b1", 99);
        twin.dial(ADDRESS, Hello.Role.BRICK, "b1");
        assertThat(refusal(twin.register())).isEqualTo(Refusal.DUPLICATE_BRICK);

        world.run(Duration.ofSeconds(2)); // the first brick falls silent
        twin.join(ADDRESS);
        assertThat(place("t", 0).lost()).isTrue();
        assertThat(one.down).isTrue();
        one.dial(ADDRESS, Hello.Role.BRICK, "b1");
        assertThat(refusal(one.beat())).isEqualTo(Refusal.DUPLICATE_BRICK);
    }

    @Test
    void keepsABrickThatComesBackWithItsMemory() {
        FakeBrick one = brick("b1");
        create("t", one);
        one.hangUp();
        world.run(Duration.ofSeconds(5));
        ClusterStatus silent = (ClusterStatus) client.ask(new FetchStatus(false));
        assertThat(silent.bricks().get(0).up()).isFalse();

        one.join(ADDRESS);
        one.beat();
        assertThat(one.self().incarnation()).isEqualTo(1);
        assertThat(place("t", 0).lost()).isFalse();
        ClusterStatus heard = (ClusterStatus) client.ask(new FetchStatus(false));
        assertThat(heard.bricks().get(0).up()).isTrue();
    }

    @Test
    void refusesHeartbeatsOfTheUnregistered() {
        FakeBrick one = brick("b1");
        one.hangUp();
        one.dial(ADDRESS, Hello.Role.BRICK, "b1");
        assertThat(refusal(one.beat())).isEqualTo(Refusal.NOT_READY);
    }

    @Test
    void refusesABrickOfAnotherCluster() {
        FakeBrick one = brick("b1");
        one.map.take(new MapUpdate(0, 1000, List.of(), List.of(), List.of(), List.of(), List.of(), 0, List.of()));
        assertThat(refusal(one.beat())).isEqualTo(Refusal.BAD_REQUEST);
    }

    @Test
    void restartedKnowsAllItHadToldAnybody() {
        FakeBrick one = brick("b1");
        FakeBrick two = brick("b2");
        TableFound created = create("t", one, two);
        one.wanted.add(new SplitWanted(created.table().definition().id(), 0));
        one.beat();
        long session = ((SessionOpened) client.ask(new OpenSession("x"))).session();
        var before = node.state().snapshot();

        restart();
        assertThat(node.state().snapshot()).isEqualTo(before);
        assertThat(client.ask(new RenewSession(session))).isInstanceOf(Done.class);
        one.join(ADDRESS);
        two.join(ADDRESS);
        assertThat(one.self().incarnation()).isEqualTo(1);
        assertThat(one.beat()).isInstanceOf(MapUpdate.class);
        assertThat(((SessionOpened) client.ask(new OpenSession("x"))).session()).isGreaterThan(session);
    }

    @Test
    void aProcessThatWasReplacedDoesNotTakeTheNameBackFromAnotherThatIsNotHeardYet() {
        FakeBrick old = brick("b1");
        world.run(Duration.ofSeconds(2)); // the brick falls silent
        FakeBrick next = new FakeBrick(world, "b1", 99).join(ADDRESS);
        restart();
        old.dial(ADDRESS, Hello.of(Hello.Role.BRICK, "b1", old.self().incarnation()));
        assertThat(refusal(old.register())).isEqualTo(Refusal.DUPLICATE_BRICK);
        next.join(ADDRESS);
        assertThat(next.self().incarnation()).isEqualTo(2);
    }

    @Test
    void restartedGivesLivingBricksTimeToComeBackBeforeAnotherTakesTheirName() {
        FakeBrick one = brick("b1");
        create("t", one);
        restart();
        FakeBrick twin = new FakeBrick(world, "b1", 99);
        twin.dial(ADDRESS, Hello.Role.BRICK, "b1");
        assertThat(refusal(twin.register())).isEqualTo(Refusal.NOT_READY);
        one.join(ADDRESS);
        world.run(Duration.ofMillis(1));
        assertThat(refusal(twin.register())).isEqualTo(Refusal.DUPLICATE_BRICK);
        assertThat(place("t", 0).lost()).isFalse();
    }

    /** The renewals wait in the sockets of the paused process, behind the timer that is due. */
    @Test
    void endsNoSessionBecauseItWasPausedItself() {
        long session = ((SessionOpened) client.ask(new OpenSession("a"))).session();
        world.clockOnly(Duration.ofSeconds(61));
        world.run(Duration.ofSeconds(1));
        assertThat(client.ask(new RenewSession(session))).isInstanceOf(Done.class);
    }

    @Test
    void endsSessionsThatAreNotRenewed() {
        FakeBrick one = brick("b1");
        long kept = ((SessionOpened) client.ask(new OpenSession("a"))).session();
        SessionOpened left = (SessionOpened) client.ask(new OpenSession("b"));
        assertThat(left.leaseMillis()).isEqualTo(60_000);
        for (int k = 0; k < 4; k++) {
            world.run(Duration.ofSeconds(20));
            assertThat(client.ask(new RenewSession(kept))).isInstanceOf(Done.class);
        }
        assertThat(refusal(client.ask(new RenewSession(left.session())))).isEqualTo(Refusal.SESSION_ENDED);
        one.beat();
        assertThat(one.map.hasEnded(left.session())).isTrue();
        assertThat(one.map.hasEnded(kept)).isFalse();

        assertThat(client.ask(new ControlMessage.CloseSession(kept))).isInstanceOf(Done.class);
        assertThat(one.map.hasEnded(kept)).isTrue();
    }

    @Test
    void tellsEachBrickOnceOfAllThatChangedInATurn() {
        FakeBrick one = brick("b1");
        one.notices.clear();
        int last = 0;
        for (int k = 0; k < 20; k++) {
            last = client.send(table("t" + k));
        }
        world.run(Duration.ofMillis(1));
        assertThat(one.notices.size()).isBetween(1, 20);
        assertThat(one.map.tables()).hasSize(20);
        one.beat();
        assertThat(client.answer(last)).isInstanceOf(TableFound.class);
    }

    @Test
    void namesTheCoordinators() {
        assertThat(client.ask(new FindCoordinators("x"))).isEqualTo(new ControlMessage.Coordinators(List.of(ADDRESS)));
    }

    @Test
    void closesALinkThatBreaksTheProtocolAndNoOther() {
        FakePeer bad = new FakePeer(world);
        bad.dial(ADDRESS, Hello.Role.CLIENT, "bad");
        bad.send(new Done(1));
        world.run(Duration.ofMillis(5));
        assertThat(bad.down).isTrue();
        assertThat(client.down).isFalse();
        assertThat(client.ask(new FetchStatus(false))).isInstanceOf(ClusterStatus.class);
    }

    @Test
    void tellsHowManyLinksBroughtDamagedBytes() {
        node.onDamagedBytes(client.link());
        node.onDamagedBytes(client.link());
        assertThat(((ClusterStatus) client.ask(new FetchStatus(false))).checksumFailures())
                .isEqualTo(2);
    }
}
