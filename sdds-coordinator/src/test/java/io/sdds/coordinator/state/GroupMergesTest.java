package io.sdds.coordinator.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.state.Command.GroupChange;
import io.sdds.coordinator.state.Command.Host;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Merges of tables whose partitions are replica groups. */
class GroupMergesTest {
    private static final Host B1 = new Host(1, 1);
    private static final Host B2 = new Host(2, 1);
    private static final Host B3 = new Host(3, 1);
    private static final Host B4 = new Host(4, 1);
    private static final int PARENT = 0;
    private static final int CHILD = 1;

    private final ClusterState state = new ClusterState();
    private int table;

    @BeforeEach
    void aTableOfTwoGroups() {
        register("b1", 1, 0);
        register("b2", 2, 0);
        register("b3", 3, 0);
        register("b4", 4, 0);
        Result created = state.apply(new Command.CreateTable(
                "t",
                TableSpec.of(TableKind.HASH)
                        .capacity(100)
                        .replicas(2)
                        .firstPartitions(2)
                        .build(),
                List.of(B1, B2, B3, B4)));
        table = ((Result.TableCreated) created).table().definition().id();
    }

    private Result register(String id, long nonce, long replaced) {
        return state.apply(new Command.RegisterBrick(id, nonce, id + ":1", 1 << 30, replaced));
    }

    private MigrationOrder begin() {
        Result begun = state.apply(
                Command.BeginMigration.merge(table, state.partitionsOrdered(table), epoch(CHILD), epoch(PARENT)));
        return ((Result.MigrationBegun) begun).order();
    }

    private long epoch(int partition) {
        return state.place(table, partition).epoch();
    }

    private void change(int partition, Host left) {
        assertThat(state.apply(new Command.ChangeGroups(
                        List.of(new GroupChange(table, partition, epoch(partition), List.of(left))))))
                .isInstanceOf(Result.Applied.class);
    }

    private void applied(Command command) {
        assertThat(state.apply(command)).isInstanceOf(Result.Applied.class);
    }

    private void rejected(Command command) {
        ClusterSnapshot before = state.snapshot();
        assertThat(state.apply(command)).isInstanceOf(Result.Rejected.class);
        assertThat(state.snapshot()).isEqualTo(before);
    }

    private void loseTheChild() {
        register("b3", 13, 1);
        register("b4", 14, 1);
        assertThat(state.place(table, CHILD).lost()).isTrue();
    }

    private void loseTheParent() {
        register("b1", 11, 1);
        register("b2", 12, 1);
        assertThat(state.place(table, PARENT).lost()).isTrue();
    }

    /** Seed 874558533051 of QUORUM_GROUPS, whose table is a range table. */
    @Test
    void anOrderToLeaveTheChildGoesWithTheChild() {
        MigrationOrder order = begin();
        applied(new Command.BeginLeave(table, CHILD, epoch(CHILD), B4, true));
        assertThat(state.leave(table, CHILD)).isNotNull();
        applied(new Command.CommitMigration(order.id()));
        assertThat(state.leave(table, CHILD)).isNull();
        assertThat(state.snapshot().leaves()).isEmpty();
    }

    @Test
    void theLastGroupGoesBackIntoTheOneItCameFrom() {
        MigrationOrder order = begin();
        assertThat(order.source()).isEqualTo(state.place(table, CHILD));
        assertThat(order.target()).isEqualTo(state.place(table, PARENT));
        assertThat(order.isMerge()).isTrue();
        assertThat(order.level()).isZero();
        applied(new Command.CommitMigration(order.id()));
        assertThat(state.table(table).partitions()).isEqualTo(1);
        assertThat(List.of(state.places(1), state.places(2), state.places(3), state.places(4)))
                .containsExactly(1, 1, 0, 0);
    }

    @Test
    void beginsInTheEpochsThatWereMeantAlone() {
        change(CHILD, B3);
        rejected(Command.BeginMigration.merge(table, 2, 1, 1));
        change(PARENT, B2);
        rejected(Command.BeginMigration.merge(table, 2, 2, 1));
        rejected(Command.BeginMigration.merge(table, 3, 2, 2));
        assertThat(state.apply(Command.BeginMigration.merge(table, 2, 2, 2))).isInstanceOf(Result.MigrationBegun.class);
    }

    @Test
    void oneChangeOfAGroupAtATime() {
        for (int partition : List.of(PARENT, CHILD)) {
            Host joiner = partition == PARENT ? B3 : B1;
            Result join = state.apply(Command.BeginMigration.learner(table, partition, 1, joiner));
            rejected(Command.BeginMigration.merge(table, 2, 1, 1));
            applied(Begin.undone(state, ((Result.MigrationBegun) join).order().id()));
        }
        MigrationOrder order = begin();
        rejected(Command.BeginMigration.learner(table, PARENT, 1, B3));
        rejected(Command.BeginMigration.learner(table, CHILD, 1, B1));
        rejected(Command.BeginMigration.split(table, 2, 1, List.of(B3, B4)));
        applied(new Command.CommitMigration(order.id()));
        assertThat(state.apply(Command.BeginMigration.learner(table, PARENT, 1, B3)))
                .isInstanceOf(Result.MigrationBegun.class);
    }

    @Test
    void onlyTheChildsPrimaryOfTheEpochGivesUp() {
        MigrationOrder order = begin();
        change(PARENT, B2);
        change(CHILD, B4);
        rejected(new Command.AbandonMigration(order.id(), 1));
        applied(new Command.AbandonMigration(order.id(), 2));
        assertThat(state.splits()).isEmpty();
        assertThat(state.table(table).partitions()).isEqualTo(2);
    }

    @Test
    void ofALostChildTheParentsPrimaryOfTheEpochHasTheWord() {
        MigrationOrder order = begin();
        change(PARENT, B2);
        loseTheChild();
        assertThat(state.migration(order.id())).isEqualTo(order);
        rejected(new Command.AcceptLoss(table, List.of(B1)));
        rejected(new Command.AbandonMigration(order.id(), 1));
        applied(new Command.AbandonMigration(order.id(), 2));
        assertThat(state.place(table, CHILD).lost()).isTrue();
        applied(new Command.AcceptLoss(table, List.of(B1)));
    }

    @Test
    void ofALostParentTheChildHasTheWordAndWithBothLostTheOrderIsVoid() {
        MigrationOrder order = begin();
        loseTheParent();
        assertThat(state.migration(order.id())).isEqualTo(order);
        rejected(new Command.AcceptLoss(table, List.of(B3)));
        loseTheChild();
        assertThat(state.splits()).isEmpty();
        assertThat(state.lostPartitions(table)).isEqualTo(2);
    }

    @Test
    void theParentMayHaveTakenThoughTheChildIsLost() {
        MigrationOrder order = begin();
        loseTheChild();
        applied(new Command.CommitMigration(order.id()));
        assertThat(state.table(table).partitions()).isEqualTo(1);
        assertThat(state.lostPartitions(table)).isZero();
    }

    @Test
    void aChildThatComesAgainBeginsInALaterEpochThanAnyBeforeIt() {
        change(CHILD, B3);
        Result join = state.apply(Command.BeginMigration.learner(table, CHILD, 2, B1));
        applied(new Command.CommitMigration(
                ((Result.MigrationBegun) join).order().id()));
        long last = epoch(CHILD);
        applied(new Command.CommitMigration(begin().id()));
        Result again = state.apply(Command.BeginMigration.split(table, 1, epoch(PARENT), List.of(B3, B4)));
        Place child = ((Result.MigrationBegun) again).order().target();
        assertThat(child.epoch()).isGreaterThan(last);
        assertThat(child.epoch()).isEqualTo(state.version());
    }

    @Test
    void aSnapshotHasMergesOfGroups() {
        begin();
        ClusterState restored = new ClusterState();
        restored.restore(StateCodec.decodeSnapshot(StateCodec.encode(state.snapshot())));
        assertThat(restored.snapshot()).isEqualTo(state.snapshot());
        assertThat(restored.isMerging(table)).isTrue();
    }
}
