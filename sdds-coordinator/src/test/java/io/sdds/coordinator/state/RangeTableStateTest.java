package io.sdds.coordinator.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.state.Result.Applied;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.coordinator.state.Result.SplitBegun;
import io.sdds.coordinator.state.Result.TableCreated;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.Place;
import io.sdds.core.model.SplitOrder;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.TableKind;
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
        table = ((TableCreated) state.apply(
                        new Command.CreateTable("t", TableKind.RANGE, SplitPolicy.DEFAULT, 100, 0, 0, 1, 1)))
                .table()
                .definition()
                .id();
    }

    private SplitOrder begin(int parent, KeySpan moving, int target) {
        return ((SplitBegun) state.apply(new Command.BeginRangeSplit(table, parent, moving, target, 1))).order();
    }

    private int split(int parent, KeySpan moving, int target) {
        SplitOrder order = begin(parent, moving, target);
        assertThat(state.apply(new Command.CommitSplit(order.stream()))).isInstanceOf(Applied.class);
        return order.child();
    }

    private Result merge(int left, int right) {
        return state.apply(
                new Command.BeginRangeMerge(table, left, right, state.span(table, left), state.span(table, right)));
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
        SplitOrder order = begin(0, span("m", ""), 2);
        assertThat(state.span(table, 0)).isEqualTo(KeySpan.ALL);
        state.apply(new Command.CommitSplit(order.stream()));
        assertThat(state.span(table, 0)).isEqualTo(span("", "m"));
        assertThat(state.span(table, 1)).isEqualTo(span("m", ""));
        assertThat(state.place(table, 1).brick()).isEqualTo(2);
        assertThat(state.place(table, 1).stream()).isEqualTo(order.stream());
    }

    @Test
    void partitionsSplitAtOnceAndCommitInAnyOrder() {
        split(0, span("m", ""), 2);
        SplitOrder low = begin(0, span("f", "m"), 2);
        SplitOrder high = begin(1, span("t", ""), 1);
        assertThat(low.child()).isEqualTo(2);
        assertThat(high.child()).isEqualTo(3);
        assertThat(state.apply(new Command.CommitSplit(high.stream()))).isInstanceOf(Applied.class);
        assertThat(state.exists(table, 2)).isFalse();
        assertThat(state.place(table, 2)).isEqualTo(Place.nowhere(low.target().epoch() - 1));
        assertThat(state.apply(new Command.CommitSplit(low.stream()))).isInstanceOf(Applied.class);
        assertThat(state.span(table, 2)).isEqualTo(span("f", "m"));
        assertThat(state.span(table, 3)).isEqualTo(span("t", ""));
    }

    @Test
    void aPartitionIsInOneSplitOrMergeAtATime() {
        split(0, span("m", ""), 2);
        begin(0, span("f", "m"), 3);
        rejected(new Command.BeginRangeSplit(table, 0, span("g", "m"), 2, 1));
        rejected(new Command.BeginRangeMerge(table, 0, 1, span("", "m"), span("m", "")));
    }

    @Test
    void aSplitDecidedOnOtherKeysIsRejected() {
        split(0, span("m", ""), 2);
        rejected(new Command.BeginRangeSplit(table, 0, span("f", ""), 2, 1)); // it ends at m by now
        rejected(new Command.BeginRangeSplit(table, 0, span("m", "m"), 2, 1));
        rejected(new Command.BeginRangeSplit(table, 1, span("m", ""), 2, 1)); // nothing would stay
        rejected(new Command.BeginRangeSplit(table, 7, span("z", ""), 2, 1));
        rejected(new Command.BeginSplit(table, 2, 2, 1));
        rejected(new Command.BeginMerge(table, 2));
    }

    @Test
    void aMergeGivesTheKeysToTheLeftNeighbourAndItsNumberIsGivenAgain() {
        split(0, span("m", ""), 2);
        split(1, span("t", ""), 3);
        SplitOrder order = ((SplitBegun) merge(0, 1)).order();
        assertThat(order.sender()).isEqualTo(1);
        assertThat(order.receiver()).isZero();
        state.apply(new Command.CommitSplit(order.stream()));
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
        SplitOrder order = ((SplitBegun) merge(0, 1)).order();
        state.apply(new Command.CommitSplit(order.stream()));
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
        SplitOrder dead = begin(0, span("f", "m"), 2);
        SplitOrder alive = begin(1, span("t", ""), 2);
        state.apply(new Command.RegisterBrick("b1", 98, "b1:1", 1 << 30, 1));
        state.apply(new Command.RegisterBrick("b2", 99, "b2:1", 1 << 30, 1));
        assertThat(state.split(dead.stream())).isNull();
        assertThat(state.split(alive.stream())).isEqualTo(alive);
    }

    private static List<Command.Host> hosts(int... bricks) {
        return IntStream.of(bricks)
                .mapToObj(brick -> new Command.Host(brick, 1))
                .toList();
    }

    private int createOfTwoCopies() {
        return ((TableCreated) state.apply(new Command.CreateTable(
                        "r", TableKind.RANGE, SplitPolicy.DEFAULT, 100, 0, 0, 2, 1, hosts(1, 2))))
                .table()
                .definition()
                .id();
    }

    private SplitOrder beginOfGroup(int id, int parent, KeySpan moving, int... members) {
        long epoch = state.place(id, parent).epoch();
        return ((SplitBegun) state.apply(new Command.BeginRangeGroupSplit(id, parent, moving, epoch, hosts(members))))
                .order();
    }

    @Test
    void aRangeTableBeginsWithOnePartitionOfAsManyCopiesAsItIsToHave() {
        rejected(new Command.CreateTable("r", TableKind.RANGE, SplitPolicy.DEFAULT, 100, 0, 0, 1, 1, hosts(1, 2)));
        int id = createOfTwoCopies();
        assertThat(state.table(id).partitions()).isEqualTo(1);
        assertThat(state.place(id, 0).members()).hasSize(2);
        assertThat(state.span(id, 0)).isEqualTo(KeySpan.ALL);
    }

    @Test
    void aSplitOfAGroupMakesAGroupWhoseEpochNoEarlierOneOfItsNumberHad() {
        int id = createOfTwoCopies();
        SplitOrder order = beginOfGroup(id, 0, span("m", ""), 3, 1);
        assertThat(order.target().members()).hasSize(2);
        assertThat(order.target().epoch()).isEqualTo(state.version());
        state.apply(new Command.CommitSplit(order.stream()));
        assertThat(state.place(id, 1)).isEqualTo(order.target());
        assertThat(state.span(id, 0)).isEqualTo(span("", "m"));
        assertThat(state.span(id, 1)).isEqualTo(span("m", ""));
    }

    @Test
    void aMemberOfTheChildThatWasStartedAgainIsNoneWhenTheSplitCommits() {
        int id = createOfTwoCopies();
        SplitOrder order = beginOfGroup(id, 0, span("m", ""), 3, 1);
        state.apply(new Command.RegisterBrick("b3", 99, "b3:1", 1 << 30, 1));
        state.apply(new Command.CommitSplit(order.stream()));
        assertThat(state.place(id, 1).members()).containsExactly(new Place.Member(1, 1));
    }

    @Test
    void anOrderForAGroupIsOfOneEpochOfEachGroup() {
        int id = createOfTwoCopies();
        rejected(new Command.BeginRangeGroupSplit(id, 0, span("m", ""), 7, hosts(3, 1)));
        rejected(new Command.BeginRangeSplit(id, 0, span("m", ""), 3, 1));
        SplitOrder split = beginOfGroup(id, 0, span("m", ""), 3, 1);
        state.apply(new Command.CommitSplit(split.stream()));
        long left = state.place(id, 0).epoch();
        long right = state.place(id, 1).epoch();
        rejected(new Command.BeginRangeMerge(id, 0, 1, span("", "m"), span("m", "")));
        rejected(new Command.BeginRangeGroupMerge(id, 0, 1, span("", "m"), span("m", ""), left, right + 1));
        rejected(new Command.BeginRangeGroupMerge(id, 0, 1, span("", "m"), span("n", ""), left, right));
        Command merge = new Command.BeginRangeGroupMerge(id, 0, 1, span("", "m"), span("m", ""), left, right);
        SplitOrder order = ((SplitBegun) state.apply(merge)).order();
        rejected(new Command.AbandonGroupSplit(order.stream(), left + right)); // neither epoch
        state.apply(new Command.CommitSplit(order.stream()));
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
