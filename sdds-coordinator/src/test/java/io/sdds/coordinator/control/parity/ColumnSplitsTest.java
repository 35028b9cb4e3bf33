package io.sdds.coordinator.control.parity;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.FakeBrick;
import io.sdds.coordinator.control.ParityCluster;
import io.sdds.coordinator.control.base.InMemoryLog;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.control.ControlMessage.ClusterStatus;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.control.ControlMessage.PartitionStatus;
import io.sdds.core.control.ControlMessage.SplitWanted;
import io.sdds.core.control.ControlMessage.TableHealth;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableKind;
import io.sdds.core.node.FakeWorld;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How a coordinator splits tables with parity (docs/design/parity.md, rules 30 and 31). */
class ColumnSplitsTest {
    /** Heartbeats until a silent brick counts as gone, and some more. */
    private static final int SILENCE = 9;

    private static final int TABLE = ParityCluster.TABLE;

    private static ParityCluster cluster(int bricks, int m, int k) {
        ParityCluster cluster = new ParityCluster(new FakeWorld(1), new InMemoryLog(), bricks);
        cluster.create(new Parity(m, k), m);
        return cluster;
    }

    /** The brick of a partition wants to split it. */
    private static void want(ParityCluster cluster, int partition) {
        cluster.brick(cluster.column(partition).brick()).wanted.add(new SplitWanted(TABLE, partition));
    }

    private static List<MigrationOrder> splits(ParityCluster cluster) {
        return cluster.state().splits();
    }

    private static int partitions(ParityCluster cluster) {
        return cluster.state().table(TABLE).partitions();
    }

    @Test
    void addsAnIdleColumnThenSplitsIntoIt() {
        ParityCluster cluster = cluster(6, 2, 1);
        want(cluster, 0);
        cluster.beat(1);
        assertThat(cluster.state().columns(TABLE)).isEqualTo(3);
        assertThat(splits(cluster)).isEmpty();
        Place idle = cluster.column(2);
        assertThat(idle.brick()).isNotEqualTo(cluster.column(0).brick());
        assertThat(cluster.group(1).hasParityOn(idle.brick())).isFalse();
        cluster.beat(1);
        MigrationOrder order = splits(cluster).getFirst();
        assertThat(order.target()).isEqualTo(idle);
        assertThat(partitions(cluster)).isEqualTo(2);
        cluster.answersSplits(split -> MigrationState.HANDED_OVER);
        cluster.beat(1);
        assertThat(partitions(cluster)).isEqualTo(3);
        assertThat(cluster.column(2)).isEqualTo(idle);
        assertThat(splits(cluster)).isEmpty();
    }

    @Test
    void columnsAndParitiesOfANewGroupGoToBricksWithRoomOrTheSplitWaits() {
        ParityCluster cluster = cluster(6, 2, 1);
        FakeBrick parent = cluster.brick(cluster.column(0).brick());
        parent.loads.add(new PartitionLoad(TABLE, 0, 1, 1000, FakeBrick.MEMORY_BYTES / 5, 0));
        cluster.bricks.forEach(brick -> brick.usedBytes = FakeBrick.MEMORY_BYTES * 9 / 10);
        cluster.bricks.get(5).usedBytes = 0;
        cluster.beat(1);
        want(cluster, 0);
        cluster.beat(3);
        assertThat(cluster.state().columns(TABLE)).isEqualTo(2);
        cluster.bricks.get(4).usedBytes = 0;
        cluster.beat(2);
        assertThat(cluster.group(1).isOn(5)).isTrue();
        assertThat(cluster.group(1).isOn(6)).isTrue();
    }

    /** The brick may have been dead when the column was added, and the split would bring it records. */
    @Test
    void noSplitGoesToAColumnWhoseBrickWasNotHeardSinceTheColumnBegan() {
        ParityCluster cluster = cluster(6, 2, 1);
        want(cluster, 0);
        List<Integer> others = IntStream.rangeClosed(1, 6)
                .filter(brick -> brick != cluster.column(0).brick())
                .boxed()
                .toList();
        cluster.hanging.addAll(others);
        cluster.beat(1);
        int silent = cluster.column(2).brick();
        others.stream().filter(brick -> brick != silent).forEach(cluster::goOn);
        cluster.beat(4);
        assertThat(splits(cluster)).isEmpty();
        assertThat(cluster.state().unusedSince(TABLE, 2)).isPositive();
        cluster.goOn(silent);
        cluster.beat(3);
        assertThat(splits(cluster)).hasSize(1);
        assertThat(cluster.state().unusedSince(TABLE, 2)).isZero();
    }

    @Test
    void theStatusTellsIdleColumnsApartFromPartitions() {
        ParityCluster cluster = cluster(6, 2, 1);
        want(cluster, 0);
        cluster.beat(1);
        ClusterStatus status = Objects.requireNonNull(cluster.status());
        assertThat(status.tables().getFirst().table().partitions()).isEqualTo(2);
        assertThat(status.partitions()).hasSize(2);
        PartitionStatus idle = status.idleColumns().getFirst();
        assertThat(idle.partition()).isEqualTo(2);
        assertThat(idle.level()).isEqualTo(2);
        assertThat(idle.parities()).hasSize(1);
        cluster.kill(cluster.column(2).brick());
        cluster.beat(SILENCE);
        assertThat(cluster.health())
                .as("it can lose a member as the others can")
                .isEqualTo(new TableHealth(0, 1, 0, 0, false));
    }

    @Test
    void splitsSeveralPartitionsAtOnce() {
        ParityCluster cluster = cluster(8, 4, 1);
        IntStream.range(0, 4).forEach(partition -> want(cluster, partition));
        cluster.beat(8);
        assertThat(splits(cluster)).extracting(MigrationOrder::child).containsExactly(4, 5, 6, 7);
        assertThat(cluster.group(1).processes())
                .as("all members on different bricks")
                .hasSize(5);
    }

    @Test
    void aSplitThatWasGivenUpGetsTheSameColumnAfterAWhile() {
        ParityCluster cluster = cluster(6, 2, 1);
        want(cluster, 0);
        cluster.beat(2);
        MigrationOrder first = splits(cluster).getFirst();
        cluster.answersSplits(split -> MigrationState.ABANDONED);
        cluster.beat(1);
        cluster.answersSplits(split -> MigrationState.SHIPPING);
        cluster.beat(5);
        assertThat(splits(cluster)).isEmpty();
        cluster.beat(30);
        MigrationOrder second = splits(cluster).getFirst();
        assertThat(second.id()).isGreaterThan(first.id());
        assertThat(second.target()).isEqualTo(first.target());
        assertThat(cluster.state().columns(TABLE)).isEqualTo(3);
    }

    @Test
    void waitsForBothGroupsToBeWhole() {
        ParityCluster cluster = cluster(3, 2, 1);
        cluster.kill(cluster.group(0).parities().members().getFirst().brick());
        cluster.beat(SILENCE);
        want(cluster, 0);
        cluster.beat(3);
        assertThat(cluster.state().columns(TABLE)).isEqualTo(2);
    }

    @Test
    void aParityIsRebuiltBeforeTheSplitIsOrdered() {
        ParityCluster cluster = cluster(6, 2, 1);
        want(cluster, 0);
        cluster.beat(1);
        cluster.bricks.forEach(brick -> brick.wanted.clear());
        cluster.kill(cluster.group(1).parities().members().getFirst().brick());
        cluster.beat(SILENCE);
        assertThat(cluster.state().repairs()).hasSize(1);
        want(cluster, 0);
        cluster.beat(3);
        assertThat(splits(cluster)).isEmpty();
        cluster.answerAtOnce();
        cluster.beat(3);
        assertThat(cluster.column(2).epoch()).isEqualTo(3);
        assertThat(splits(cluster)).hasSize(1);
    }

    @Test
    void tooFewBricksForAGroupLetTheSplitWait() {
        ParityCluster cluster = cluster(4, 2, 2);
        cluster.kill(cluster.column(1).brick());
        cluster.kill(cluster.group(0).parities().members().getFirst().brick());
        cluster.beat(SILENCE);
        want(cluster, 0);
        cluster.beat(3);
        assertThat(cluster.state().columns(TABLE)).isEqualTo(2);
    }

    @Test
    void theLeadOfASenderDecidesBeforeASpareRecoversIt() {
        ParityCluster cluster = cluster(6, 2, 1);
        cluster.answerAtOnce();
        want(cluster, 0);
        cluster.beat(2);
        cluster.kill(cluster.column(0).brick());
        cluster.beat(SILENCE + 10);
        assertThat(cluster.column(0).epoch()).isEqualTo(2);
        assertThat(cluster.state().repairs()).isEmpty();
        assertThat(splits(cluster)).hasSize(1);
        cluster.answersSplits(split -> MigrationState.HANDED_OVER);
        cluster.beat(1);
        assertThat(partitions(cluster)).isEqualTo(3);
        cluster.beat(5);
        assertThat(cluster.column(0).epoch()).as("the spare is primary").isEqualTo(3);
        assertThat(cluster.state().migrations()).isEmpty();
    }

    @Test
    void aTableThatGrowsSpreadsItsGroupsAndParities() {
        ParityCluster cluster = cluster(8, 2, 2);
        cluster.answersSplits(split -> MigrationState.HANDED_OVER);
        while (partitions(cluster) < 16) {
            cluster.bricks.forEach(brick -> brick.wanted.clear());
            want(cluster, LinearHashing.splitPointer(partitions(cluster)));
            cluster.beat(1);
        }
        int[] parities = new int[9];
        for (int group = 0; group < 8; group++) {
            assertThat(cluster.group(group).processes())
                    .as("all members on different bricks")
                    .hasSize(4);
            cluster.group(group).parities().members().forEach(member -> parities[member.brick()]++);
        }
        assertThat(IntStream.rangeClosed(1, 8).map(brick -> parities[brick]))
                .as("parities of each brick")
                .allMatch(count -> count == 2);
        assertThat(IntStream.rangeClosed(1, 8).map(cluster.state()::places))
                .as("columns and parities of each brick")
                .allMatch(count -> count >= 3 && count <= 5);
    }

    @Test
    void aPartitionOfARangeTableSplitsIntoTheFirstIdleColumn() {
        ParityCluster cluster = new ParityCluster(new FakeWorld(1), new InMemoryLog(), 6);
        cluster.create(TableKind.RANGE, new Parity(2, 1), 1);
        KeySpan upper = KeySpan.ALL.above(new byte[] {'m'});
        cluster.brick(cluster.column(0).brick()).wanted.add(new SplitWanted(TABLE, 0, upper));
        cluster.beat(1);
        assertThat(cluster.state().columns(TABLE)).isEqualTo(2);
        assertThat(cluster.state().groups(TABLE)).as("the first group takes it").isEqualTo(1);
        assertThat(cluster.group(0).processes()).hasSize(3);
        cluster.answersSplits(split -> MigrationState.HANDED_OVER);
        cluster.beat(3);
        assertThat(cluster.state().span(TABLE, 0)).isEqualTo(KeySpan.ALL.upTo(new byte[] {'m'}));
        assertThat(cluster.state().span(TABLE, 1)).isEqualTo(upper);
        assertThat(cluster.state().columns(TABLE)).isEqualTo(2);
    }
}
