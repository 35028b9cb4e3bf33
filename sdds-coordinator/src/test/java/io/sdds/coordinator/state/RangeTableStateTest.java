package io.sdds.coordinator.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.state.Result.Applied;
import io.sdds.coordinator.state.Result.MigrationBegun;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.coordinator.state.Result.TableCreated;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RangeTableStateTest {
    private static final int BRICKS = 3;

    private final ClusterState state = new ClusterState();
    private int table;

    private static byte[] key(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static KeySpan span(String low, String high) {
        return new KeySpan(key(low), key(high));
    }

    @BeforeEach
    void createTable() {
        for (int brick = 1; brick <= BRICKS; brick++) {
            state.apply(new Command.RegisterBrick("b" + brick, brick, "b" + brick + ":1", 1 << 30, 0));
        }
        table = ((TableCreated) state.apply(new Command.CreateTable(
                        "t", TableSpec.of(TableKind.RANGE).capacity(100).build(), List.of(new Command.Host(1, 1)))))
                .table()
                .definition()
                .id();
    }

    private MigrationOrder begin(int parent, KeySpan moving, int target) {
        return ((MigrationBegun) state.apply(Begin.rangeSplit(state, table, parent, moving, target, 1))).order();
    }

    private int split(int parent, KeySpan moving, int target) {
        MigrationOrder order = begin(parent, moving, target);
        assertThat(state.apply(new Command.CommitMigration(order.id()))).isInstanceOf(Applied.class);
        return order.child();
    }

    private Result merge(int left, int right) {
        return state.apply(Begin.rangeMerge(state, table, left, right, state.span(table, right)));
    }

    private void rejected(Command command) {
        ClusterSnapshot before = state.snapshot();
        assertThat(state.apply(command)).isInstanceOf(Rejected.class);
        assertThat(state.snapshot()).isEqualTo(before);
    }

    @Test
    void beginsWithOnePartitionOfAllKeys() {
        assertThat(state.span(table, 0)).isEqualTo(KeySpan.ALL);
        assertThat(state.block(table, 0).spans()).containsExactly(KeySpan.ALL);
    }

    @Test
    void aSplitDividesTheKeysWhenItCommitsAndNotBefore() {
        MigrationOrder order = begin(0, span("m", ""), 2);
        assertThat(state.span(table, 0)).isEqualTo(KeySpan.ALL);
        state.apply(new Command.CommitMigration(order.id()));
        assertThat(state.span(table, 0)).isEqualTo(span("", "m"));
        assertThat(state.span(table, 1)).isEqualTo(span("m", ""));
        assertThat(state.place(table, 1).brick()).isEqualTo(2);
        assertThat(state.place(table, 1).migration()).isEqualTo(order.id());
    }

    @Test
    void partitionsSplitAtOnceAndCommitInAnyOrder() {
        split(0, span("m", ""), 2);
        MigrationOrder low = begin(0, span("f", "m"), 2);
        MigrationOrder high = begin(1, span("t", ""), 1);
        assertThat(low.child()).isEqualTo(2);
        assertThat(high.child()).isEqualTo(3);
        assertThat(state.apply(new Command.CommitMigration(high.id()))).isInstanceOf(Applied.class);
        assertThat(state.exists(table, 2)).isFalse();
        assertThat(state.place(table, 2)).isEqualTo(Place.nowhere(low.target().epoch() - 1));
        assertThat(state.apply(new Command.CommitMigration(low.id()))).isInstanceOf(Applied.class);
        assertThat(state.span(table, 2)).isEqualTo(span("f", "m"));
        assertThat(state.span(table, 3)).isEqualTo(span("t", ""));
    }

    @Test
    void aPartitionIsInOneSplitOrMergeAtATime() {
        split(0, span("m", ""), 2);
        begin(0, span("f", "m"), 3);
        rejected(Begin.rangeSplit(state, table, 0, span("g", "m"), 2, 1));
        rejected(Begin.rangeMerge(state, table, 0, 1, span("m", "")));
    }

    @Test
    void aSplitDecidedOnOtherKeysIsRejected() {
        split(0, span("m", ""), 2);
        rejected(Begin.rangeSplit(state, table, 0, span("f", ""), 2, 1)); // it ends at m by now
        rejected(Begin.rangeSplit(state, table, 0, span("m", "m"), 2, 1));
        rejected(Begin.rangeSplit(state, table, 1, span("m", ""), 2, 1)); // nothing would stay
        rejected(Begin.rangeSplit(state, table, 7, span("z", ""), 2, 1));
        rejected(Begin.split(state, table, 2, 2, 1));
        rejected(Begin.merge(state, table, 2));
    }

    @Test
    void aMergeGivesTheKeysToTheLeftNeighbourAndItsNumberIsGivenAgain() {
        split(0, span("m", ""), 2);
        split(1, span("t", ""), 3);
        MigrationOrder order = ((MigrationBegun) merge(0, 1)).order();
        assertThat(order.sender()).isEqualTo(1);
        assertThat(order.receiver()).isZero();
        state.apply(new Command.CommitMigration(order.id()));
        assertThat(state.span(table, 0)).isEqualTo(span("", "t"));
        assertThat(state.exists(table, 1)).isFalse();
        assertThat(state.places(2)).isZero();
        assertThat(split(2, span("x", ""), 1)).isEqualTo(1);
        assertThat(state.span(table, 1)).isEqualTo(span("x", ""));
    }

    @Test
    void onlyNeighboursMerge() {
        split(0, span("m", ""), 2);
        split(1, span("t", ""), 3);
        assertThat(merge(0, 2)).isInstanceOf(Rejected.class);
        assertThat(merge(1, 0)).isInstanceOf(Rejected.class);
    }

    @Test
    void mergingTheLastNumbersGivesThemBack() {
        split(0, span("m", ""), 2);
        MigrationOrder order = ((MigrationBegun) merge(0, 1)).order();
        state.apply(new Command.CommitMigration(order.id()));
        assertThat(state.table(table).partitions()).isEqualTo(1);
        assertThat(state.span(table, 0)).isEqualTo(KeySpan.ALL);
    }

    @Test
    void aLostPartitionKeepsItsKeysAndBeginsAgainWithThem() {
        split(0, span("m", ""), 2);
        state.apply(new Command.RegisterBrick("b2", 99, "b2:1", 1 << 30, 1));
        assertThat(state.place(table, 1).lost()).isTrue();
        long lost = state.place(table, 1).epoch();
        assertThat(state.span(table, 1)).isEqualTo(span("m", ""));
        state.apply(new Command.AcceptLoss(table, List.of(new Command.Host(3, 1))));
        assertThat(state.place(table, 1)).isEqualTo(new Place(3, 1, 0, lost + 1, List.of()));
    }

    @Test
    void aSplitWhoseTwoBricksAreLostIsTakenBackAndNoOther() {
        split(0, span("m", ""), 3);
        MigrationOrder dead = begin(0, span("f", "m"), 2);
        MigrationOrder alive = begin(1, span("t", ""), 2);
        state.apply(new Command.RegisterBrick("b1", 98, "b1:1", 1 << 30, 1));
        state.apply(new Command.RegisterBrick("b2", 99, "b2:1", 1 << 30, 1));
        assertThat(state.migration(dead.id())).isNull();
        assertThat(state.migration(alive.id())).isEqualTo(alive);
    }

    private static List<Command.Host> hosts(int... bricks) {
        return IntStream.of(bricks)
                .mapToObj(brick -> new Command.Host(brick, 1))
                .toList();
    }

    private int createOfTwoCopies() {
        return ((TableCreated) state.apply(new Command.CreateTable(
                        "r",
                        TableSpec.of(TableKind.RANGE)
                                .capacity(100)
                                .replicas(2)
                                .firstPartitions(hosts(1, 2).size() / 2)
                                .build(),
                        hosts(1, 2))))
                .table()
                .definition()
                .id();
    }

    private MigrationOrder beginOfGroup(int id, int parent, KeySpan moving, int... members) {
        long epoch = state.place(id, parent).epoch();
        return ((MigrationBegun) state.apply(Begin.rangeSplit(state, id, parent, moving, epoch, hosts(members))))
                .order();
    }

    @Test
    void aRangeTableBeginsWithOnePartitionOfAsManyCopiesAsItIsToHave() {
        rejected(new Command.CreateTable(
                "r",
                TableSpec.of(TableKind.RANGE)
                        .capacity(100)
                        .firstPartitions(hosts(1, 2).size())
                        .build(),
                hosts(1, 2)));
        int id = createOfTwoCopies();
        assertThat(state.table(id).partitions()).isEqualTo(1);
        assertThat(state.place(id, 0).members()).hasSize(2);
        assertThat(state.span(id, 0)).isEqualTo(KeySpan.ALL);
    }

    @Test
    void aSplitOfAGroupMakesAGroupWhoseEpochNoEarlierOneOfItsNumberHad() {
        int id = createOfTwoCopies();
        MigrationOrder order = beginOfGroup(id, 0, span("m", ""), 3, 1);
        assertThat(order.target().members()).hasSize(2);
        assertThat(order.target().epoch()).isEqualTo(state.version());
        state.apply(new Command.CommitMigration(order.id()));
        assertThat(state.place(id, 1)).isEqualTo(order.target());
        assertThat(state.span(id, 0)).isEqualTo(span("", "m"));
        assertThat(state.span(id, 1)).isEqualTo(span("m", ""));
    }

    @Test
    void aMemberOfTheChildThatWasStartedAgainIsNoneWhenTheSplitCommits() {
        int id = createOfTwoCopies();
        MigrationOrder order = beginOfGroup(id, 0, span("m", ""), 3, 1);
        state.apply(new Command.RegisterBrick("b3", 99, "b3:1", 1 << 30, 1));
        state.apply(new Command.CommitMigration(order.id()));
        assertThat(state.place(id, 1).members()).containsExactly(new Place.Member(1, 1));
    }

    @Test
    void anOrderForAGroupIsOfOneEpochOfEachGroup() {
        int id = createOfTwoCopies();
        rejected(Begin.rangeSplit(state, id, 0, span("m", ""), 7, hosts(3, 1)));
        MigrationOrder split = beginOfGroup(id, 0, span("m", ""), 3, 1);
        state.apply(new Command.CommitMigration(split.id()));
        long left = state.place(id, 0).epoch();
        long right = state.place(id, 1).epoch();
        rejected(Command.BeginMigration.rangeMerge(id, 1, 0, span("m", ""), right + 1, left));
        rejected(Command.BeginMigration.rangeMerge(id, 1, 0, span("n", ""), right, left));
        Command merge = Command.BeginMigration.rangeMerge(id, 1, 0, span("m", ""), right, left);
        MigrationOrder order = ((MigrationBegun) state.apply(merge)).order();
        rejected(new Command.AbandonMigration(order.id(), left + right)); // the epoch of neither partition
        state.apply(new Command.CommitMigration(order.id()));
        assertThat(state.table(id).partitions()).isEqualTo(1);
        assertThat(state.span(id, 0)).isEqualTo(KeySpan.ALL);
        assertThat(state.places(3)).isZero();
    }

    @Test
    void aSnapshotKeepsKeysAndOrders() {
        split(0, span("m", ""), 2);
        begin(0, span("f", "m"), 3);
        ClusterState restored = new ClusterState();
        restored.restore(StateCodec.decodeSnapshot(StateCodec.encode(state.snapshot())));
        assertThat(restored.snapshot()).isEqualTo(state.snapshot());
        assertThat(restored.span(table, 1)).isEqualTo(span("m", ""));
    }
}
