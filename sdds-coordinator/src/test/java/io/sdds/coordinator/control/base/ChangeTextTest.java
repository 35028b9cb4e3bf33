package io.sdds.coordinator.control.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.ParityCluster;
import io.sdds.coordinator.state.Command.Host;
import io.sdds.coordinator.state.Command.ParityGroupChange;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.node.FakeWorld;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sentences of the log about orders and parity groups. */
class ChangeTextTest {
    private ParityCluster cluster;
    private ChangeText text;

    @BeforeEach
    void start() {
        cluster = new ParityCluster(new FakeWorld(1), new InMemoryLog(), 5);
        cluster.create(new Parity(2, 2), 4);
        text = new ChangeText(cluster.state());
    }

    private static MigrationOrder order(MigrationKind kind, int table, int sender, int receiver, int level) {
        Place source = new Place(1, 1, 0, 1, List.of());
        Place target = new Place(4, 1, 0, 2, List.of());
        return new MigrationOrder(7, kind, table, sender, receiver, level, KeySpan.ALL, source, target);
    }

    @Test
    void anOrderNamesTablePartitionAndBricks() {
        assertThat(text.of(order(MigrationKind.RECOVERY, ParityCluster.TABLE, 0, 0, 1)))
                .isEqualTo("table t partition 0 is to be recovered on brick b4");
        assertThat(text.of(order(MigrationKind.PARITY, ParityCluster.TABLE, 2, 2, 1)))
                .isEqualTo("brick b4 is to hold parity 1 of group 1 of table t");
        assertThat(text.of(order(MigrationKind.MOVE, ParityCluster.TABLE, 3, 3, 2)))
                .isEqualTo("table t partition 3 is to move from brick b1 to brick b4");
        assertThat(text.of(order(MigrationKind.LEARNER, ParityCluster.TABLE, 3, 3, 2)))
                .isEqualTo("brick b4 is to get a copy of table t partition 3");
        assertThat(text.of(order(MigrationKind.SPLIT, ParityCluster.TABLE, 1, 5, 2)))
                .isEqualTo("table t partition 1 is to split to partition 5 on brick b4");
        assertThat(text.of(order(MigrationKind.MERGE, ParityCluster.TABLE, 5, 1, 2)))
                .isEqualTo("table t partition 5 is to merge into partition 1");
        assertThat(text.of(order(MigrationKind.MOVE, 99, 3, 3, 2))).startsWith("table number 99 partition 3");
    }

    private static List<Host> hosts(List<Member> members) {
        return new ArrayList<>(members.stream()
                .map(member -> new Host(member.brick(), member.incarnation()))
                .toList());
    }

    @Test
    void aChangeNamesTheMembersThatAreGoneAndThePartitionsThatAreLost() {
        ParityGroup group = cluster.group(1);
        List<Host> columns = hosts(group.columns().stream().map(Place::primary).toList());
        List<Host> parities = hosts(group.parities().members());
        String column = cluster.state().brick(columns.get(0).brick()).id();
        String parity = cluster.state().brick(parities.get(1).brick()).id();
        columns.set(0, parities.get(0));
        parities.set(1, Host.NONE);
        ParityGroupChange degrades = new ParityGroupChange(ParityCluster.TABLE, 1, group.epochs(), columns, parities);
        assertThat(text.of(group, degrades))
                .isEqualTo("parity group 1 of table t goes on without partition 2 of brick " + column
                        + " and parity 1 of brick " + parity);
        columns.set(0, Host.NONE);
        ParityGroupChange loses = new ParityGroupChange(ParityCluster.TABLE, 1, group.epochs(), columns, parities);
        assertThat(text.of(group, loses))
                .isEqualTo("parity group 1 of table t goes on without parity 1 of brick " + parity
                        + "; the records of partition 2 are lost");
    }
}
