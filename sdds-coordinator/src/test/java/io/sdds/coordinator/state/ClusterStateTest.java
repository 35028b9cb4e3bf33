package io.sdds.coordinator.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.state.Command.Host;
import io.sdds.coordinator.state.Result.Applied;
import io.sdds.coordinator.state.Result.MigrationBegun;
import io.sdds.coordinator.state.Result.Registered;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.coordinator.state.Result.SessionOpened;
import io.sdds.coordinator.state.Result.TableCreated;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import io.sdds.core.protocol.ClusterId;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ClusterStateTest {

    private ClusterState state = new ClusterState();

    private Result register(String id, long nonce, long replaced) {
        return state.apply(new Command.RegisterBrick(id, nonce, id + ":7500", 1 << 30, replaced));
    }

    private static Command.CreateTable table(String name, int brick, long incarnation) {
        return new Command.CreateTable(
                name,
                TableSpec.of(TableKind.HASH).capacity(100).build(),
                List.of(new Command.Host(brick, incarnation)));
    }

    private int create(String name, int brick) {
        long incarnation = Objects.requireNonNull(state.brick(brick)).incarnation();
        return ((TableCreated) state.apply(table(name, brick, incarnation)))
                .table()
                .definition()
                .id();
    }

    private MigrationOrder begin(int table, int target) {
        int partitions = state.partitionsOrdered(table);
        long incarnation = Objects.requireNonNull(state.brick(target)).incarnation();
        return ((MigrationBegun) state.apply(Begin.split(state, table, partitions, target, incarnation))).order();
    }

    private void split(int table, int target) {
        assertThat(state.apply(new Command.CommitMigration(begin(table, target).id())))
                .isInstanceOf(Applied.class);
    }

    private Refusal rejected(Command command) {
        ClusterSnapshot before = state.snapshot();
        Result result = state.apply(command);
        assertThat(result).isInstanceOf(Rejected.class);
        assertThat(state.snapshot()).isEqualTo(before);
        return ((Rejected) result).reason();
    }

    @Test
    void theFirstIdOfTheClusterStays() {
        assertThat(state.cluster().isKnown()).isFalse();
        assertThat(state.apply(new Command.NameCluster(new ClusterId(1, 2))))
                .isEqualTo(new Result.Applied(state.version()));
        assertThat(state.apply(new Command.NameCluster(new ClusterId(3, 4)))).isInstanceOf(Result.Rejected.class);
        assertThat(state.cluster()).isEqualTo(new ClusterId(1, 2));
        ClusterState copy = new ClusterState();
        copy.restore(StateCodec.decodeSnapshot(StateCodec.encode(state.snapshot())));
        assertThat(copy.cluster()).isEqualTo(new ClusterId(1, 2));
        assertThat(copy.changesSince(0).cluster()).isEqualTo(new ClusterId(1, 2));
    }

    @Test
    void givesEachProcessAnIncarnationAndTheSameOneAgainWhenAskedAgain() {
        Registered first = (Registered) register("b1", 7, 0);
        assertThat(first.self().incarnation()).isEqualTo(1);
        long version = state.version();
        assertThat(register("b1", 7, 0)).isEqualTo(first);
        assertThat(state.version()).isEqualTo(version);
        assertThat(((Registered) register("b1", 8, 1)).self().incarnation()).isEqualTo(2);
        assertThat(((Registered) register("b2", 7, 0)).self().number()).isEqualTo(2);
    }

    @Test
    void letsOneOfTwoProcessesTakeABricksPlace() {
        register("b1", 7, 0);
        register("b1", 8, 1);
        assertThat(rejected(new Command.RegisterBrick("b1", 9, "b1:1", 1, 1))).isEqualTo(Refusal.DUPLICATE_BRICK);
    }

    @Test
    void createsATableOfOneEmptyPartition() {
        register("b1", 7, 0);
        int id = create("t", 1);
        assertThat(state.place(id, 0)).isEqualTo(new Place(1, 1, 0));
        assertThat(state.table("t")).isEqualTo(state.table(id));
        assertThat(rejected(table("t", 1, 1))).isEqualTo(Refusal.TABLE_EXISTS);
        assertThat(rejected(table("u", 1, 2))).isEqualTo(Refusal.NOT_READY);
        assertThat(rejected(table("", 1, 1))).isEqualTo(Refusal.BAD_REQUEST);
        assertThat(rejected(new Command.CreateTable(
                        "v", TableSpec.of(TableKind.HASH).capacity(0).build(), List.of(new Command.Host(1, 1)))))
                .isEqualTo(Refusal.BAD_REQUEST);
        SplitPolicy emptySlices = SplitPolicy.DEFAULT.withSliceBytes(0);
        assertThat(rejected(new Command.CreateTable(
                        "w",
                        TableSpec.of(TableKind.HASH)
                                .split(emptySlices)
                                .capacity(1)
                                .build(),
                        List.of(new Command.Host(1, 1)))))
                .isEqualTo(Refusal.BAD_REQUEST);
    }

    @Test
    void growsByOnePartitionWithEachCommittedSplitInTheOrderOfN() {
        register("b1", 7, 0);
        register("b2", 8, 0);
        int id = create("t", 1);
        int[][] parentChildLevel = {
            {0, 1, 0}, {0, 2, 1}, {1, 3, 1}, {0, 4, 2}, {1, 5, 2}, {2, 6, 2}, {3, 7, 2}, {0, 8, 3}
        };
        for (int[] expected : parentChildLevel) {
            MigrationOrder order = begin(id, 2);
            assertThat(new int[] {order.parent(), order.child(), order.level()}).containsExactly(expected);
            assertThat(order.target()).isEqualTo(new Place(2, 1, order.id(), state.version(), List.of()));
            assertThat(state.table(id).partitions()).isEqualTo(order.child());
            state.apply(new Command.CommitMigration(order.id()));
            assertThat(state.place(id, order.child())).isEqualTo(order.target());
        }
        assertThat(state.places(1)).isEqualTo(1);
        assertThat(state.places(2)).isEqualTo(8);
    }

    @Test
    void shrinksByOnePartitionWithEachCommittedMergeInTheOppositeOrder() {
        register("b1", 7, 0);
        register("b2", 8, 0);
        int id = create("t", 1);
        int most = AddressBlock.SIZE + 2;
        for (int partitions = 1; partitions < most; partitions++) {
            split(id, 1 + partitions % 2);
        }
        for (int partitions = most; partitions > 1; partitions--) {
            assertThat(rejected(Begin.merge(state, id, partitions - 1))).isEqualTo(Refusal.NOT_READY);
            MigrationOrder order = ((MigrationBegun) state.apply(Begin.merge(state, id, partitions))).order();
            assertThat(order.sender()).isEqualTo(partitions - 1);
            assertThat(order.receiver()).isEqualTo(LinearHashing.parent(partitions - 1));
            assertThat(order.receiverLevel()).isEqualTo(LinearHashing.levelOf(order.receiver(), partitions - 1));
            assertThat(rejected(Begin.split(state, id, partitions, 1, 1))).isEqualTo(Refusal.NOT_READY);
            state.apply(new Command.CommitMigration(order.id()));
            assertThat(state.table(id).partitions()).isEqualTo(partitions - 1);
            assertThat(state.places(1) + state.places(2)).isEqualTo(partitions - 1);
        }
        assertThat(state.block(id, 1)).isNull();
        assertThat(rejected(Begin.merge(state, id, 1))).isEqualTo(Refusal.NOT_READY);
    }

    private MigrationOrder move(int table, int partition, int to) {
        return ((MigrationBegun) state.apply(Begin.move(state, table, partition, new Host(to, 1)))).order();
    }

    @Test
    void aPartitionThatMovesIsWhereItWasUntilItIsHandedOverAndDoesNothingElse() {
        register("b1", 7, 0);
        register("b2", 8, 0);
        int id = create("t", 1);
        split(id, 2);
        Place before = state.place(id, 0);
        MigrationOrder order = move(id, 0, 2);
        assertThat(order.isMove()).isTrue();
        assertThat(order.receiverLevel()).as("it stays as it is").isEqualTo(1);
        assertThat(state.place(id, 0)).isEqualTo(before);
        assertThat(rejected(Begin.split(state, id, 2, 2, 1))).isEqualTo(Refusal.NOT_READY);
        assertThat(rejected(Begin.merge(state, id, 2))).isEqualTo(Refusal.NOT_READY);
        assertThat(rejected(Begin.move(state, id, 0, new Host(2, 1)))).isEqualTo(Refusal.NOT_READY);
        state.apply(new Command.CommitMigration(order.id()));
        assertThat(state.place(id, 0)).isEqualTo(order.target());
        assertThat(state.table(id).partitions()).isEqualTo(2);
        assertThat(state.places(1)).isZero();
        assertThat(state.places(2)).isEqualTo(2);
        assertThat(begin(id, 1).parent()).isZero();
    }

    @Test
    void aMoveIsToABrickThatTakesPartOfOneCopyAndOffTheBrickThatHasIt() {
        register("b1", 7, 0);
        register("b2", 8, 0);
        register("b3", 9, 0);
        int id = create("t", 1);
        state.apply(new Command.DrainBrick(2, 1, true));
        assertThat(rejected(Begin.move(state, id, 0, new Host(2, 1))))
                .as("drained")
                .isEqualTo(Refusal.NOT_READY);
        assertThat(rejected(Command.BeginMigration.move(id, 0, 2, new Host(3, 1))))
                .as("another epoch")
                .isEqualTo(Refusal.NOT_READY);
        assertThat(rejected(Begin.move(state, id, 0, new Host(1, 1))))
                .as("it is there")
                .isEqualTo(Refusal.NOT_READY);
        assertThat(rejected(Begin.move(state, id, 0, new Host(3, 2))))
                .as("another process")
                .isEqualTo(Refusal.NOT_READY);
    }

    @Test
    void aMoveGivenUpLeavesThePartitionWhereItWas() {
        register("b1", 7, 0);
        register("b2", 8, 0);
        int id = create("t", 1);
        Place before = state.place(id, 0);
        MigrationOrder order = move(id, 0, 2);
        state.apply(Begin.undone(state, order.id()));
        assertThat(state.splits()).isEmpty();
        assertThat(state.place(id, 0)).isEqualTo(before);
        assertThat(move(id, 0, 2).id()).as("another shipping").isGreaterThan(order.id());
    }

    @Test
    void ofAMoveWhoseOldBrickIsLostTheNewOneHasTheLastWord() {
        register("b1", 7, 0);
        register("b2", 8, 0);
        int id = create("t", 1);
        MigrationOrder order = move(id, 0, 2);
        register("b1", 9, 1);
        assertThat(state.place(id, 0)).isEqualTo(Place.lost(1));
        assertThat(rejected(new Command.AcceptLoss(id, List.of(new Host(2, 1)))))
                .as("it may have it")
                .isEqualTo(Refusal.NOT_READY);
        state.apply(new Command.CommitMigration(order.id()));
        assertThat(state.place(id, 0)).isEqualTo(order.target());
        assertThat(state.places(2)).isEqualTo(1);
    }

    @Test
    void aMoveWhoseBricksAreBothLostIsVoid() {
        register("b1", 7, 0);
        register("b2", 8, 0);
        int id = create("t", 1);
        move(id, 0, 2);
        register("b2", 9, 1);
        assertThat(state.splits()).as("the old brick has it").hasSize(1);
        register("b1", 9, 1);
        assertThat(state.splits()).isEmpty();
        assertThat(state.place(id, 0)).isEqualTo(Place.lost(1));
    }

    @Test
    void aPartitionThatWasHandedOverToABrickThatWasStartedAgainIsLost() {
        register("b1", 7, 0);
        register("b2", 8, 0);
        int id = create("t", 1);
        MigrationOrder order = move(id, 0, 2);
        register("b2", 9, 1);
        state.apply(new Command.CommitMigration(order.id()));
        assertThat(state.place(id, 0)).isEqualTo(Place.lost(order.target().epoch()));
        assertThat(state.places(1)).isZero();
    }

    @Test
    void aMergeWhoseParentIsLostCommitsWithoutIt() {
        register("b1", 7, 0);
        register("b2", 8, 0);
        int id = create("t", 1);
        split(id, 2);
        MigrationOrder order = ((MigrationBegun) state.apply(Begin.merge(state, id, 2))).order();
        register("b1", 9, 1);
        assertThat(rejected(new Command.AcceptLoss(id, List.of(new Host(2, 1)))))
                .isEqualTo(Refusal.NOT_READY);
        state.apply(new Command.CommitMigration(order.id()));
        assertThat(state.table(id).partitions()).isEqualTo(1);
        assertThat(state.place(id, 0)).isEqualTo(Place.lost(1));
        assertThat(state.places(2)).isZero();
    }

    @Test
    void splitsItsOnlyPartitionOnceAtATime() {
        register("b1", 7, 0);
        int id = create("t", 1);
        MigrationOrder order = begin(id, 1);
        assertThat(rejected(Begin.split(state, id, 1, 1, 1))).isEqualTo(Refusal.NOT_READY);
        state.apply(Begin.undone(state, order.id()));
        assertThat(rejected(new Command.CommitMigration(order.id()))).isEqualTo(Refusal.NOT_READY);
        assertThat(rejected(Begin.split(state, id, 2, 1, 1))).isEqualTo(Refusal.NOT_READY);
        assertThat(begin(id, 1).id()).isGreaterThan(order.id());
    }

    @Test
    void splitsAtOnceThePartitionsThatHaveTheLevel() {
        int id = ofFourPartitions();
        List<MigrationOrder> orders = List.of(begin(id, 2), begin(id, 2), begin(id, 2), begin(id, 2));
        assertThat(orders).extracting(MigrationOrder::parent).containsExactly(0, 1, 2, 3);
        assertThat(orders).extracting(MigrationOrder::child).containsExactly(4, 5, 6, 7);
        assertThat(orders).extracting(MigrationOrder::level).containsOnly(2);
        Command next = Begin.split(state, id, 8, 2, 1);
        assertThat(rejected(next)).isEqualTo(Refusal.NOT_READY); // partition 0 has level 2 until its split commits
        state.apply(new Command.CommitMigration(orders.get(0).id()));
        MigrationOrder ofNextRound = begin(id, 2);
        assertThat(List.of(ofNextRound.parent(), ofNextRound.child(), ofNextRound.level()))
                .containsExactly(0, 8, 3);
    }

    @Test
    void commitsSplitsInTheOrderOfNAlone() {
        int id = ofFourPartitions();
        List<MigrationOrder> orders = List.of(begin(id, 2), begin(id, 2), begin(id, 2));
        assertThat(rejected(new Command.CommitMigration(orders.get(1).id()))).isEqualTo(Refusal.NOT_READY);
        for (MigrationOrder order : orders) {
            assertThat(state.splitOf(id)).isEqualTo(order);
            state.apply(new Command.CommitMigration(order.id()));
            assertThat(state.table(id).partitions()).isEqualTo(order.child() + 1);
        }
        assertThat(state.splits()).isEmpty();
    }

    @Test
    void takesBackTheSplitsBehindOneThatIsGivenUp() {
        int id = ofFourPartitions();
        List<MigrationOrder> orders = List.of(begin(id, 2), begin(id, 2), begin(id, 2));
        state.apply(Begin.undone(state, orders.get(1).id()));
        assertThat(state.splits()).containsExactly(orders.get(0));
        MigrationOrder again = begin(id, 1);
        assertThat(again.parent()).isEqualTo(1);
        assertThat(again.id()).isGreaterThan(orders.get(2).id());
        state.apply(new Command.CommitMigration(orders.get(0).id()));
        state.apply(new Command.CommitMigration(again.id()));
        assertThat(state.table(id).partitions()).isEqualTo(6);
    }

    @Test
    void takesBackTheSplitsOfALostParentButTheOneWhoseTurnItIs() {
        int id = ofFourPartitions();
        List<MigrationOrder> orders = List.of(begin(id, 2), begin(id, 2), begin(id, 2));
        register("b1", 9, 1);
        assertThat(state.splits()).containsExactly(orders.get(0)); // the child may serve, so the child's report counts
        assertThat(rejected(Begin.split(state, id, 5, 2, 1))).isEqualTo(Refusal.NOT_READY);
    }

    @Test
    void aSnapshotKeepsTheOrderOfSplits() {
        int id = ofFourPartitions();
        List<MigrationOrder> orders = List.of(begin(id, 2), begin(id, 2), begin(id, 2));
        ClusterState copy = new ClusterState();
        copy.restore(state.snapshot());
        assertThat(copy.splits()).isEqualTo(orders);
        assertThat(copy.splitOf(id)).isEqualTo(orders.get(0));
        assertThat(copy.partitionsOrdered(id)).isEqualTo(7);
    }

    /** A table of four partitions, all on brick 1. */
    private int ofFourPartitions() {
        register("b1", 7, 0);
        register("b2", 8, 0);
        int id = create("t", 1);
        split(id, 1);
        split(id, 1);
        split(id, 1);
        return id;
    }

    @Test
    void losesWithAProcessWhatItHeld() {
        register("b1", 7, 0);
        register("b2", 8, 0);
        int kept = create("kept", 2);
        int lost = create("lost", 1);
        MigrationOrder toOne = begin(kept, 1);
        register("b1", 9, 1);
        assertThat(state.place(lost, 0)).isEqualTo(Place.lost(1));
        assertThat(state.place(kept, 0).lost()).isFalse();
        assertThat(state.splits()).containsExactly(toOne); // the parent lives and will give the split up
        assertThat(rejected(Begin.split(state, lost, 1, 2, 1))).isEqualTo(Refusal.NOT_READY);
    }

    @Test
    void takesTheChildOfALostParentWhenItWasHandedOver() {
        register("b1", 7, 0);
        register("b2", 8, 0);
        int id = create("t", 1);
        MigrationOrder order = begin(id, 2);
        register("b1", 9, 1);
        assertThat(state.splits()).containsExactly(order); // the child's report counts now
        state.apply(new Command.CommitMigration(order.id()));
        assertThat(state.place(id, 0)).isEqualTo(Place.lost(1));
        assertThat(state.place(id, 1)).isEqualTo(order.target());
    }

    @Test
    void acceptsNoLossWhileAChildMayServeWhatItsLostParentHeld() {
        register("b1", 7, 0);
        register("b2", 8, 0);
        int id = create("t", 1);
        MigrationOrder order = begin(id, 2);
        register("b1", 9, 1);
        Command accept = new Command.AcceptLoss(id, List.of(new Host(2, 1)));
        assertThat(rejected(accept)).isEqualTo(Refusal.NOT_READY);
        state.apply(Begin.undone(state, order.id()));
        state.apply(accept);
        assertThat(state.place(id, 0)).isEqualTo(new Place(2, 1, 0, 2, List.of()));
        assertThat(state.table(id).partitions()).isEqualTo(1);
    }

    @Test
    void endsASplitWhoseParentAndChildAreLostInWhateverOrder() {
        register("b1", 7, 0);
        register("b2", 8, 0);
        begin(create("parentFirst", 1), 2);
        begin(create("childFirst", 2), 1);
        register("b1", 9, 1);
        assertThat(state.splits()).hasSize(2);
        register("b2", 10, 1);
        assertThat(state.splits()).isEmpty();
    }

    @Test
    void endsASplitWithinABrickThatIsLost() {
        register("b1", 7, 0);
        begin(create("t", 1), 1);
        register("b1", 9, 1);
        assertThat(state.splits()).isEmpty();
    }

    @Test
    void losesAChildWhoseBrickWasStartedAgainBetweenHandOverAndCommit() {
        register("b1", 7, 0);
        register("b2", 8, 0);
        int id = create("t", 1);
        MigrationOrder order = begin(id, 2);
        register("b2", 9, 1);
        state.apply(new Command.CommitMigration(order.id()));
        assertThat(state.place(id, 1)).isEqualTo(Place.lost(order.target().epoch()));
        assertThat(state.place(id, 0).lost()).isFalse();
    }

    @Test
    void beginsAgainEmptyWhatIsAcceptedAsLost() {
        register("b1", 7, 0);
        register("b2", 8, 0);
        int id = create("t", 1);
        split(id, 1);
        split(id, 2);
        register("b1", 9, 1);
        assertThat(state.lostPartitions(id)).isEqualTo(2);
        long child = state.place(id, 1).epoch();
        assertThat(rejected(new Command.AcceptLoss(id, List.of()))).isEqualTo(Refusal.TOO_FEW_BRICKS);
        assertThat(rejected(new Command.AcceptLoss(id, List.of(new Host(1, 1)))))
                .isEqualTo(Refusal.NOT_READY);
        state.apply(new Command.AcceptLoss(id, List.of(new Host(2, 1), new Host(1, 2))));
        assertThat(state.place(id, 0)).isEqualTo(new Place(2, 1, 0, 2, List.of()));
        assertThat(state.place(id, 1)).isEqualTo(new Place(1, 2, 0, child + 1, List.of()));
        assertThat(state.places(1)).isEqualTo(1);
        assertThat(state.places(2)).isEqualTo(2);
    }

    private Result acceptUnconfirmed(int table, Host host) {
        return state.apply(new Command.AcceptLoss(table, List.of(host), false));
    }

    @Test
    void acceptsALossUnconfirmedOnlyOnceItsLastHoldersHaveEnded() {
        register("b1", 7, 0);
        register("b2", 8, 0);
        int id = create("t", 1);
        MigrationOrder order = begin(id, 2);
        register("b2", 9, 1);
        state.apply(new Command.CommitMigration(order.id()));
        register("b1", 10, 1);
        assertThat(state.lostPartitions(id)).isEqualTo(2);
        long child = state.place(id, 1).epoch();
        assertThat(((Result.Rejected) acceptUnconfirmed(id, new Host(1, 2))).text())
                .contains("'b1' (incarnation 1 at ", "'b2' (incarnation 1 at ");
        state.apply(new Command.BrickEnded(1, 1));
        assertThat(((Result.Rejected) acceptUnconfirmed(id, new Host(1, 2))).text())
                .contains("'b2' (incarnation 1 at ")
                .doesNotContain("b1");
        ClusterState copy = new ClusterState();
        copy.restore(StateCodec.decodeSnapshot(StateCodec.encode(state.snapshot())));
        state = copy;
        assertThat(acceptUnconfirmed(id, new Host(1, 2))).isInstanceOf(Result.Rejected.class);
        state.apply(new Command.BrickEnded(2, 1));
        assertThat(acceptUnconfirmed(id, new Host(1, 2))).isInstanceOf(Result.Applied.class);
        assertThat(state.lostPartitions(id)).isZero();
    }

    @Test
    void aProcessThatRegistersAgainHasNotEnded() {
        register("b1", 7, 0);
        int id = create("t", 1);
        state.apply(new Command.BrickEnded(1, 1));
        register("b1", 7, 0);
        register("b1", 9, 1);
        assertThat(acceptUnconfirmed(id, new Host(1, 2))).isInstanceOf(Result.Rejected.class);
    }

    @Test
    void neverGivesATableNumberAgain() {
        register("b1", 7, 0);
        int first = create("t", 1);
        begin(first, 1);
        state.apply(new Command.DropTable(first));
        assertThat(state.splits()).isEmpty();
        assertThat(state.places(1)).isZero();
        assertThat(rejected(new Command.DropTable(first))).isEqualTo(Refusal.NO_SUCH_TABLE);
        assertThat(create("t", 1)).isGreaterThan(first);
    }

    @Test
    void tellsOfDroppedTablesHoweverLongAgo() {
        register("b1", 7, 0);
        int kept = create("kept", 1);
        long early = state.version();
        for (int k = 0; k < 2 * StateLimits.DROPPED_KEPT_MAX; k++) {
            state.apply(new Command.DropTable(create("t", 1)));
        }
        long late = state.version() - 1;
        assertThat(state.changesSince(0).droppedTables()).isEmpty();
        assertThat(state.changesSince(early).droppedTables())
                .hasSize(2 * StateLimits.DROPPED_KEPT_MAX)
                .doesNotContain(kept);
        assertThat(state.changesSince(late).droppedTables()).hasSize(1);
        assertThat(state.snapshot().dropped()).hasSize(StateLimits.DROPPED_KEPT_MAX);
    }

    @Test
    void changesTheMapWhenSessionsEndAndNotWhenTheyOpen() {
        long one = ((SessionOpened) state.apply(new Command.OpenSession())).session();
        long two = ((SessionOpened) state.apply(new Command.OpenSession())).session();
        assertThat(state.version()).isZero();
        state.apply(new Command.EndSessions(List.of(one, 99L)));
        assertThat(state.version()).isEqualTo(1);
        MapUpdate update = state.changesSince(0);
        assertThat(update.sessionNext()).isEqualTo(3);
        assertThat(update.sessionsActive()).containsExactly(two);
        state.apply(new Command.EndSessions(List.of(one)));
        assertThat(state.version()).isEqualTo(1);
        assertThat(state.changesSince(1).sessionNext()).isZero();
    }

    @Test
    void tellsOnlyTheAddressBlocksThatChanged() {
        register("b1", 7, 0);
        int id = create("t", 1);
        while (state.table(id).partitions() < AddressBlock.SIZE + 1) {
            split(id, 1);
        }
        long before = state.version();
        assertThat(state.changesSince(0).blocks()).hasSize(2);
        split(id, 1);
        MapUpdate update = state.changesSince(before);
        assertThat(update.blocks()).hasSize(1);
        assertThat(update.blocks().get(0).number()).isEqualTo(1);
        assertThat(update.blocks().get(0).places()).hasSize(2);
        assertThat(update.bricks()).isEmpty();
    }
}
