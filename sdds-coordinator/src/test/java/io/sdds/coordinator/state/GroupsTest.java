package io.sdds.coordinator.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.state.Command.GroupChange;
import io.sdds.coordinator.state.Command.Host;
import io.sdds.core.model.LeaveOrder;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Members and epochs of replica groups. */
class GroupsTest {
    private static final Host B1 = new Host(1, 1);
    private static final Host B2 = new Host(2, 1);
    private static final Host B3 = new Host(3, 1);

    private final ClusterState state = new ClusterState();
    private int table;

    @BeforeEach
    void aTableOfTwoGroups() {
        register("b1", 1, 0);
        register("b2", 2, 0);
        register("b3", 3, 0);
        Result created = state.apply(new Command.CreateTable(
                "t",
                TableSpec.of(TableKind.HASH)
                        .capacity(100)
                        .replicas(2)
                        .firstPartitions(2)
                        .build(),
                List.of(B1, B2, B2, B3)));
        table = ((Result.TableCreated) created).table().definition().id();
    }

    private Result register(String id, long nonce, long replaced) {
        return state.apply(new Command.RegisterBrick(id, nonce, id + ":1", 1 << 30, replaced));
    }

    private static Member member(int brick, long incarnation) {
        return new Member(brick, incarnation);
    }

    private MigrationOrder join(int partition, long epoch, Host joiner) {
        return ((Result.MigrationBegun) state.apply(Command.BeginMigration.learner(table, partition, epoch, joiner)))
                .order();
    }

    @Test
    void beginsWithTheMembersNamedForEachPartition() {
        assertThat(state.place(table, 0).members()).containsExactly(member(1, 1), member(2, 1));
        assertThat(state.place(table, 1).members()).containsExactly(member(2, 1), member(3, 1));
        assertThat(state.place(table, 0).epoch()).isEqualTo(Place.FIRST_EPOCH);
        assertThat(state.places(2)).isEqualTo(2);
    }

    @Test
    void refusesHostsThatMakeNoGroups() {
        assertThat(state.apply(new Command.CreateTable(
                        "u",
                        TableSpec.of(TableKind.HASH).capacity(100).replicas(2).build(),
                        List.of(B1, B2, B3))))
                .isInstanceOf(Result.Rejected.class);
        assertThat(state.apply(new Command.CreateTable(
                        "u",
                        TableSpec.of(TableKind.HASH)
                                .capacity(100)
                                .replicas(2)
                                .minCopies(3)
                                .build(),
                        List.of(B1, B2))))
                .isInstanceOf(Result.Rejected.class);
    }

    @Test
    void aNewProcessOfAMemberIsNoMemberAndTheOthersGoOnInTheNextEpoch() {
        register("b1", 9, 1);
        assertThat(state.place(table, 0).members()).containsExactly(member(2, 1));
        assertThat(state.place(table, 0).epoch()).isEqualTo(2);
        assertThat(state.lostPartitions(table)).isZero();
        register("b2", 10, 1);
        assertThat(state.place(table, 0).lost()).isTrue();
        assertThat(state.place(table, 1).members()).containsExactly(member(3, 1));
    }

    @Test
    void changesAGroupOnceFromTheEpochThatWasMeant() {
        Command change = new Command.ChangeGroups(List.of(new GroupChange(table, 0, 1, List.of(B2))));
        assertThat(state.apply(change)).isInstanceOf(Result.Applied.class);
        assertThat(state.place(table, 0).members()).containsExactly(member(2, 1));
        assertThat(state.places(1)).isZero();
        long version = state.version();
        assertThat(state.apply(change)).isInstanceOf(Result.Rejected.class);
        assertThat(state.version()).isEqualTo(version);
    }

    @Test
    void neverRemovesTheLastMemberNorTakesInAStranger() {
        assertThat(state.apply(new Command.ChangeGroups(List.of(new GroupChange(table, 0, 1, List.of())))))
                .isInstanceOf(Result.Rejected.class);
        assertThat(state.apply(new Command.ChangeGroups(List.of(new GroupChange(table, 0, 1, List.of(B3))))))
                .isInstanceOf(Result.Rejected.class);
    }

    @Test
    void aJoinerIsAMemberFromTheNextEpochOn() {
        MigrationOrder order = join(0, 1, B3);
        assertThat(state.place(table, 0).epoch()).isEqualTo(1);
        state.apply(new Command.CommitMigration(order.id()));
        assertThat(state.place(table, 0).members()).containsExactly(member(1, 1), member(2, 1), member(3, 1));
        assertThat(state.place(table, 0).epoch()).isEqualTo(2);
        assertThat(state.place(table, 0).migration()).isEqualTo(order.id());
        assertThat(state.learners()).isEmpty();
        assertThat(state.places(3)).isEqualTo(2);
    }

    @Test
    void aJoinIsVoidInAnyEpochButItsOwn() {
        MigrationOrder order = join(0, 1, B3);
        state.apply(new Command.ChangeGroups(List.of(new GroupChange(table, 0, 1, List.of(B1)))));
        assertThat(state.learners()).isEmpty();
        assertThat(state.apply(new Command.CommitMigration(order.id()))).isInstanceOf(Result.Rejected.class);
        assertThat(state.apply(Command.BeginMigration.learner(table, 0, 1, B3))).isInstanceOf(Result.Rejected.class);
    }

    @Test
    void aJoinEndsWithItsJoinersProcessItsTableAndByItself() {
        join(0, 1, B3);
        register("b3", 9, 1);
        assertThat(state.learners()).isEmpty();
        MigrationOrder order = join(0, 1, new Host(3, 2));
        assertThat(state.apply(Command.BeginMigration.learner(table, 0, 1, new Host(3, 2))))
                .as("one change of a group at a time")
                .isInstanceOf(Result.Rejected.class);
        state.apply(Begin.undone(state, order.id()));
        assertThat(state.learners()).isEmpty();
        join(0, 1, new Host(3, 2));
        state.apply(new Command.DropTable(table));
        assertThat(state.learners()).isEmpty();
    }

    private Result leave(int partition, long epoch, Host leaver) {
        return state.apply(new Command.BeginLeave(table, partition, epoch, leaver, false));
    }

    /** Lets a member join, so that in epoch 2 the first group has one member more than its table asks for. */
    private void joined() {
        state.apply(new Command.CommitMigration(join(0, 1, B3).id()));
    }

    @Test
    void aMemberLeavesOnlyWhereOthersAreAsManyAsTheTableAsksFor() {
        assertThat(leave(0, 1, B1)).isInstanceOf(Result.Rejected.class);
        joined();
        assertThat(leave(0, 1, B1)).as("of an epoch before").isInstanceOf(Result.Rejected.class);
        assertThat(leave(0, 2, new Host(1, 2))).as("no member").isInstanceOf(Result.Rejected.class);
        assertThat(leave(0, 2, B1)).isInstanceOf(Result.Applied.class);
        assertThat(state.leaves()).containsExactly(new LeaveOrder(table, 0, 2, member(1, 1)));
        assertThat(state.place(table, 0).members()).as("until it has given up").hasSize(3);
        assertThat(leave(0, 2, B2)).as("one at a time").isInstanceOf(Result.Rejected.class);
    }

    @Test
    void onlyAMemberThatIsMissedLeavesWhileAnotherJoinsAndTheJoinEnds() {
        MigrationOrder order = join(0, 1, B3);
        assertThat(leave(0, 1, B1)).as("not missed").isInstanceOf(Result.Rejected.class);
        assertThat(state.apply(new Command.BeginLeave(table, 0, 1, B2, true))).isInstanceOf(Result.Applied.class);
        assertThat(state.learners()).isEmpty();
        assertThat(state.apply(new Command.CommitMigration(order.id()))).isInstanceOf(Result.Rejected.class);
        assertThat(state.place(table, 0).members()).containsExactly(member(1, 1), member(2, 1));
    }

    @Test
    void aMemberThatIsMissedLeavesWhereAnyOtherStays() {
        assertThat(state.apply(new Command.BeginLeave(table, 0, 1, B2, true))).isInstanceOf(Result.Applied.class);
        assertThat(state.apply(new Command.ChangeGroups(List.of(new GroupChange(table, 0, 1, List.of(B1))))))
                .isInstanceOf(Result.Applied.class);
        assertThat(state.place(table, 0).members()).containsExactly(member(1, 1));
        assertThat(state.apply(new Command.BeginLeave(table, 0, 2, B1, true)))
                .as("the last one")
                .isInstanceOf(Result.Rejected.class);
    }

    @Test
    void nobodyComesToAGroupWhileOneGoes() {
        joined();
        leave(0, 2, B1);
        register("b4", 4, 0);
        assertThat(state.apply(Command.BeginMigration.learner(table, 0, 2, new Host(4, 1))))
                .isInstanceOf(Result.Rejected.class);
    }

    @Test
    void aLeaveIsVoidInAnyEpochButItsOwn() {
        joined();
        leave(0, 2, B1);
        state.apply(new Command.ChangeGroups(List.of(new GroupChange(table, 0, 2, List.of(B1, B3)))));
        assertThat(state.leaves()).isEmpty();
        assertThat(state.place(table, 0).members()).contains(member(1, 1));
    }

    @Test
    void oneThatIsToLeaveMayBeTheOneThatGoesOn() {
        joined();
        leave(0, 2, B1);
        assertThat(state.apply(new Command.ChangeGroups(List.of(new GroupChange(table, 0, 2, List.of(B1))))))
                .isInstanceOf(Result.Applied.class);
        assertThat(state.place(table, 0).members()).containsExactly(member(1, 1));
        assertThat(state.leaves()).isEmpty();
    }

    @Test
    void whoKnowsTheMapThatBroughtAnOrderToLeaveKnowsTheOrder() {
        joined();
        long before = state.version();
        leave(0, 2, B1);
        assertThat(state.leaveSince(table, 0)).isGreaterThan(before).isLessThanOrEqualTo(state.version());
        ClusterState restored = new ClusterState();
        restored.restore(state.snapshot());
        assertThat(restored.leaveSince(table, 0)).isGreaterThan(before);
    }

    @Test
    void aDrainIsOfOneProcessAndNobodyJoinsThere() {
        state.apply(new Command.DrainBrick(3, 1, true));
        assertThat(state.drains(3)).isTrue();
        assertThat(state.apply(Command.BeginMigration.learner(table, 0, 1, B3))).isInstanceOf(Result.Rejected.class);
        register("b3", 3, 0); // the same process says again that it is here
        assertThat(state.drains(3)).isTrue();
        register("b3", 9, 1);
        assertThat(state.drains(3)).isFalse();
        assertThat(state.apply(new Command.DrainBrick(3, 1, true))).isInstanceOf(Result.Rejected.class);
        assertThat(state.drains(3)).isFalse();
    }

    @Test
    void aSnapshotHasGroupsJoinsLeavesAndDrains() {
        joined();
        leave(0, 2, B1);
        join(1, 1, B1);
        state.apply(new Command.DrainBrick(3, 1, true));
        ClusterState restored = new ClusterState();
        restored.restore(StateCodec.decodeSnapshot(StateCodec.encode(state.snapshot())));
        assertThat(restored.snapshot()).isEqualTo(state.snapshot());
        assertThat(restored.leaves()).hasSize(1);
        assertThat(restored.drains(3)).isTrue();
        assertThat(restored.places(2)).isEqualTo(2);
    }

    @Test
    void whatIsAcceptedAsLostBeginsAgainWithAsManyMembersInALaterEpoch() {
        register("b1", 9, 1);
        register("b2", 10, 1);
        state.apply(new Command.AcceptLoss(table, List.of(B3, new Host(1, 2))));
        assertThat(state.place(table, 0).members()).containsExactly(member(3, 1), member(1, 2));
        assertThat(state.place(table, 0).epoch()).isGreaterThan(1);
    }
}
