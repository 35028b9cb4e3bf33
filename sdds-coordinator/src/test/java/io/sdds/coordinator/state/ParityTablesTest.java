package io.sdds.coordinator.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.state.Command.Host;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.model.Parity;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableSpec;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tables with parity in the replicated state. */
class ParityTablesTest {
    private static final Parity PARITY = new Parity(2, 2);

    private final ClusterState state = new ClusterState();

    @BeforeEach
    void sixBricks() {
        for (int brick = 1; brick <= 6; brick++) {
            register(brick, brick, 0);
        }
    }

    private void register(int brick, long nonce, long replaced) {
        state.apply(new Command.RegisterBrick("b" + brick, nonce, "b" + brick + ":1", 1 << 30, replaced));
    }

    private static List<Host> hosts(int... bricks) {
        return IntStream.of(bricks).mapToObj(brick -> new Host(brick, 1)).toList();
    }

    private static Member member(int brick) {
        return new Member(brick, 1);
    }

    private Result create(TableKind kind, int replicas, Parity parity, List<Host> columns, List<Host> parities) {
        return state.apply(new Command.CreateTable(
                "t",
                TableSpec.of(kind)
                        .capacity(100)
                        .replicas(replicas)
                        .firstPartitions(columns.size() / replicas)
                        .parity(parity)
                        .build(),
                columns,
                parities));
    }

    /** Creates a table of two groups: the columns 1, 2 with the parities 3, 4, and 5, 6 with 1, 2. */
    private int twoGroups() {
        Result created = create(TableKind.HASH, 1, PARITY, hosts(1, 2, 5, 6), hosts(3, 4, 1, 2));
        return ((Result.TableCreated) created).table().definition().id();
    }

    private List<Integer> places() {
        return IntStream.rangeClosed(1, 6).map(state::places).boxed().toList();
    }

    @Test
    void placesHoldColumnsAndTheBlockHoldsTheParitiesOfItsGroups() {
        int table = twoGroups();
        assertThat(state.place(table, 3)).isEqualTo(new Place(6, 1, 0));
        assertThat(state.block(table, 0).parities())
                .containsExactly(
                        new ParityMembers(List.of(member(3), member(4))),
                        new ParityMembers(List.of(member(1), member(2))));
        assertThat(state.table(table).definition().parity()).isEqualTo(PARITY);
        assertThat(state.table(table).definition().spec().firstPartitions()).isEqualTo(4);
        assertThat(places()).as("columns and parities").containsExactly(2, 2, 1, 1, 1, 1);
        state.apply(new Command.DropTable(table));
        assertThat(places()).containsOnly(0);
    }

    @Test
    void aRangeTableBeginsWithOneColumnAndAllParitiesOfItsGroup() {
        create(TableKind.RANGE, 1, PARITY, hosts(1), hosts(2, 3));
        assertThat(state.block(1, 0).places()).hasSize(1);
        assertThat(state.parities(1, 0).members()).containsExactly(member(2), member(3));
    }

    @Test
    void refusesWhatIsNoParityTable() {
        assertRefused(create(TableKind.HASH, 1, new Parity(3, 1), hosts(1, 2, 3), hosts(4)), "parity 3,1");
        assertRefused(create(TableKind.HASH, 2, PARITY, hosts(1, 2, 3, 4), hosts(5, 6)), "parity or copies, not both");
        assertRefused(create(TableKind.HASH, 1, PARITY, hosts(1), hosts(5, 6)), "a multiple of 2 partitions, not 1");
        assertRefused(create(TableKind.HASH, 1, PARITY, hosts(1, 2), hosts(5)), "1 hosts of parities for 1 groups");
        assertRefused(create(TableKind.HASH, 1, PARITY, hosts(1, 2), hosts(2, 3)), "parity group 0 on one brick");
        assertRefused(create(TableKind.HASH, 1, PARITY, hosts(1, 1), hosts(2, 3)), "parity group 0 on one brick");
        assertRefused(create(TableKind.HASH, 1, Parity.NONE, hosts(1), hosts(2)), "for a table without parity");
        assertThat(state.tables()).isEmpty();
        assertThat(places()).containsOnly(0);
    }

    private static void assertRefused(Result result, String text) {
        assertThat(result).isInstanceOf(Result.Rejected.class);
        assertThat(((Result.Rejected) result).text()).contains(text);
    }

    @Test
    void refusesAProcessThatWasReplacedOrIsBeingDrained() {
        register(4, 40, 1);
        Result result = create(TableKind.HASH, 1, PARITY, hosts(1, 2), hosts(3, 4));
        assertThat(((Result.Rejected) result).reason()).isEqualTo(Refusal.NOT_READY);
        state.apply(new Command.DrainBrick(3, 1, true));
        assertThat(create(TableKind.HASH, 1, new Parity(2, 1), hosts(1, 2), hosts(3)))
                .isInstanceOf(Result.Rejected.class);
    }

    @Test
    void noProcessJoinsAPartitionAsLearner() {
        int table = twoGroups();
        for (Command begin : List.of(
                Command.BeginMigration.learner(table, 0, 1, new Host(3, 1)),
                Command.BeginMigration.learner(table, 4, 1, new Host(3, 1)))) {
            assertRefused(state.apply(begin), "partitions of tables with parity do not join");
        }
        assertThat(state.migrations()).isEmpty();
    }

    @Test
    void aSnapshotHasTheParitiesAndTheirCounts() {
        int table = twoGroups();
        register(4, 40, 1);
        ClusterState restored = new ClusterState();
        restored.restore(StateCodec.decodeSnapshot(StateCodec.encode(state.snapshot())));
        assertThat(restored.snapshot()).isEqualTo(state.snapshot());
        assertThat(restored.parities(table, 0)).isEqualTo(state.parities(table, 0));
        for (int brick = 1; brick <= 6; brick++) {
            assertThat(restored.places(brick)).isEqualTo(state.places(brick));
        }
    }

    /** 512 partitions fill a block; the 256 groups of the next block begin again at its first entry. */
    @Test
    void aTableOfAFullBlockHasTheParitiesOfAllItsGroups() {
        List<Host> columns =
                IntStream.range(0, 512).mapToObj(a -> new Host(1 + a % 2, 1)).toList();
        List<Host> parities =
                IntStream.range(0, 512).mapToObj(p -> new Host(3 + p % 2, 1)).toList();
        create(TableKind.HASH, 1, PARITY, columns, parities);
        assertThat(state.block(1, 0).parities()).hasSize(256);
        assertThat(state.parities(1, 255).members()).containsExactly(member(3), member(4));
        assertThat(places()).containsExactly(256, 256, 256, 256, 0, 0);
    }
}
