package io.sdds.coordinator.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.state.Command.BeginMigration;
import io.sdds.coordinator.state.Command.Host;
import io.sdds.core.model.Conversion;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The commands that convert a table from replicas to parity (docs/design/parity.md, rule 34). */
class ConversionCommandsTest extends AppliedCommands {
    private static final int TABLE = 1;
    private static final int BRICKS = 8;
    private static final Parity ONE = new Parity(2, 1);

    /** A table of three partitions of two copies: at bricks 1 and 3, 2 and 3, 4 and 5. */
    @BeforeEach
    void bricksAndTable() {
        registerBricks(BRICKS);
        List<Host> hosts = List.of(host(1), host(3), host(2), host(3), host(4), host(5));
        applied(new Command.CreateTable(
                "t",
                TableSpec.of(TableKind.HASH)
                        .capacity(100)
                        .replicas(2)
                        .firstPartitions(hosts.size() / 2)
                        .build(),
                hosts));
    }

    private void convert() {
        applied(new Command.ConvertToParity(TABLE, ONE, List.of(host(8))));
    }

    private MigrationOrder orderParity(int group, int brick) {
        ParityGroup before = state.parityGroup(TABLE, group);
        BeginMigration begin =
                BeginMigration.parity(TABLE, before.first(), before.epochs().getFirst(), host(brick));
        return ((Result.MigrationBegun) applied(begin)).order();
    }

    private void build(int group, int brick) {
        applied(new Command.CommitMigration(orderParity(group, brick).id()));
    }

    private Command.EndConversion end(int group) {
        return new Command.EndConversion(
                TABLE, group, state.parityGroup(TABLE, group).epochs());
    }

    private Command.ChangeGroups members(int partition, Host... members) {
        long epoch = state.place(TABLE, partition).epoch();
        return new Command.ChangeGroups(List.of(new Command.GroupChange(TABLE, partition, epoch, List.of(members))));
    }

    private List<Long> epochs() {
        return List.of(
                state.place(TABLE, 0).epoch(),
                state.place(TABLE, 1).epoch(),
                state.place(TABLE, 2).epoch());
    }

    @Test
    void aTableThatBeginsToConvertKeepsItsMembersAndLacksAllParities() {
        convert();
        assertThat(state.table(TABLE).definition().conversion()).isEqualTo(Conversion.TO_PARITY);
        assertThat(state.table(TABLE).definition().parity()).isEqualTo(ONE);
        assertThat(state.table(TABLE).definition().replicas()).isEqualTo(2);
        assertThat(state.groups(TABLE)).isEqualTo(2);
        assertThat(state.parities(TABLE, 1)).isEqualTo(ParityMembers.joining(1));
        assertThat(state.place(TABLE, 0)).isEqualTo(Place.of(List.of(member(1), member(3)), 0, 1));
        assertThat(epochs()).containsExactly(1L, 1L, 1L);
    }

    @Test
    void aParityJoinsBesideTheBackups() {
        convert();
        build(0, 6);
        assertThat(state.parities(TABLE, 0)).isEqualTo(new ParityMembers(List.of(member(6)), false));
        assertThat(state.place(TABLE, 0)).isEqualTo(Place.of(List.of(member(1), member(3)), 0, 2));
        assertThat(epochs()).containsExactly(2L, 2L, 1L);
        assertThat(state.places(6)).isEqualTo(1);
    }

    @Test
    void atTheEndOfAGroupTheBackupsLeaveAndTheOtherGroupsStay() {
        convert();
        build(0, 6);
        applied(end(0));
        assertThat(state.parities(TABLE, 0)).isEqualTo(new ParityMembers(List.of(member(6))));
        assertThat(state.place(TABLE, 0)).isEqualTo(Place.of(List.of(member(1)), 0, 3));
        assertThat(state.place(TABLE, 2)).isEqualTo(Place.of(List.of(member(4), member(5)), 0, 1));
        assertThat(state.places(3)).isZero();
        assertThat(state.table(TABLE).definition().isConverting()).isTrue();
        rejected(end(0));
    }

    @Test
    void withTheLastGroupTheConversionEnds() {
        convert();
        build(0, 6);
        build(1, 7);
        applied(end(1));
        applied(end(0));
        assertThat(state.table(TABLE).definition().conversion()).isEqualTo(Conversion.FROM_REPLICAS);
        assertThat(state.table(TABLE).definition().replicas()).isEqualTo(1);
        assertThat(state.table(TABLE).definition().spec().minCopies()).isEqualTo(1);
    }

    /** A partition had the number of the column before, and a merge has ended it. */
    @Test
    void aColumnThatIsAddedLaterBeginsInAnEpochAboveAllOfItsNumber() {
        commit(BeginMigration.split(TABLE, 3, 1, List.of(host(6), host(7))));
        commit(Begin.merge(state, TABLE, 4));
        convert();
        build(0, 6);
        build(1, 7);
        applied(end(0));
        applied(end(1));
        applied(new Command.AddColumn(TABLE, 3, host(8), List.of()));
        assertThat(state.place(TABLE, 3).epoch()).isEqualTo(state.version());
        applied(new Command.AddColumn(TABLE, 4, host(8), List.of(host(7))));
        assertThat(state.parities(TABLE, 2)).as("built by an order").isEqualTo(ParityMembers.missing(1));
        build(2, 7);
    }

    @Test
    void aGroupThatLacksAParityOrHasOtherEpochsDoesNotEnd() {
        convert();
        rejected(end(0));
        build(0, 6);
        rejected(new Command.EndConversion(TABLE, 0, List.of(1L, 1L)));
        rejected(new Command.EndConversion(TABLE, 2, List.of()));
        rejected(new Command.EndConversion(7, 0, List.of()));
    }

    @Test
    void aParityIsNotBuiltOnABrickOfAnyMemberAndNoMemberJoinsOnABrickOfAParity() {
        convert();
        rejected(BeginMigration.parity(TABLE, 0, 1, host(3)));
        orderParity(0, 6);
        rejected(BeginMigration.learner(TABLE, 1, 1, host(6)));
        applied(BeginMigration.learner(TABLE, 2, 1, host(6)));
    }

    @Test
    void noParityIsOrderedWhileAMemberJoinsOrLeaves() {
        convert();
        applied(BeginMigration.learner(TABLE, 1, 1, host(7)));
        rejected(BeginMigration.parity(TABLE, 0, 1, host(6)));
    }

    @Test
    void aParityThatHasJoinedEndsTheOrderForALearner() {
        convert();
        MigrationOrder parity = orderParity(0, 6);
        applied(BeginMigration.learner(TABLE, 1, 1, host(7)));
        applied(new Command.CommitMigration(parity.id()));
        assertThat(state.migrations()).isEmpty();
    }

    @Test
    void aBackupThatIsGoneLeavesTheParitiesAndEndsTheOrderForOne() {
        applied(new Command.ConvertToParity(TABLE, new Parity(2, 2), List.of(host(8))));
        build(0, 6);
        MigrationOrder order = orderParity(0, 7);
        applied(members(1, host(2)));
        assertThat(epochs()).containsExactly(2L, 3L, 1L);
        assertThat(state.parities(TABLE, 0).members()).containsExactly(member(6), ParityMembers.MISSING);
        rejected(new Command.CommitMigration(order.id()));
    }

    @Test
    void withAnotherPrimaryAllParitiesOfTheGroupAreMissing() {
        convert();
        build(0, 6);
        build(1, 7);
        applied(members(1, host(3)));
        assertThat(state.parities(TABLE, 0)).isEqualTo(ParityMembers.joining(1));
        assertThat(state.parities(TABLE, 1).members()).containsExactly(member(7));
        assertThat(epochs()).containsExactly(3L, 3L, 2L);
        assertThat(state.places(6)).isZero();
        rejected(end(0));
    }

    @Test
    void severalColumnsOfAGroupChangeInOneCommandByOneEpochEach() {
        convert();
        build(0, 6);
        applied(new Command.ChangeGroups(List.of(
                new Command.GroupChange(TABLE, 0, 2, List.of(host(3))),
                new Command.GroupChange(TABLE, 1, 2, List.of(host(3))),
                new Command.GroupChange(TABLE, 1, 2, List.of(host(2))))));
        assertThat(state.place(TABLE, 0)).isEqualTo(Place.of(List.of(member(3)), 0, 3));
        assertThat(state.place(TABLE, 1)).isEqualTo(Place.of(List.of(member(3)), 0, 3));
    }

    @Test
    void aNextProcessOfAPrimaryIsFollowedByTheBackup() {
        convert();
        build(0, 6);
        applied(new Command.RegisterBrick("b1", 100, "b1:1", 1 << 30, 1));
        assertThat(state.place(TABLE, 0)).isEqualTo(Place.of(List.of(member(3)), 0, 3));
        assertThat(state.parities(TABLE, 0)).isEqualTo(ParityMembers.joining(1));
        assertThat(state.places(1)).isZero();
        assertThat(state.places(3)).isEqualTo(2);
        assertThat(state.places(6)).isZero();
    }

    @Test
    void aNextProcessOfAParityIsNoMemberAndTheGroupGoesOnByACommand() {
        convert();
        build(0, 6);
        applied(new Command.RegisterBrick("b6", 100, "b6:1", 1 << 30, 1));
        assertThat(state.places(6)).as("until the command").isEqualTo(1);
        applied(new Command.ChangeParityGroups(List.of(new Command.ParityGroupChange(
                TABLE, 0, List.of(2L, 2L), List.of(host(1), host(2)), List.of(Host.NONE)))));
        assertThat(state.parities(TABLE, 0)).isEqualTo(ParityMembers.joining(1));
        assertThat(state.place(TABLE, 1)).isEqualTo(Place.of(List.of(member(2), member(3)), 0, 3));
        assertThat(state.places(6)).isZero();
    }

    @Test
    void noParityLeadsAColumnBeforeItIsInForce() {
        convert();
        build(0, 6);
        rejected(new Command.ChangeParityGroups(List.of(new Command.ParityGroupChange(
                TABLE, 0, List.of(2L, 2L), List.of(host(6), host(2)), List.of(host(6))))));
        rejected(new Command.ChangeParityGroups(List.of(new Command.ParityGroupChange(
                TABLE, 0, List.of(2L, 2L), List.of(Host.NONE, host(2)), List.of(Host.NONE)))));
    }

    @Test
    void aPartitionWhoseMembersAreAllReplacedIsLostAndBeginsAgainOnReplicas() {
        convert();
        build(0, 6);
        for (int brick : List.of(1, 3)) {
            replace(brick);
        }
        assertThat(state.place(TABLE, 0)).isEqualTo(Place.lost(3));
        assertThat(state.place(TABLE, 1)).isEqualTo(Place.of(List.of(member(2)), 0, 4));
        rejected(end(0));
        applied(new Command.AcceptLoss(TABLE, List.of(host(8)), true));
        assertThat(state.place(TABLE, 0)).isEqualTo(Place.of(List.of(member(8)), 0, 4));
        assertThat(state.parities(TABLE, 0)).isEqualTo(ParityMembers.joining(1));
    }

    @Test
    void aTableThatConvertsNeitherSplitsNorMergesNorGrows() {
        convert();
        rejected(Begin.split(state, TABLE, 3, 8, 1));
        rejected(Begin.merge(state, TABLE, 3));
        rejected(Begin.move(state, TABLE, 2, host(8)));
        rejected(new Command.AddColumn(TABLE, 3, host(8), List.of()));
        rejected(new Command.AlterParity(TABLE, ONE, new Parity(2, 2)));
    }

    @Test
    void aTableThatSplitsOrHasLostPartitionsOrHasParityIsNotConverted() {
        Command convert = new Command.ConvertToParity(TABLE, ONE, List.of(host(8)));
        rejected(new Command.ConvertToParity(TABLE, new Parity(3, 1), List.of(host(8))));
        rejected(new Command.ConvertToParity(7, ONE, List.of(host(8))));
        Command.BeginMigration split = BeginMigration.split(TABLE, 3, 1, List.of(host(6), host(7)));
        MigrationOrder order = ((Result.MigrationBegun) applied(split)).order();
        rejected(convert);
        applied(Begin.undone(state, order.id()));
        applied(convert);
        rejected(convert);
    }

    @Test
    void numbersWithoutAPartitionBecomeIdleColumns() {
        applied(new Command.CreateTable(
                "range", TableSpec.of(TableKind.RANGE).capacity(100).build(), List.of(host(1))));
        KeySpan upper = KeySpan.ALL.above("k".getBytes(StandardCharsets.US_ASCII));
        KeySpan top = KeySpan.ALL.above("p".getBytes(StandardCharsets.US_ASCII));
        commit(Begin.rangeSplit(state, 2, 0, upper, 2, 1));
        commit(Begin.rangeSplit(state, 2, 1, top, 3, 1));
        commit(Begin.rangeMerge(state, 2, 0, 1, state.span(2, 1)));
        assertThat(state.place(2, 1).none()).isTrue();
        applied(new Command.ConvertToParity(2, ONE, List.of(host(8), host(7))));
        assertThat(state.isIdle(2, 1)).isTrue();
        assertThat(state.place(2, 1).primary()).isEqualTo(member(8));
        assertThat(state.freeNumber(2)).isEqualTo(1);
    }

    private void commit(Command.BeginMigration begin) {
        MigrationOrder order = ((Result.MigrationBegun) applied(begin)).order();
        applied(new Command.CommitMigration(order.id()));
    }

    @Test
    void theTableThatConvertsSurvivesASnapshot() {
        convert();
        build(0, 6);
        ClusterState restored = new ClusterState();
        restored.restore(StateCodec.decodeSnapshot(StateCodec.encode(state.snapshot())));
        assertThat(restored.table(TABLE)).isEqualTo(state.table(TABLE));
        assertThat(restored.parities(TABLE, 0)).isEqualTo(state.parities(TABLE, 0));
        assertThat(restored.places(6)).isEqualTo(1);
    }
}
