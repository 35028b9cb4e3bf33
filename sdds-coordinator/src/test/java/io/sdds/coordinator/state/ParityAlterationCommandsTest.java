package io.sdds.coordinator.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.state.Command.BeginMigration;
import io.sdds.coordinator.state.Command.Host;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * How the number of parities of a table changes in the replicated state (docs/design/parity.md, rule 32). The table has
 * two groups of parity 2,1: the columns 0 and 1 on the bricks 1 and 2, their parity on brick 3; the columns 2 and 3 on
 * the bricks 2 and 3, their parity on brick 4. The bricks 5 and 6 are spare.
 */
class ParityAlterationCommandsTest extends AppliedCommands {
    private static final int TABLE = 1;
    private static final Parity ONE = new Parity(2, 1);
    private static final Parity TWO = new Parity(2, 2);

    @BeforeEach
    void start() {
        registerBricks(6);
        applied(new Command.CreateTable(
                "t",
                TableSpec.of(TableKind.HASH)
                        .capacity(100)
                        .firstPartitions(4)
                        .parity(ONE)
                        .build(),
                List.of(host(1), host(2), host(2), host(3)),
                List.of(host(3), host(4))));
    }

    private static Command.AlterParity alter(Parity before, Parity after) {
        return new Command.AlterParity(TABLE, before, after);
    }

    private ParityMembers parities(int group) {
        return state.parities(TABLE, group);
    }

    private List<Long> epochs() {
        return IntStream.range(0, 4)
                .mapToObj(column -> state.place(TABLE, column).epoch())
                .toList();
    }

    /** A group gets its missing parity on a brick. */
    private void build(int group, int brick) {
        int first = 2 * group;
        long epoch = state.place(TABLE, first).epoch();
        MigrationOrder order =
                ((Result.MigrationBegun) applied(BeginMigration.parity(TABLE, first, epoch, host(brick)))).order();
        applied(new Command.CommitMigration(order.id()));
    }

    @Test
    void aRaiseGivesEachGroupAMissingParityInTheSameEpochs() {
        long before = state.version();
        applied(alter(ONE, TWO));
        assertThat(state.table(TABLE).definition().parity()).isEqualTo(TWO);
        assertThat(parities(0).members()).containsExactly(member(3), ParityMembers.MISSING);
        assertThat(parities(1).members()).containsExactly(member(4), ParityMembers.MISSING);
        assertThat(epochs()).containsExactly(1L, 1L, 1L, 1L);
        MapUpdate update = state.changesSince(before);
        assertThat(update.tables()).hasSize(1);
        assertThat(update.blocks()).hasSize(1);
        assertThat(update.blocks().getFirst().parities().getFirst().members()).hasSize(2);
    }

    /** The new parity is in force when it is a member, and not before. */
    @Test
    void aGroupToleratesMoreOnceItsNewParityIsAMember() {
        applied(alter(ONE, TWO));
        assertThat(state.parityGroup(TABLE, 0).tolerated()
                        - state.parityGroup(TABLE, 0).lacking(process -> false))
                .isEqualTo(1);
        build(0, 5);
        assertThat(parities(0).members()).containsExactly(member(3), member(5));
        assertThat(epochs()).containsExactly(2L, 2L, 1L, 1L);
        assertThat(state.parityGroup(TABLE, 0).lacking(process -> false)).isZero();
    }

    @Test
    void aRaiseOfSeveralParitiesBuildsThemInTheOrderOfTheirIndexes() {
        applied(alter(ONE, new Parity(2, 3)));
        build(0, 5);
        build(0, 6);
        assertThat(parities(0).members()).containsExactly(member(3), member(5), member(6));
    }

    @Test
    void aChangeOfTheGroupThatWasDecidedBeforeTheRaiseIsRejected() {
        List<Host> columns = List.of(host(1), host(2));
        applied(alter(ONE, TWO));
        rejected(new Command.ChangeParityGroups(
                List.of(new Command.ParityGroupChange(TABLE, 0, List.of(1L, 1L), columns, List.of(Host.NONE)))));
    }

    @Test
    void aGroupWithADegradedColumnIsRaised() {
        applied(new Command.ChangeParityGroups(List.of(new Command.ParityGroupChange(
                TABLE, 0, List.of(1L, 1L), List.of(host(3), host(2)), List.of(host(3))))));
        applied(alter(ONE, TWO));
        assertThat(state.place(TABLE, 0)).isEqualTo(Place.of(List.of(member(3)), 0, 2));
        rejected(BeginMigration.parity(TABLE, 0, 2, host(5)));
        applied(BeginMigration.recovery(TABLE, 0, 2, host(5)));
    }

    @Test
    void aLoweredTableLosesTheHighestIndexesInTheNextEpochs() {
        applied(alter(ONE, TWO));
        build(0, 5);
        build(1, 6);
        applied(alter(TWO, ONE));
        assertThat(state.table(TABLE).definition().parity()).isEqualTo(ONE);
        assertThat(parities(0).members()).containsExactly(member(3));
        assertThat(parities(1).members()).containsExactly(member(4));
        assertThat(epochs()).containsExactly(3L, 3L, 3L, 3L);
        assertThat(state.places(5)).isZero();
        assertThat(state.places(6)).isZero();
    }

    @Test
    void aLowerDropsARaiseThatIsUnderWay() {
        applied(alter(ONE, TWO));
        build(0, 5);
        MigrationOrder order = ((Result.MigrationBegun) applied(BeginMigration.parity(TABLE, 2, 1, host(6)))).order();
        applied(alter(TWO, ONE));
        assertThat(state.migrations()).isEmpty();
        rejected(new Command.CommitMigration(order.id()));
        assertThat(epochs()).as("group 1 had no second parity").containsExactly(3L, 3L, 1L, 1L);
    }

    @Test
    void aLowerLeavesTheRepairOfALowerIndex() {
        applied(alter(ONE, TWO));
        build(0, 5);
        applied(alter(TWO, new Parity(2, 3)));
        applied(new Command.ChangeParityGroups(List.of(new Command.ParityGroupChange(
                TABLE, 0, List.of(2L, 2L), List.of(host(1), host(2)), List.of(Host.NONE, host(5), Host.NONE)))));
        MigrationOrder order = ((Result.MigrationBegun) applied(BeginMigration.parity(TABLE, 0, 3, host(6)))).order();
        applied(alter(new Parity(2, 3), TWO));
        assertThat(state.migrations()).containsExactly(order);
        applied(new Command.CommitMigration(order.id()));
        assertThat(parities(0).members()).containsExactly(member(6), member(5));
    }

    /** Column 0 is degraded, and the first parity leads it. */
    private void degrade(Host... parities) {
        applied(new Command.ChangeParityGroups(List.of(new Command.ParityGroupChange(
                TABLE,
                0,
                state.parityGroup(TABLE, 0).epochs(),
                List.of(parities[0].equals(Host.NONE) ? parities[1] : parities[0], host(2)),
                List.of(parities)))));
    }

    @Test
    void aGroupThatLacksWhatFewerParitiesCanBearIsLowered() {
        applied(alter(ONE, TWO));
        build(0, 5);
        degrade(host(3), host(5));
        applied(alter(TWO, ONE));
        assertThat(state.place(TABLE, 0).primary()).isEqualTo(member(3));
        assertThat(state.parityGroup(TABLE, 0).lacking(process -> false)).isEqualTo(1);
    }

    @Test
    void aGroupThatLacksMoreThanFewerParitiesCanBearIsNotLowered() {
        applied(alter(ONE, TWO));
        build(0, 5);
        degrade(Host.NONE, host(5));
        rejected(alter(TWO, ONE));
    }

    @Test
    void aGroupWhoseMembersWereReplacedIsNotLowered() {
        applied(alter(ONE, TWO));
        build(0, 5);
        for (int brick : List.of(1, 3)) {
            replace(brick);
        }
        rejected(alter(TWO, ONE));
    }

    @Test
    void wrongAndLateAlterationsAreRejected() {
        rejected(alter(ONE, new Parity(4, 2)));
        rejected(alter(ONE, new Parity(2, 5)));
        rejected(alter(ONE, Parity.NONE));
        rejected(alter(TWO, new Parity(2, 3)));
        rejected(new Command.AlterParity(7, ONE, TWO));
        applied(alter(ONE, TWO));
        rejected(alter(ONE, TWO));
    }

    @Test
    void theAlteredTableSurvivesASnapshot() {
        applied(alter(ONE, TWO));
        ClusterState restored = new ClusterState();
        restored.restore(StateCodec.decodeSnapshot(StateCodec.encode(state.snapshot())));
        assertThat(restored.table(TABLE)).isEqualTo(state.table(TABLE));
        assertThat(restored.parities(TABLE, 1)).isEqualTo(parities(1));
    }
}
