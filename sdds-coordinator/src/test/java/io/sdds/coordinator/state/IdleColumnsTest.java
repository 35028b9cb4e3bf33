package io.sdds.coordinator.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.state.Command.AddColumn;
import io.sdds.coordinator.state.Command.BeginMigration;
import io.sdds.coordinator.state.Command.Host;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Idle columns and splits into them in the replicated state (docs/design/parity.md, rules 30 and 31). The table begins
 * with one group: the columns 0 and 1 on the bricks 1 and 2, the parities on the bricks 3 and 4.
 */
class IdleColumnsTest extends AppliedCommands {
    private static final int TABLE = 1;

    @BeforeEach
    void start() {
        registerBricks(8);
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

    private MigrationOrder begun(BeginMigration begin) {
        return ((Result.MigrationBegun) applied(begin)).order();
    }

    private static AddColumn add(int column, int brick, Integer... parities) {
        return new AddColumn(
                TABLE,
                column,
                host(brick),
                Arrays.stream(parities).map(IdleColumnsTest::host).toList());
    }

    /** Adds column 2 on brick 5 with its parities on the bricks 6 and 7, and column 3 on brick 8. */
    private void addGroup() {
        applied(add(2, 5, 6, 7));
        applied(add(3, 8));
    }

    private BeginMigration split(int child) {
        return split(child, state.place(TABLE, child - 2).epoch());
    }

    private BeginMigration split(int child, long parentEpoch) {
        return BeginMigration.columnSplit(
                TABLE,
                child - 2,
                child,
                KeySpan.ALL,
                parentEpoch,
                state.place(TABLE, child).epoch());
    }

    private BeginMigration merge(int child) {
        return BeginMigration.merge(
                TABLE,
                child + 1,
                state.place(TABLE, child).epoch(),
                state.place(TABLE, child - 2).epoch());
    }

    /** Splits partition 0 into column 2. */
    private void grow() {
        applied(new Command.CommitMigration(begun(split(2)).id()));
    }

    /** The next members of a group: the primaries of its columns, and its parities. */
    private Command.ChangeParityGroups change(int group, Host... hosts) {
        return change(TABLE, group, hosts);
    }

    private Command.ChangeParityGroups change(int table, int group, Host... hosts) {
        List<Host> all = Arrays.asList(hosts);
        ParityGroup before = state.parityGroup(table, group);
        int columns = before.columns().size();
        return new Command.ChangeParityGroups(List.of(new Command.ParityGroupChange(
                table, group, before.epochs(), all.subList(0, columns), all.subList(columns, all.size()))));
    }

    /** Column 0 is led by the first parity. */
    private void degradeTheParent() {
        applied(change(0, host(3), host(2), host(3), host(4)));
    }

    /** Column 0 is lost. */
    private void loseTheParent() {
        replace(1);
        replace(3);
        replace(4);
        applied(change(0, Host.NONE, host(2), Host.NONE, Host.NONE));
    }

    private List<Integer> places() {
        return IntStream.rangeClosed(1, 8).map(state::places).boxed().toList();
    }

    private int partitions() {
        return state.table(TABLE).partitions();
    }

    @Test
    void anIdleColumnHasAPlaceAndTheFirstOfAGroupBringsItsParities() {
        applied(add(2, 5, 6, 7));
        assertThat(partitions()).isEqualTo(2);
        assertThat(state.columns(TABLE)).isEqualTo(3);
        assertThat(state.groups(TABLE)).isEqualTo(2);
        assertThat(state.exists(TABLE, 2)).isFalse();
        assertThat(state.isIdle(TABLE, 2)).isTrue();
        assertThat(state.place(TABLE, 2)).isEqualTo(new Place(5, 1, 0));
        assertThat(state.parities(TABLE, 1).members()).containsExactly(new Member(6, 1), new Member(7, 1));
        assertThat(places()).containsExactly(1, 1, 1, 1, 1, 1, 1, 0);
        assertThat(state.block(TABLE, 0).places()).hasSize(3);
        assertThat(state.block(TABLE, 0).forClients(2).places()).hasSize(2);
        applied(new Command.DropTable(TABLE));
        assertThat(places()).containsOnly(0);
    }

    @Test
    void refusesAColumnThatDoesNotFit() {
        rejected(add(3, 5, 6, 7)); // column 2 is the next one
        rejected(add(2, 5)); // a group begins with its parities
        rejected(add(2, 5, 6)); // with all of them
        rejected(add(2, 5, 5, 6)); // on different bricks
        rejected(add(1, 5));
        applied(add(2, 5, 6, 7));
        rejected(add(2, 5, 6, 7));
        rejected(add(3, 6)); // a parity of the group is there
        rejected(add(3, 8, 1, 2)); // the group has its parities
        rejected(new AddColumn(TABLE, 3, new Host(8, 2), List.of()));
        applied(change(1, host(5), host(6), Host.NONE));
        rejected(add(3, 8)); // the group lacks a parity
        rejected(new AddColumn(9, 0, host(8), List.of()));
    }

    @Test
    void refusesAColumnForATableWithoutParity() {
        applied(new Command.CreateTable(
                "u", TableSpec.of(TableKind.HASH).capacity(100).build(), List.of(new Command.Host(1, 1))));
        rejected(new AddColumn(2, 1, host(5), List.of()));
    }

    @Test
    void aSplitGivesTheIdleColumnKeysAndLeavesItsPlace() {
        rejected(BeginMigration.columnSplit(TABLE, 0, 2, KeySpan.ALL, 1, 1)); // there is no column 2 yet
        addGroup();
        rejected(BeginMigration.split(TABLE, 2, 1, List.of(host(5)))); // the column has its own process
        rejected(split(2, 2));
        rejected(split(3));
        MigrationOrder order = begun(split(2));
        assertThat(order.target()).isEqualTo(new Place(5, 1, 0));
        assertThat(order.receiverLevel()).isEqualTo(2);
        MigrationOrder second = begun(split(3));
        rejected(new Command.CommitMigration(second.id()));
        long version = state.version();
        applied(new Command.CommitMigration(order.id()));
        assertThat(partitions()).isEqualTo(3);
        assertThat(state.columns(TABLE)).isEqualTo(4);
        assertThat(state.place(TABLE, 2)).isEqualTo(new Place(5, 1, 0));
        assertThat(state.block(TABLE, 0).version())
                .as("clients see another block")
                .isGreaterThan(version);
        applied(new Command.CommitMigration(second.id()));
        assertThat(partitions()).isEqualTo(4);
        assertThat(places()).containsExactly(1, 1, 1, 1, 1, 1, 1, 1);
    }

    @Test
    void aSplitWaitsForBothGroups() {
        addGroup();
        applied(change(0, host(1), host(2), host(3), Host.NONE));
        rejected(split(2));
        applied(new Command.CommitMigration(
                begun(BeginMigration.parity(TABLE, 0, 2, host(8))).id()));
        applied(change(1, host(5), host(8), Host.NONE, host(7)));
        rejected(split(2));
    }

    @Test
    void aMergeLeavesTheChildAsAnIdleColumn() {
        addGroup();
        grow();
        rejected(merge(3)); // column 3 is idle
        MigrationOrder order = begun(merge(2));
        assertThat(order.target()).isEqualTo(state.place(TABLE, 0));
        rejected(split(3));
        applied(new Command.CommitMigration(order.id()));
        assertThat(partitions()).isEqualTo(2);
        assertThat(state.columns(TABLE)).isEqualTo(4);
        assertThat(state.place(TABLE, 2)).isEqualTo(new Place(5, 1, 0));
        assertThat(places()).containsExactly(1, 1, 1, 1, 1, 1, 1, 1);
        grow();
    }

    @Test
    void aSplitCommitsIntoTheColumnAsItIsThen() {
        addGroup();
        MigrationOrder order = begun(split(2));
        applied(change(1, host(6), host(8), host(6), host(7)));
        assertThat(state.migrations()).as("the sender decides").containsExactly(order);
        applied(new Command.CommitMigration(order.id()));
        assertThat(partitions()).isEqualTo(3);
        assertThat(state.place(TABLE, 2)).isEqualTo(new Place(6, 1, 0, 2, List.of()));
        MigrationOrder recovery = begun(BeginMigration.recovery(TABLE, 2, 2, host(1)));
        assertThat(recovery.level()).isEqualTo(2);
    }

    @Test
    void anIdleColumnIsRecoveredWithTheLevelThatASplitWillGiveIt() {
        addGroup();
        applied(change(1, host(6), host(6), host(6), host(7)));
        assertThat(begun(BeginMigration.recovery(TABLE, 3, 2, host(1))).level()).isEqualTo(2);
    }

    @Test
    void aSenderIsRecoveredAfterItsLeadHasDecided() {
        addGroup();
        MigrationOrder order = begun(split(2));
        degradeTheParent();
        assertThat(state.migrations()).containsExactly(order);
        rejected(BeginMigration.recovery(TABLE, 0, 2, host(5)));
        rejected(new Command.AbandonMigration(order.id(), 1)); // by the process that is gone
        applied(new Command.AbandonMigration(order.id(), 2));
        begun(BeginMigration.recovery(TABLE, 0, 2, host(5)));
    }

    @Test
    void theLeadOfASenderMayHaveHandedOver() {
        addGroup();
        MigrationOrder order = begun(split(2));
        degradeTheParent();
        applied(new Command.CommitMigration(order.id()));
        assertThat(partitions()).isEqualTo(3);
        assertThat(begun(BeginMigration.recovery(TABLE, 0, 2, host(5))).level()).isEqualTo(2);
    }

    @Test
    void aSplitOfALostSenderWaitsForItsTarget() {
        addGroup();
        MigrationOrder order = begun(split(2));
        MigrationOrder second = begun(split(3));
        loseTheParent();
        assertThat(state.migrations()).containsExactly(order, second);
        rejected(new Command.AcceptLoss(TABLE, List.of(host(2)), true));
        applied(Begin.undone(state, order.id()));
        assertThat(state.migrations()).isEmpty();
        applied(new Command.AcceptLoss(TABLE, List.of(host(2)), true));
    }

    @Test
    void aSplitOfALostSenderAndALostTargetIsVoid() {
        addGroup();
        begun(split(2));
        loseTheParent();
        replace(5);
        assertThat(state.migrations()).isEmpty();
    }

    @Test
    void aProcessThatFollowsTheTargetCannotTellTheEndOfTheSplit() {
        addGroup();
        begun(split(2));
        applied(change(1, host(6), host(8), host(6), host(7)));
        loseTheParent();
        assertThat(state.migrations()).isEmpty();
    }

    @Test
    void aMergeOfALostChildWaitsForItsParent() {
        addGroup();
        grow();
        MigrationOrder order = begun(merge(2));
        replace(5);
        replace(6);
        replace(7);
        applied(change(1, Host.NONE, host(8), Host.NONE, Host.NONE));
        degradeTheParent();
        assertThat(state.migrations()).containsExactly(order);
        applied(new Command.CommitMigration(order.id()));
        assertThat(partitions()).isEqualTo(2);
        assertThat(state.place(TABLE, 2).lost()).isTrue();
        applied(new Command.AcceptLoss(TABLE, List.of(host(1)), true));
        assertThat(state.place(TABLE, 2)).isEqualTo(new Place(1, 1, 0, 2, List.of()));
        assertThat(state.parities(TABLE, 1)).isEqualTo(ParityMembers.missing(2));
    }

    /** Column 3 is in no sum, so the parity that is left decodes column 2 without it. */
    @Test
    void aColumnThatNeverHadARecordIsNeitherDecodedNorLost() {
        addGroup();
        grow();
        replace(5);
        replace(6);
        replace(8);
        assertThat(state.unusedSince(TABLE, 2)).isZero();
        assertThat(state.unusedSince(TABLE, 3)).isPositive();
        rejected(change(1, Host.NONE, host(7), Host.NONE, host(7)));
        rejected(change(1, host(7), Host.NONE, Host.NONE, host(7)));
        rejected(change(1, host(7), host(1), Host.NONE, host(7))); // the parity that is left can lead it
        applied(change(1, host(7), host(7), Host.NONE, host(7)));
        begun(BeginMigration.recovery(TABLE, 3, 2, host(1)));
        assertThat(state.unusedSince(TABLE, 3)).isPositive();
    }

    @Test
    void aColumnThatNeverHadARecordBeginsAgainWithoutItsParities() {
        applied(add(2, 5, 6, 7));
        long since = state.unusedSince(TABLE, 2);
        rejected(change(1, host(1), host(6), host(7))); // the parities may lead it
        rejected(change(1, new Host(1, 2), Host.NONE, Host.NONE)); // no process of that brick
        applied(change(1, host(1), Host.NONE, Host.NONE));
        assertThat(state.place(TABLE, 2)).isEqualTo(new Place(1, 1, 0, 2, List.of()));
        assertThat(state.unusedSince(TABLE, 2)).isGreaterThan(since);
        assertThat(state.parities(TABLE, 1)).isEqualTo(ParityMembers.missing(2));
        assertThat(places()).containsExactly(2, 1, 1, 1, 0, 0, 0, 0);
    }

    @Test
    void aColumnThatHadRecordsAndIsIdleBeginsAgainWhenItIsLostByProof() {
        addGroup();
        grow();
        applied(new Command.CommitMigration(begun(merge(2)).id()));
        rejected(change(1, host(1), host(8), Host.NONE, Host.NONE)); // it has its process
        replace(5);
        replace(6);
        rejected(change(1, host(1), host(8), Host.NONE, Host.NONE)); // a parity can decode it
        replace(7);
        applied(change(1, host(1), host(8), Host.NONE, Host.NONE));
        assertThat(state.place(TABLE, 2)).isEqualTo(new Place(1, 1, 0, 2, List.of()));
        assertThat(state.place(TABLE, 3)).isEqualTo(new Place(8, 1, 0, 2, List.of()));
        assertThat(state.unusedSince(TABLE, 2)).isPositive();
    }

    /** A process that joins as a parity has to begin again, too, though no parity has left. */
    @Test
    void allEpochsOfAGroupRiseWhenAnIdleColumnBeginsAgain() {
        addGroup();
        applied(change(1, host(5), host(8), Host.NONE, Host.NONE));
        MigrationOrder joins = begun(BeginMigration.parity(TABLE, 2, 2, host(6)));
        applied(change(1, host(5), host(1), Host.NONE, Host.NONE));
        assertThat(state.place(TABLE, 2).epoch()).isEqualTo(3);
        assertThat(state.place(TABLE, 3)).isEqualTo(new Place(1, 1, 0, 3, List.of()));
        assertThat(state.migrations()).doesNotContain(joins);
    }

    @Test
    void aColumnThatAnOrderNamesOrThatHasKeysDoesNotBeginAgain() {
        addGroup();
        MigrationOrder order = begun(split(2));
        replace(5);
        replace(6);
        replace(7);
        rejected(change(1, host(1), host(8), Host.NONE, Host.NONE));
        applied(change(1, Host.NONE, host(8), Host.NONE, Host.NONE));
        rejected(change(1, host(1), host(8), Host.NONE, Host.NONE));
        applied(Begin.undone(state, order.id()));
        applied(change(1, host(1), host(8), Host.NONE, Host.NONE));
        assertThat(state.place(TABLE, 2)).isEqualTo(new Place(1, 1, 0, 2, List.of()));
    }

    @Test
    void aPartitionDoesNotBeginAgain() {
        addGroup();
        grow();
        replace(5);
        replace(6);
        replace(7);
        rejected(change(1, host(1), host(8), Host.NONE, Host.NONE));
        applied(change(1, Host.NONE, host(8), Host.NONE, Host.NONE));
        rejected(change(1, host(1), host(8), Host.NONE, Host.NONE));
    }

    @Test
    void aSnapshotHasTheIdleColumns() {
        addGroup();
        begun(split(2));
        ClusterState restored = new ClusterState();
        restored.restore(StateCodec.decodeSnapshot(StateCodec.encode(state.snapshot())));
        assertThat(restored.snapshot()).isEqualTo(state.snapshot());
        assertThat(restored.columns(TABLE)).isEqualTo(4);
        assertThat(restored.unusedSince(TABLE, 2)).isZero();
        assertThat(restored.unusedSince(TABLE, 3)).isEqualTo(state.unusedSince(TABLE, 3));
        List<Integer> counts = new ArrayList<>();
        IntStream.rangeClosed(1, 8).map(restored::places).forEach(counts::add);
        assertThat(counts).isEqualTo(places());
    }

    /** Column 512 is the first one of the next block. */
    @Test
    void anIdleColumnMayBeginABlock() {
        List<Host> columns =
                IntStream.range(0, 512).mapToObj(a -> host(1 + a % 2)).toList();
        List<Host> parities =
                IntStream.range(0, 512).mapToObj(p -> host(3 + p % 2)).toList();
        applied(new Command.CreateTable(
                "u",
                TableSpec.of(TableKind.HASH)
                        .capacity(100)
                        .firstPartitions(columns.size())
                        .parity(new Parity(2, 2))
                        .build(),
                columns,
                parities));
        applied(new AddColumn(2, 512, host(5), List.of(host(6), host(7))));
        assertThat(state.block(2, 1).places()).hasSize(1);
        assertThat(state.parities(2, 256).members()).containsExactly(new Member(6, 1), new Member(7, 1));
        assertThat(state.block(2, 1).forClients(512).places()).isEmpty();
        applied(new Command.CommitMigration(
                begun(BeginMigration.columnSplit(2, 0, 512, KeySpan.ALL, 1, 1)).id()));
        assertThat(state.block(2, 1).forClients(513).places()).hasSize(1);
        applied(new Command.CommitMigration(
                begun(BeginMigration.merge(2, 513, 1, 1)).id()));
        assertThat(state.table(2).partitions()).isEqualTo(512);
    }

    // ---- range tables

    /** Creates a range table: column 0 on brick 1, the parities of its group on the bricks 3 and 4. */
    private static Command.CreateTable rangeTable() {
        return new Command.CreateTable(
                "r",
                TableSpec.of(TableKind.RANGE)
                        .capacity(100)
                        .parity(new Parity(2, 2))
                        .build(),
                List.of(host(1)),
                List.of(host(3), host(4)));
    }

    private static KeySpan above(char key) {
        return KeySpan.ALL.above(new byte[] {(byte) key});
    }

    @Test
    void anIdleColumnOfARangeTableHasAnEmptySpan() {
        applied(rangeTable());
        applied(new AddColumn(2, 1, host(2), List.of()));
        applied(new AddColumn(2, 2, host(5), List.of(host(6), host(7))));
        assertThat(state.table(2).partitions()).as("a number above all").isEqualTo(3);
        assertThat(state.block(2, 0).spans()).containsExactly(KeySpan.ALL, KeySpan.EMPTY, KeySpan.EMPTY);
        assertThat(state.isIdle(2, 1)).isTrue();
        assertThat(state.exists(2, 1)).isFalse();
        assertThat(state.freeNumber(2)).isEqualTo(1);
        assertThat(state.block(2, 0).forClients(3).places())
                .extracting(Place::none)
                .containsExactly(false, true, true);
        applied(change(2, 0, host(3), host(3), host(3), host(4)));
        assertThat(begun(BeginMigration.recovery(2, 1, 2, host(8))).span()).isEqualTo(KeySpan.EMPTY);
    }

    @Test
    void partitionsOfARangeTableSplitIntoIdleColumnsAndMergeAsTheyLike() {
        applied(rangeTable());
        rejected(BeginMigration.columnSplit(2, 0, 1, above('m'), 1, 1)); // there is no column 1 yet
        applied(new AddColumn(2, 1, host(2), List.of()));
        applied(new AddColumn(2, 2, host(5), List.of(host(6), host(7))));
        rejected(BeginMigration.columnSplit(2, 0, 2, above('m'), 1, 1)); // column 1 comes first
        applied(new Command.CommitMigration(
                begun(BeginMigration.columnSplit(2, 0, 1, above('m'), 1, 1)).id()));
        assertThat(state.span(2, 1)).isEqualTo(above('m'));
        assertThat(state.place(2, 1)).isEqualTo(new Place(2, 1, 0));
        MigrationOrder order = begun(BeginMigration.columnSplit(2, 1, 2, above('t'), 1, 1));
        rejected(new AddColumn(2, 3, host(6), List.of())); // a parity of the group is there
        applied(Begin.undone(state, order.id()));
        assertThat(state.isIdle(2, 2)).isTrue();
        MigrationOrder merge = begun(BeginMigration.rangeMerge(2, 1, 0, above('m'), 1, 1));
        assertThat(merge.target()).isEqualTo(state.place(2, 0));
        applied(new Command.CommitMigration(merge.id()));
        assertThat(state.span(2, 0)).isEqualTo(KeySpan.ALL);
        assertThat(state.span(2, 1)).isEqualTo(KeySpan.EMPTY);
        assertThat(state.place(2, 1)).isEqualTo(new Place(2, 1, 0));
        assertThat(state.columns(2)).isEqualTo(3);
        assertThat(state.freeNumber(2)).as("the column is used again").isEqualTo(1);
        applied(new Command.DropTable(2));
        applied(new Command.DropTable(TABLE));
        assertThat(places()).containsOnly(0);
    }
}
