package io.sdds.coordinator.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.state.Command.BeginMigration;
import io.sdds.coordinator.state.Command.Host;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * How parity groups lose members and are repaired in the replicated state (docs/design/parity.md, rules 26 to 29). The
 * table has one group: the columns 0 and 1 on the bricks 1 and 2, the parities on the bricks 3 and 4. The bricks 5 and
 * 6 are spare.
 */
class ParityGroupsTest extends AppliedCommands {
    private static final int TABLE = 1;
    private static final Host NONE = Host.NONE;

    @BeforeEach
    void start() {
        registerBricks(6);
        applied(new Command.CreateTable(
                "t",
                TableSpec.of(TableKind.HASH)
                        .capacity(100)
                        .firstPartitions(2)
                        .parity(new Parity(2, 2))
                        .build(),
                List.of(host(1), host(2)),
                List.of(host(3), host(4))));
    }

    /** @param hosts the next primaries of both columns, and the next parities */
    private Command.ChangeParityGroups change(Host... hosts) {
        return change(state.parityGroup(TABLE, 0).epochs(), hosts);
    }

    private static Command.ChangeParityGroups change(List<Long> epochs, Host... hosts) {
        List<Host> all = Arrays.asList(hosts);
        return new Command.ChangeParityGroups(
                List.of(new Command.ParityGroupChange(TABLE, 0, epochs, all.subList(0, 2), all.subList(2, 4))));
    }

    private MigrationOrder begun(BeginMigration begin) {
        return ((Result.MigrationBegun) applied(begin)).order();
    }

    private Place column(int partition) {
        return state.place(TABLE, partition);
    }

    private List<Integer> places() {
        return IntStream.rangeClosed(1, 6).map(state::places).boxed().toList();
    }

    /** Column 0 is led by the first parity. */
    private void degrade() {
        applied(change(host(3), host(2), host(3), host(4)));
    }

    /** Brick 5 is the spare of column 0 and primary. */
    private MigrationOrder fill() {
        return fill(5);
    }

    private MigrationOrder fill(int spare) {
        degrade();
        MigrationOrder order = begun(BeginMigration.recovery(TABLE, 0, 2, host(spare)));
        applied(new Command.CommitMigration(order.id()));
        return order;
    }

    @Test
    void aColumnWithoutProcessIsLedByTheFirstParityInTheNextEpoch() {
        degrade();
        assertThat(column(0)).isEqualTo(new Place(3, 1, 0, 2, List.of()));
        assertThat(column(1).epoch()).as("its members are the same").isEqualTo(1);
        assertThat(places()).containsExactly(0, 1, 2, 1, 0, 0);
        assertThat(state.parityGroup(TABLE, 0).lacking(process -> false)).isEqualTo(1);
    }

    @Test
    void aLostParityRaisesTheEpochsOfAllColumnsByOne() {
        applied(change(host(4), host(2), NONE, host(4)));
        assertThat(state.parities(TABLE, 0).members()).containsExactly(ParityMembers.MISSING, member(4));
        assertThat(column(0)).isEqualTo(new Place(4, 1, 0, 2, List.of()));
        assertThat(column(1)).isEqualTo(new Place(2, 1, 0, 2, List.of()));
        assertThat(places()).containsExactly(0, 1, 0, 2, 0, 0);
    }

    @Test
    void refusesAChangeThatWasDecidedOnAnotherStateOrLosesTooMuch() {
        rejected(change(List.of(1L, 2L), host(3), host(2), host(3), host(4)));
        rejected(change(host(1), host(2), host(3), host(4)));
        rejected(change(host(4), host(2), host(3), host(4))); // not the first parity
        rejected(change(host(5), host(2), host(3), host(4))); // no member
        rejected(change(host(1), host(2), host(3), host(5))); // a parity joins by an order
        rejected(change(NONE, host(2), NONE, NONE)); // nothing is proven
        replace(1);
        replace(3);
        rejected(change(NONE, host(2), NONE, host(4))); // two members of four are decoded from the others
        degrade();
        rejected(change(host(3), host(2), NONE, host(4))); // the lead is a parity no more
    }

    @Test
    void columnsAreLostByTheProofThatTooManyMembersAreGone() {
        replace(1);
        replace(3);
        replace(4);
        assertThat(state.lostPartitions(TABLE)).as("nobody has decided yet").isZero();
        assertThat(places()).as("as the map has it").containsExactly(1, 1, 1, 1, 0, 0);
        rejected(change(NONE, NONE, NONE, NONE)); // column 1 lives
        applied(change(NONE, host(2), NONE, NONE));
        assertThat(column(0)).isEqualTo(Place.lost(1));
        assertThat(column(1).epoch()).isEqualTo(2);
        assertThat(places()).containsExactly(0, 1, 0, 0, 0, 0);
    }

    @Test
    void anotherColumnOfTheSparesProcessHasAllItsRecords() {
        fill(2);
        assertThat(state.parityGroup(TABLE, 0).isFilling(column(0))).isTrue();
        assertThat(state.parityGroup(TABLE, 0).isFilling(column(1))).isFalse();
        assertThat(state.parityGroup(TABLE, 0).lacking(process -> false)).isEqualTo(1);
    }

    @Test
    void aSpareBecomesPrimaryAndFillsUntilItHasAllRecords() {
        MigrationOrder order = fill();
        assertThat(order.source()).isEqualTo(new Place(3, 1, 0, 2, List.of()));
        assertThat(column(0)).isEqualTo(new Place(5, 1, order.id(), 3, List.of()));
        assertThat(state.repairs()).containsExactly(order);
        assertThat(state.parityGroup(TABLE, 0).isFilling(column(0))).isTrue();
        rejected(new Command.CommitMigration(order.id()));
        rejected(BeginMigration.parity(TABLE, 0, 3, host(6)));
        applied(new Command.EndRecovery(order.id()));
        rejected(new Command.EndRecovery(order.id()));
        assertThat(state.migrations()).isEmpty();
        assertThat(state.parityGroup(TABLE, 0).lacking(process -> false)).isZero();
        assertThat(places()).containsExactly(0, 1, 1, 1, 1, 0);
    }

    @Test
    void aCompleteColumnThatSharesABrickWithAFillingOneIsNotFilling() {
        degrade();
        MigrationOrder order = begun(BeginMigration.recovery(TABLE, 0, 2, host(2)));
        applied(new Command.CommitMigration(order.id()));
        ParityGroup group = state.parityGroup(TABLE, 0);
        assertThat(column(0).primary()).isEqualTo(column(1).primary());
        assertThat(group.isFilling(column(0))).isTrue();
        assertThat(group.isFilling(column(1))).isFalse();
        assertThat(group.lacking(process -> false)).isEqualTo(1);
        applied(change(host(2), host(2), NONE, host(4)));
        assertThat(state.parityGroup(TABLE, 0).isFilling(column(0)))
                .as("in a later epoch")
                .isTrue();
    }

    @Test
    void aRecoveryIsVoidWhenItsSpareOrItsLeadIsGone() {
        degrade();
        begun(BeginMigration.recovery(TABLE, 0, 2, host(5)));
        replace(5);
        assertThat(state.migrations()).isEmpty();
        MigrationOrder second = begun(BeginMigration.recovery(TABLE, 0, 2, host(6)));
        rejected(new Command.EndRecovery(second.id()));
        applied(change(host(4), host(2), NONE, host(4)));
        assertThat(state.migrations()).isEmpty();
        rejected(new Command.CommitMigration(second.id()));
    }

    @Test
    void aRecoveryThatIsAbandonedMayBeOrderedAgain() {
        degrade();
        MigrationOrder order = begun(BeginMigration.recovery(TABLE, 0, 2, host(5)));
        rejected(new Command.AbandonMigration(order.id(), 1));
        applied(new Command.AbandonMigration(order.id(), 2));
        assertThat(column(0).epoch()).isEqualTo(2);
        begun(BeginMigration.recovery(TABLE, 0, 2, host(6)));
    }

    @Test
    void aFillingColumnOutlivesItsLeadAndFallsBackWithoutItsSpare() {
        MigrationOrder order = fill();
        applied(change(host(5), host(2), NONE, host(4)));
        assertThat(column(0).epoch()).isEqualTo(4);
        assertThat(state.repairs()).containsExactly(order);
        applied(change(host(4), host(2), NONE, host(4)));
        assertThat(column(0)).isEqualTo(new Place(4, 1, order.id(), 5, List.of()));
        assertThat(state.migrations()).isEmpty();
    }

    @Test
    void aSpareThatGivesUpWhileItFillsGivesTheColumnBackToTheFirstParity() {
        MigrationOrder order = fill();
        applied(new Command.AbandonMigration(order.id(), 3));
        assertThat(column(0).primary()).isEqualTo(member(3));
        assertThat(column(0).epoch()).isEqualTo(4);
        assertThat(state.migrations()).isEmpty();
        assertThat(places()).containsExactly(0, 1, 2, 1, 0, 0);
    }

    @Test
    void refusesASpareThatHoldsAParityAndARecoveryOfAColumnThatIsWhole() {
        rejected(BeginMigration.recovery(TABLE, 1, 1, host(5)));
        degrade();
        rejected(BeginMigration.recovery(TABLE, 0, 2, host(4)));
        rejected(BeginMigration.recovery(TABLE, 0, 1, host(5)));
        rejected(BeginMigration.recovery(TABLE, 0, 2, new Host(5, 2)));
        MigrationOrder order = begun(BeginMigration.recovery(TABLE, 0, 2, host(2)));
        assertThat(order.target().brick()).as("a brick with data of the group").isEqualTo(2);
        rejected(BeginMigration.recovery(TABLE, 0, 2, host(5)));
    }

    @Test
    void aNewProcessOfAParityJoinsAllColumnsInTheirNextEpochs() {
        rejected(BeginMigration.parity(TABLE, 0, 1, host(5)));
        applied(change(host(1), host(2), host(3), NONE));
        rejected(BeginMigration.parity(TABLE, 1, 2, host(5))); // ordered by the first column
        rejected(BeginMigration.parity(TABLE, 0, 2, host(2))); // holds a column
        MigrationOrder order = begun(BeginMigration.parity(TABLE, 0, 2, host(5)));
        assertThat(order.parityIndex()).isEqualTo(1);
        assertThat(order.target()).isEqualTo(new Place(5, 1, order.id()));
        rejected(BeginMigration.parity(TABLE, 0, 2, host(6)));
        applied(new Command.CommitMigration(order.id()));
        assertThat(state.parities(TABLE, 0).members()).containsExactly(member(3), member(5));
        assertThat(List.of(column(0).epoch(), column(1).epoch())).containsExactly(3L, 3L);
        assertThat(state.migrations()).isEmpty();
        assertThat(places()).containsExactly(1, 1, 1, 0, 1, 0);
    }

    private void drain(int brick, boolean drains) {
        applied(new Command.DrainBrick(brick, 1, drains));
    }

    @Test
    void aParityOnABrickThatIsBeingDrainedGetsAnotherProcess() {
        rejected(BeginMigration.parity(TABLE, 0, 1, host(5)));
        drain(4, true);
        rejected(BeginMigration.parity(TABLE, 0, 1, host(3))); // holds the other parity
        MigrationOrder order = begun(BeginMigration.parity(TABLE, 0, 1, host(5)));
        assertThat(order.parityIndex()).isEqualTo(1);
        assertThat(state.parities(TABLE, 0).members())
                .as("until the other process has joined")
                .containsExactly(member(3), member(4));
        applied(new Command.CommitMigration(order.id()));
        assertThat(state.parities(TABLE, 0).members()).containsExactly(member(3), member(5));
        assertThat(List.of(column(0).epoch(), column(1).epoch())).containsExactly(2L, 2L);
        assertThat(places()).containsExactly(1, 1, 1, 0, 1, 0);
        rejected(BeginMigration.parity(TABLE, 0, 2, host(6)));
    }

    @Test
    void aMissingParityComesBeforeTheOneOfADrainedBrick() {
        drain(3, true);
        applied(change(host(1), host(2), host(3), NONE));
        assertThat(begun(BeginMigration.parity(TABLE, 0, 2, host(5))).parityIndex())
                .isEqualTo(1);
    }

    @Test
    void noParityIsReplacedWhenTheDrainIsCancelled() {
        drain(4, true);
        drain(4, false);
        rejected(BeginMigration.parity(TABLE, 0, 1, host(5)));
    }

    @Test
    void aParityOrderIsVoidWhenAnyColumnIsDegraded() {
        applied(change(host(1), host(2), host(3), NONE));
        begun(BeginMigration.parity(TABLE, 0, 2, host(5)));
        applied(change(host(1), host(3), host(3), NONE));
        assertThat(state.migrations()).isEmpty();
        rejected(BeginMigration.parity(TABLE, 0, 2, host(5)));
    }

    private MigrationOrder moving(int to) {
        return begun(BeginMigration.move(TABLE, 0, 1, host(to)));
    }

    @Test
    void aColumnThatMovesHasItsTargetAsPrimaryInTheNextEpoch() {
        MigrationOrder order = moving(5);
        assertThat(order.target()).isEqualTo(new Place(5, 1, order.id(), 2, List.of()));
        assertThat(column(0)).as("until the source has reported").isEqualTo(new Place(1, 1, 0));
        applied(new Command.CommitMigration(order.id()));
        assertThat(column(0)).isEqualTo(order.target());
        assertThat(column(1).epoch()).as("its members are the same").isEqualTo(1);
        assertThat(state.migrations()).isEmpty();
        assertThat(state.parityGroup(TABLE, 0).isComplete(column(0))).isTrue();
        assertThat(places()).containsExactly(0, 1, 1, 1, 1, 0);
    }

    @Test
    void aGroupHasOneMoveOrRepairAtATime() {
        drain(4, true);
        moving(5);
        rejected(BeginMigration.move(TABLE, 1, 1, host(6)));
        rejected(BeginMigration.parity(TABLE, 0, 1, host(6)));
    }

    @Test
    void refusesAMoveToAParityOrInAGroupThatLacksAMember() {
        rejected(BeginMigration.move(TABLE, 0, 1, host(1)));
        rejected(BeginMigration.move(TABLE, 0, 1, host(3)));
        rejected(BeginMigration.move(TABLE, 0, 2, host(5)));
        rejected(BeginMigration.move(TABLE, 0, 1, new Host(5, 2)));
        replace(2);
        rejected(BeginMigration.move(TABLE, 0, 1, host(5))); // nobody has decided yet how the group goes on
    }

    @Test
    void aColumnMayShareABrickWithAnotherColumn() {
        applied(new Command.CommitMigration(moving(2).id()));
        assertThat(column(0).primary()).isEqualTo(column(1).primary());
    }

    @Test
    void aMoveIsVoidWhenItsTargetIsGoneOrAnyMemberChanges() {
        moving(5);
        replace(5);
        assertThat(state.migrations()).as("the target").isEmpty();
        moving(6);
        applied(change(host(1), host(3), host(3), host(4)));
        assertThat(state.migrations()).as("another column").isEmpty();
    }

    @Test
    void aMoveIsVoidWhenAParityIsLost() {
        MigrationOrder order = moving(5);
        applied(change(host(1), host(2), host(3), NONE));
        assertThat(state.migrations()).isEmpty();
        rejected(new Command.CommitMigration(order.id()));
    }

    @Test
    void aMoveThatHasReportedCommitsThoughItsSourceIsReplaced() {
        MigrationOrder order = moving(5);
        replace(1);
        applied(new Command.CommitMigration(order.id()));
        assertThat(column(0)).isEqualTo(order.target());
        assertThat(state.parityGroup(TABLE, 0).lacking(process -> false)).isZero();
    }

    @Test
    void aMoveThatIsAbandonedLeavesTheColumnWhereItIs() {
        MigrationOrder order = moving(5);
        rejected(new Command.AbandonMigration(order.id(), 2));
        applied(new Command.AbandonMigration(order.id(), 1));
        assertThat(column(0)).isEqualTo(new Place(1, 1, 0));
        assertThat(state.migrations()).isEmpty();
    }

    @Test
    void anAcceptedLossBeginsEmptyOnBricksWithoutColumnsOfTheGroupAndGivesUpTheParities() {
        replace(1);
        replace(3);
        replace(4);
        applied(change(NONE, host(2), NONE, NONE));
        applied(new Command.AcceptLoss(TABLE, List.of(host(2), host(6)), false));
        assertThat(column(0)).isEqualTo(new Place(6, 1, 0, 2, List.of()));
        assertThat(column(1).epoch()).as("its parities were missing already").isEqualTo(2);
        assertThat(state.parities(TABLE, 0)).isEqualTo(ParityMembers.missing(2));
        assertThat(places()).containsExactly(0, 1, 0, 0, 0, 1);
    }

    /** The parities still contain the records of the column that begins empty. */
    @Test
    void anAcceptedLossGivesUpTheParitiesThatLive() {
        applied(change(host(1), host(2), host(3), NONE));
        replace(1);
        replace(2);
        applied(change(NONE, NONE, host(3), NONE));
        applied(new Command.AcceptLoss(TABLE, List.of(host(5)), false));
        assertThat(state.parities(TABLE, 0)).isEqualTo(ParityMembers.missing(2));
        assertThat(places()).containsExactly(0, 0, 0, 0, 2, 0);
    }

    /** The sole member of a column needs no vote and no lease, so it may serve for as long as it runs. */
    @Test
    void theLossOfASoleMemberNeedsTheEndOfItsProcess() {
        applied(change(host(1), host(2), NONE, NONE));
        replace(1);
        applied(change(NONE, host(2), NONE, NONE));
        rejected(new Command.AcceptLoss(TABLE, List.of(host(6)), false));
        assertThat(state.awaitsEnd(1, 1)).isTrue();
        applied(new Command.BrickEnded(1, 1));
        applied(new Command.AcceptLoss(TABLE, List.of(host(6)), false));
    }

    @Test
    void aBrickOfAParityGroupIsReplacedOnlyAfterItsLease() {
        List<Integer> inGroup = new ArrayList<>();
        IntStream.rangeClosed(1, 6).filter(state::isInGroup).forEach(inGroup::add);
        assertThat(inGroup).containsExactly(1, 2, 3, 4);
        replace(1);
        assertThat(state.isInGroup(1)).as("the new process holds nothing").isFalse();
    }

    @Test
    void aSnapshotHasTheRepairsUnderWay() {
        MigrationOrder order = fill();
        ClusterState restored = new ClusterState();
        restored.restore(StateCodec.decodeSnapshot(StateCodec.encode(state.snapshot())));
        assertThat(restored.snapshot()).isEqualTo(state.snapshot());
        assertThat(restored.parityGroup(TABLE, 0)).isEqualTo(state.parityGroup(TABLE, 0));
        restored.apply(new Command.EndRecovery(order.id()));
        assertThat(restored.migrations()).isEmpty();
    }

    @Test
    void aDroppedTableHasNoRepairs() {
        fill();
        applied(new Command.DropTable(TABLE));
        assertThat(state.migrations()).isEmpty();
        assertThat(places()).containsOnly(0);
    }
}
