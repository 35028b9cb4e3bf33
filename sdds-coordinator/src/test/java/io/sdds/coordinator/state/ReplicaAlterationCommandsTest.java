package io.sdds.coordinator.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.state.Command.BeginMigration;
import io.sdds.coordinator.state.Command.Host;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.model.Conversion;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The commands that change the number of replicas of a table, and convert a table from parity to replicas
 * (docs/design/parity.md, rule 35).
 */
class ReplicaAlterationCommandsTest extends AppliedCommands {
    private static final int TABLE = 1;
    private static final int BRICKS = 9;
    private static final Parity TWO_ONE = new Parity(2, 1);

    /** A table of two groups: columns at bricks 1 and 2, parity at brick 3; columns at 4 and 5, parity at 6. */
    @BeforeEach
    void bricksAndTable() {
        registerBricks(BRICKS);
        create(TableKind.HASH, List.of(host(1), host(2), host(4), host(5)), List.of(host(3), host(6)));
    }

    private void create(TableKind kind, List<Host> columns, List<Host> parities) {
        String name = kind == TableKind.HASH ? "t" : "range";
        applied(new Command.CreateTable(
                name,
                TableSpec.of(kind)
                        .capacity(100)
                        .firstPartitions(columns.size())
                        .parity(TWO_ONE)
                        .build(),
                columns,
                parities));
    }

    private void convert(int replicas) {
        applied(new Command.ConvertToReplicas(TABLE, replicas));
    }

    private BeginMigration learner(int column, int brick) {
        return BeginMigration.learner(TABLE, column, state.place(TABLE, column).epoch(), host(brick));
    }

    private MigrationOrder order(BeginMigration begin) {
        return ((Result.MigrationBegun) applied(begin)).order();
    }

    private void join(int column, int brick) {
        applied(new Command.CommitMigration(order(learner(column, brick)).id()));
    }

    private Command.EndConversion end(int group) {
        return new Command.EndConversion(
                TABLE, group, state.parityGroup(TABLE, group).epochs());
    }

    private Command.ChangeGroups members(int column, Host... members) {
        long epoch = state.place(TABLE, column).epoch();
        return new Command.ChangeGroups(List.of(new Command.GroupChange(TABLE, column, epoch, List.of(members))));
    }

    private Command.ChangeParityGroups group(int number, List<Host> columns, Host parity) {
        List<Long> epochs = state.parityGroup(TABLE, number).epochs();
        return new Command.ChangeParityGroups(
                List.of(new Command.ParityGroupChange(TABLE, number, epochs, columns, List.of(parity))));
    }

    private static Place at(long epoch, long migration, Integer... bricks) {
        return Place.of(
                Arrays.stream(bricks).map(ReplicaAlterationCommandsTest::member).toList(), migration, epoch);
    }

    // ---- the beginning

    @Test
    void aTableThatBeginsToConvertKeepsItsParitiesAndEpochs() {
        convert(2);
        assertThat(state.table(TABLE).definition().conversion()).isEqualTo(Conversion.TO_REPLICAS);
        assertThat(state.table(TABLE).definition().parity()).isEqualTo(TWO_ONE);
        assertThat(state.table(TABLE).definition().replicas()).isEqualTo(2);
        assertThat(state.standsOnParity(TABLE, 0)).isTrue();
        assertThat(state.place(TABLE, 0)).isEqualTo(at(1, 0, 1));
        rejected(new Command.ConvertToReplicas(TABLE, 2));
        rejected(new Command.AlterReplicas(TABLE, 2));
        rejected(new Command.AlterParity(TABLE, TWO_ONE, new Parity(2, 2)));
    }

    @Test
    void aTableThatChangesOrLacksAMemberOrHasNoParityIsNotConverted() {
        Command convert = new Command.ConvertToReplicas(TABLE, 2);
        rejected(new Command.ConvertToReplicas(TABLE, 6));
        rejected(new Command.ConvertToReplicas(7, 2));
        MigrationOrder move = order(Begin.move(state, TABLE, 0, host(7)));
        rejected(convert);
        applied(Begin.undone(state, move.id()));
        replace(3);
        rejected(convert);
        applied(group(0, List.of(host(1), host(2)), Host.NONE));
        rejected(convert);
        applied(new Command.CreateTable(
                "copies", TableSpec.of(TableKind.HASH).capacity(100).replicas(2).build(), List.of(host(1), host(2))));
        rejected(new Command.ConvertToReplicas(2, 2));
    }

    @Test
    void aTableThatConvertsNeitherSplitsNorMergesNorMovesNorGrows() {
        convert(2);
        rejected(Begin.move(state, TABLE, 0, host(7)));
        rejected(Begin.merge(state, TABLE, 4));
        rejected(new Command.AddColumn(TABLE, 4, host(8), List.of(host(7))));
    }

    // ---- backups

    @Test
    void aBackupJoinsBesideTheParities() {
        convert(2);
        join(0, 2);
        assertThat(state.place(TABLE, 0).members()).containsExactly(member(1), member(2));
        assertThat(state.parityGroup(TABLE, 0).epochs()).containsExactly(2L, 1L);
        assertThat(state.parities(TABLE, 0).members()).containsExactly(member(3));
        assertThat(state.places(2)).isEqualTo(2);
        rejected(learner(0, 7));
    }

    @Test
    void noBackupJoinsOnABrickOfAParityOrWhileTheGroupIsRepaired() {
        rejected(learner(0, 7));
        convert(2);
        rejected(learner(0, 3));
        rejected(learner(0, 1));
        applied(group(0, List.of(host(1), host(2)), Host.NONE));
        order(BeginMigration.parity(TABLE, 0, 2, host(7)));
        rejected(learner(0, 8));
    }

    @Test
    void anIdleColumnGetsNoBackup() {
        applied(new Command.AddColumn(TABLE, 4, host(8), List.of(host(7))));
        convert(2);
        rejected(learner(4, 9));
    }

    @Test
    void aRepairEndsTheOrdersForBackupsOfItsGroup() {
        convert(2);
        MigrationOrder ofTheGroup = order(learner(1, 7));
        MigrationOrder another = order(learner(2, 7));
        applied(group(0, List.of(host(3), host(2)), host(3)));
        assertThat(state.migration(ofTheGroup.id()))
                .as("its column is as before")
                .isNotNull();
        order(BeginMigration.recovery(TABLE, 0, 2, host(8)));
        assertThat(state.migration(ofTheGroup.id())).isNull();
        assertThat(state.migration(another.id())).isNotNull();
    }

    @Test
    void aParityThatIsMissingEndsTheOrdersForBackupsAndTheBackupsStay() {
        convert(2);
        join(0, 2);
        MigrationOrder order = order(learner(1, 1));
        applied(group(0, List.of(host(1), host(2)), Host.NONE));
        assertThat(state.migration(order.id())).isNull();
        assertThat(state.place(TABLE, 0).members()).containsExactly(member(1), member(2));
        assertThat(state.parityGroup(TABLE, 0).epochs()).containsExactly(3L, 2L);
    }

    @Test
    void aColumnThatIsLedByAParityLosesItsBackupsInTheSameCommand() {
        convert(2);
        join(0, 2);
        applied(group(0, List.of(host(3), host(2)), host(3)));
        assertThat(state.place(TABLE, 0).members()).containsExactly(member(3));
        assertThat(state.places(2)).isEqualTo(1);
        rejected(end(0));
    }

    @Test
    void aBackupLeavesByACommandAndThePrimaryDoesNot() {
        convert(2);
        join(0, 2);
        rejected(members(0, host(2)));
        rejected(new Command.BeginLeave(TABLE, 0, 2, host(2), true));
        applied(members(0, host(1)));
        assertThat(state.place(TABLE, 0).members()).containsExactly(member(1));
        assertThat(state.parityGroup(TABLE, 0).epochs()).containsExactly(3L, 1L);
    }

    @Test
    void aBackupThatLeavesEndsTheOrderForAParity() {
        convert(2);
        join(1, 1);
        applied(group(0, List.of(host(1), host(2)), Host.NONE));
        MigrationOrder parity = order(BeginMigration.parity(TABLE, 0, 2, host(7)));
        applied(members(1, host(2)));
        assertThat(state.migration(parity.id())).isNull();
    }

    @Test
    void aBackupThatLeavesDoesNotEndTheRecoveryOfAnotherColumn() {
        convert(2);
        join(1, 7);
        applied(group(0, List.of(host(3), host(2)), host(3)));
        MigrationOrder recovery = order(BeginMigration.recovery(TABLE, 0, 2, host(8)));
        applied(members(1, host(2)));
        assertThat(state.migration(recovery.id())).isNotNull();
    }

    @Test
    void aNextProcessOfABackupIsNoMemberAndTheColumnGoesOnByACommand() {
        convert(2);
        join(0, 7);
        replace(7);
        assertThat(state.place(TABLE, 0).members()).hasSize(2);
        assertThat(state.places(7)).as("until the command").isEqualTo(1);
        rejected(end(0));
        applied(members(0, host(1)));
        assertThat(state.places(7)).isZero();
    }

    @Test
    void aPrimaryIsNotFollowedByItsBackup() {
        convert(2);
        join(0, 7);
        replace(1);
        assertThat(state.place(TABLE, 0).primary()).isEqualTo(member(1));
        rejected(group(0, List.of(host(7), host(2)), host(3)));
        replace(3);
        applied(group(0, List.of(Host.NONE, host(2)), Host.NONE));
        assertThat(state.place(TABLE, 0).lost()).isTrue();
        assertThat(state.places(7)).isZero();
        rejected(end(0));
    }

    // ---- the end

    @Test
    void atTheEndOfAGroupTheParitiesLeaveAndTheOtherGroupsStay() {
        convert(2);
        rejected(end(0));
        join(0, 2);
        rejected(end(0));
        join(1, 1);
        long migration = state.place(TABLE, 0).migration();
        rejected(new Command.EndConversion(TABLE, 0, List.of(1L, 2L)));
        rejected(new Command.EndConversion(TABLE, 2, List.of()));
        applied(end(0));
        assertThat(state.place(TABLE, 0)).isEqualTo(at(3, migration, 1, 2));
        assertThat(state.parities(TABLE, 0)).isEqualTo(ParityMembers.joining(1));
        assertThat(state.places(3)).isZero();
        assertThat(state.standsOnParity(TABLE, 0)).isFalse();
        assertThat(state.standsOnParity(TABLE, 2)).isTrue();
        assertThat(state.table(TABLE).definition().isConverting()).isTrue();
        rejected(end(0));
        rejected(BeginMigration.parity(TABLE, 0, 3, host(7)));
    }

    @Test
    void aGroupThatStandsOnReplicasGoesOnByItsBackupsWhileOthersStandOnParity() {
        convert(2);
        join(0, 2);
        join(1, 7);
        applied(end(0));
        replace(1);
        assertThat(state.place(TABLE, 0).members()).containsExactly(member(2));
        assertThat(state.place(TABLE, 0).epoch()).isEqualTo(4);
        applied(new Command.BeginLeave(TABLE, 1, 3, host(7), true));
        applied(members(1, host(2)));
        join(0, 8);
        assertThat(state.place(TABLE, 0).members()).containsExactly(member(2), member(8));
    }

    @Test
    void withTheLastGroupTheTableHasReplicasAndNoParity() {
        convert(2);
        join(0, 2);
        join(1, 1);
        join(2, 5);
        join(3, 4);
        applied(end(1));
        applied(end(0));
        assertThat(state.table(TABLE).definition().conversion()).isEqualTo(Conversion.NONE);
        assertThat(state.table(TABLE).definition().parity()).isEqualTo(Parity.NONE);
        assertThat(state.table(TABLE).definition().replicas()).isEqualTo(2);
        assertThat(state.groups(TABLE)).isZero();
        assertThat(state.block(TABLE, 0).parities()).isEmpty();
        assertThat(state.block(TABLE, 0).version()).isEqualTo(state.version());
        applied(new Command.ConvertToParity(TABLE, TWO_ONE, List.of(host(9))));
    }

    @Test
    void withOneReplicaAGroupEndsAtOnce() {
        convert(1);
        applied(end(0));
        applied(end(1));
        assertThat(state.table(TABLE).definition().replicas()).isEqualTo(1);
        assertThat(state.isReplicated(TABLE)).isFalse();
        assertThat(state.place(TABLE, 3)).isEqualTo(at(2, 0, 5));
    }

    @Test
    void aGroupEndsWithoutItsParityAndWithWhateverItsIdleColumnsLack() {
        applied(new Command.AddColumn(TABLE, 4, host(8), List.of(host(7))));
        convert(1);
        replace(8);
        replace(3);
        applied(group(0, List.of(host(1), host(2)), Host.NONE));
        applied(group(2, List.of(host(7)), host(7)));
        order(BeginMigration.recovery(TABLE, 4, 2, host(9)));
        applied(end(0));
        applied(end(2));
        assertThat(state.place(TABLE, 4).none()).isTrue();
        assertThat(state.migrations()).isEmpty();
        replace(9);
        assertThat(state.lostPartitions(TABLE)).isZero();
        applied(end(1));
        assertThat(state.columns(TABLE)).isEqualTo(4);
        assertThat(state.places(7)).isZero();
    }

    /** A group whose columns are all idle ends at once, and its numbers are free again. */
    @Test
    void idleColumnsOfAHashTableAreNoMoreAndTheirEpochsAreNotUsedAgain() {
        applied(new Command.AddColumn(TABLE, 4, host(8), List.of(host(7))));
        convert(1);
        for (int group = 0; group < 3; group++) {
            applied(end(group));
        }
        assertThat(state.columns(TABLE)).isEqualTo(4);
        assertThat(state.places(8)).isZero();
        commit(BeginMigration.split(TABLE, 4, 2, List.of(host(8))));
        assertThat(state.place(TABLE, 4).epoch()).isGreaterThan(2);
    }

    @Test
    void idleColumnsOfARangeTableBecomeFreeNumbers() {
        create(TableKind.RANGE, List.of(host(1)), List.of(host(3)));
        for (int column = 1; column <= 3; column++) {
            List<Host> parities = column == 2 ? List.of(host(6)) : List.of();
            applied(new Command.AddColumn(2, column, host(column == 2 ? 4 : 2), parities));
        }
        KeySpan upper = KeySpan.ALL.above("k".getBytes(StandardCharsets.US_ASCII));
        commit(BeginMigration.columnSplit(2, 0, 1, upper, 1, 1));
        KeySpan top = KeySpan.ALL.above("p".getBytes(StandardCharsets.US_ASCII));
        commit(BeginMigration.columnSplit(2, 1, 2, top, 1, 1));
        commit(Begin.rangeMerge(state, 2, 0, 1, state.span(2, 1)));
        applied(new Command.ConvertToReplicas(2, 1));
        for (int group = 0; group < 2; group++) {
            applied(new Command.EndConversion(
                    2, group, state.parityGroup(2, group).epochs()));
        }
        assertThat(state.exists(2, 1)).isFalse();
        assertThat(state.place(2, 1).none()).isTrue();
        assertThat(state.freeNumber(2)).isEqualTo(1);
        assertThat(state.columns(2)).as("number 3 had no keys").isEqualTo(3);
        assertThat(state.table(2).partitions()).isEqualTo(3);
        assertThat(state.span(2, 2)).isEqualTo(top);
    }

    private void commit(BeginMigration begin) {
        applied(new Command.CommitMigration(order(begin).id()));
    }

    @Test
    void aTableThatConvertsSurvivesASnapshot() {
        convert(2);
        join(0, 2);
        join(1, 1);
        applied(end(0));
        join(2, 7);
        ClusterState restored = new ClusterState();
        restored.restore(StateCodec.decodeSnapshot(StateCodec.encode(state.snapshot())));
        assertThat(restored.table(TABLE)).isEqualTo(state.table(TABLE));
        assertThat(restored.place(TABLE, 2)).isEqualTo(state.place(TABLE, 2));
        assertThat(restored.places(7)).isEqualTo(1);
        assertThat(restored.isReplicated(TABLE)).isTrue();
    }

    // ---- the number of replicas

    @Test
    void aTableGetsAnotherNumberOfReplicasUnlessItsWritesNeedMore() {
        applied(new Command.CreateTable(
                "copies",
                TableSpec.of(TableKind.HASH)
                        .capacity(100)
                        .replicas(3)
                        .minCopies(2)
                        .build(),
                List.of(host(1), host(2), host(3))));
        Result fault = state.apply(new Command.AlterReplicas(2, 1));
        assertThat(((Result.Rejected) fault).reason()).isEqualTo(Refusal.BAD_REQUEST);
        rejected(new Command.AlterReplicas(2, 6));
        rejected(new Command.AlterReplicas(TABLE, 2));
        applied(new Command.AlterReplicas(2, 2));
        assertThat(state.table(2).definition().replicas()).isEqualTo(2);
        assertThat(state.table(2).definition().spec().minCopies()).isEqualTo(2);
        assertThat(state.place(2, 0).members())
                .as("the third leaves by an order")
                .hasSize(3);
        applied(new Command.BeginLeave(2, 0, 1, host(3), false));
    }

    @Test
    void aTableOfOneReplicaGetsNoBackupThatWasOrderedBefore() {
        applied(new Command.CreateTable(
                "copies", TableSpec.of(TableKind.HASH).capacity(100).replicas(2).build(), List.of(host(7), host(8))));
        order(BeginMigration.learner(2, 0, 1, host(9)));
        applied(new Command.AlterReplicas(2, 3));
        assertThat(state.learners()).hasSize(1);
        applied(new Command.AlterReplicas(2, 1));
        assertThat(state.learners()).isEmpty();
    }

    @Test
    void aTableOfOneReplicaStillHasGroupsUntilTheBackupsHaveLeft() {
        applied(new Command.CreateTable(
                "copies", TableSpec.of(TableKind.HASH).capacity(100).replicas(2).build(), List.of(host(7), host(8))));
        applied(new Command.AlterReplicas(2, 1));
        assertThat(state.isReplicated(2)).isTrue();
        rejected(Begin.move(state, 2, 0, host(9)));
        rejected(Begin.split(state, 2, 1, 9, 1));
        applied(new Command.ChangeGroups(List.of(new Command.GroupChange(2, 0, 1, List.of(host(8))))));
        assertThat(state.isReplicated(2)).isFalse();
        applied(Begin.move(state, 2, 0, host(9)));
        rejected(new Command.AlterReplicas(2, 2));
    }
}
