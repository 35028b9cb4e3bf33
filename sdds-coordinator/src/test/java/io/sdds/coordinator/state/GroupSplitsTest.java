package io.sdds.coordinator.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.state.Command.GroupChange;
import io.sdds.coordinator.state.Command.Host;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Splits of tables whose partitions are replica groups. */
class GroupSplitsTest {
    private static final Host B1 = new Host(1, 1);
    private static final Host B2 = new Host(2, 1);
    private static final Host B3 = new Host(3, 1);

    private final ClusterState state = new ClusterState();
    private int table;

    @BeforeEach
    void aTableOfOneGroup() {
        register("b1", 1, 0);
        register("b2", 2, 0);
        register("b3", 3, 0);
        Result created = state.apply(new Command.CreateTable(
                "t", TableSpec.of(TableKind.HASH).capacity(100).replicas(2).build(), List.of(B1, B2)));
        table = ((Result.TableCreated) created).table().definition().id();
    }

    private Result register(String id, long nonce, long replaced) {
        return state.apply(new Command.RegisterBrick(id, nonce, id + ":1", 1 << 30, replaced));
    }

    private Command.BeginMigration into(long epoch, Host... members) {
        return Command.BeginMigration.split(table, state.partitionsOrdered(table), epoch, List.of(members));
    }

    private MigrationOrder begin(Host... members) {
        return ((Result.MigrationBegun) state.apply(into(state.place(table, 0).epoch(), members))).order();
    }

    private void rejected(Command command) {
        ClusterSnapshot before = state.snapshot();
        assertThat(state.apply(command)).isInstanceOf(Result.Rejected.class);
        assertThat(state.snapshot()).isEqualTo(before);
    }

    @Test
    void theChildIsAGroupOfTheMembersThatHaveItsHalf() {
        MigrationOrder order = begin(B3, B1);
        assertThat(order.source()).isEqualTo(state.place(table, 0));
        assertThat(order.level()).isZero();
        assertThat(state.apply(new Command.CommitMigration(order.id()))).isInstanceOf(Result.Applied.class);
        Place child = state.place(table, 1);
        assertThat(child.members()).containsExactly(new Member(3, 1), new Member(1, 1));
        assertThat(child.epoch()).isEqualTo(order.target().epoch()).isEqualTo(state.version() - 1);
        assertThat(child.migration()).isEqualTo(order.id());
        assertThat(state.places(1)).isEqualTo(2);
    }

    @Test
    void beginsInTheEpochThatWasMeantAlone() {
        rejected(into(2, B3, B1));
        state.apply(new Command.ChangeGroups(List.of(new GroupChange(table, 0, 1, List.of(B2)))));
        rejected(into(1, B3, B1));
        assertThat(state.apply(into(2, B3, B1))).isInstanceOf(Result.MigrationBegun.class);
    }

    @Test
    void oneChangeOfAGroupAtATime() {
        Result join = state.apply(Command.BeginMigration.learner(table, 0, 1, B3));
        rejected(into(1, B3, B1));
        state.apply(Begin.undone(state, ((Result.MigrationBegun) join).order().id()));
        MigrationOrder order = begin(B3, B1);
        rejected(Command.BeginMigration.learner(table, 0, 1, B3));
        state.apply(new Command.CommitMigration(order.id()));
        assertThat(state.apply(Command.BeginMigration.learner(table, 0, 1, B3)))
                .isInstanceOf(Result.MigrationBegun.class);
    }

    @Test
    void onlyThePrimaryOfTheEpochGivesUp() {
        MigrationOrder order = begin(B3, B1);
        state.apply(new Command.ChangeGroups(List.of(new GroupChange(table, 0, 1, List.of(B2)))));
        rejected(new Command.AbandonMigration(order.id(), 1));
        assertThat(state.apply(new Command.AbandonMigration(order.id(), 2))).isInstanceOf(Result.Applied.class);
        assertThat(state.splits()).isEmpty();
        assertThat(state.partitionsOrdered(table)).isEqualTo(1);
    }

    @Test
    void aSplitOutlivesItsPrimary() {
        MigrationOrder order = begin(B3, B1);
        register("b1", 9, 1);
        assertThat(state.migration(order.id())).isEqualTo(order);
        state.apply(new Command.CommitMigration(order.id()));
        assertThat(state.place(table, 1).members()).containsExactly(new Member(3, 1));
        assertThat(state.place(table, 1).epoch()).isEqualTo(order.target().epoch() + 1);
    }

    @Test
    void aSplitOfALostGroupWaitsForTheWordOfTheChildsLastMember() {
        MigrationOrder order = begin(B3, B1);
        register("b2", 8, 1);
        register("b1", 9, 1);
        assertThat(state.place(table, 0).lost()).isTrue();
        assertThat(state.migration(order.id())).isEqualTo(order);
        rejected(new Command.AcceptLoss(table, List.of(B3)));
        register("b3", 10, 1);
        assertThat(state.splits()).isEmpty();
    }

    @Test
    void aBrickThatMayHaveBecomeAMemberBySplittingIsInAGroup() {
        assertThat(state.isInGroup(3)).isFalse();
        MigrationOrder order = begin(B3, B1);
        assertThat(state.isInGroup(3)).isTrue();
        state.apply(new Command.AbandonMigration(order.id(), 1));
        assertThat(state.isInGroup(3)).isFalse();
    }

    @Test
    void aSnapshotHasSplitsOfGroups() {
        begin(B3, B1);
        ClusterState restored = new ClusterState();
        restored.restore(StateCodec.decodeSnapshot(StateCodec.encode(state.snapshot())));
        assertThat(restored.snapshot()).isEqualTo(state.snapshot());
        assertThat(restored.partitionsOrdered(table)).isEqualTo(2);
    }
}
