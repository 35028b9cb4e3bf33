package io.sdds.coordinator.control.parity;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.HoldingLog;
import io.sdds.coordinator.control.ParityCluster;
import io.sdds.coordinator.control.schedule.MoveScheduler;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.model.DrainAction;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Place.Member;
import io.sdds.core.node.FakeWorld;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How columns of a parity group that share a brick, because too few bricks were up, are moved apart. */
class ColumnSeparationTest {
    /** Heartbeats until a silent brick counts as down. */
    private static final int SILENCE = 10;

    private static ParityCluster cluster(int bricks, int columns, int parities, int partitions) {
        ParityCluster cluster = new ParityCluster(new FakeWorld(1), new HoldingLog(), bricks);
        cluster.create(new Parity(columns, parities), partitions);
        cluster.answerAtOnce();
        return cluster;
    }

    /** A brick dies, and the groups are repaired as far as the other bricks suffice. */
    private static void lose(ParityCluster cluster, int brick) {
        cluster.kill(brick);
        cluster.beat(3 * SILENCE);
    }

    private static int toSeparate(ParityCluster cluster) {
        return cluster.groups().stream()
                .mapToInt(group -> group.columnsToSeparate())
                .sum();
    }

    private static int canLose(ParityCluster cluster) {
        return cluster.health().canLose();
    }

    private static List<MigrationOrder> moves(ParityCluster cluster) {
        return cluster.state().migrations().stream()
                .filter(MigrationOrder::isMove)
                .toList();
    }

    @Test
    void eightGroupsOnFiveBricksCanLoseABrickAgainAfterOneWasLostAndRestarted() {
        ParityCluster cluster = cluster(5, 4, 1, 32);
        lose(cluster, 3);
        assertThat(canLose(cluster)).isZero();
        assertThat(cluster.health().columnsToSeparate()).isPositive().isEqualTo(toSeparate(cluster));
        assertThat(moves(cluster)).isEmpty();
        assertThat(cluster.restart(3)).isTrue();
        cluster.beat(3 * SILENCE);
        assertThat(toSeparate(cluster)).isZero();
        assertThat(cluster.health().columnsToSeparate()).isZero();
        assertThat(canLose(cluster)).isEqualTo(1);
        assertThat(moves(cluster)).isEmpty();
    }

    @Test
    void sixBricksThatLoseTwoInTurnStandEachLossAfterBothAreBack() {
        ParityCluster cluster = cluster(6, 4, 1, 32);
        lose(cluster, 1);
        lose(cluster, 2);
        assertThat(toSeparate(cluster)).isPositive();
        cluster.restart(1);
        cluster.restart(2);
        cluster.beat(4 * SILENCE);
        assertThat(canLose(cluster)).isEqualTo(1);
        for (int brick = 1; brick <= 6; brick++) {
            int dead = brick;
            assertThat(cluster.groups()).allMatch(group -> group.lacking(member -> member.brick() == dead) <= 1);
        }
    }

    @Test
    void theSmallestColumnOfTheBrickWithTheMostMoves() {
        ParityCluster cluster = cluster(6, 4, 1, 4);
        lose(cluster, cluster.column(0).brick());
        lose(cluster, cluster.column(1).brick());
        List<Integer> crowd = cluster.group(0).columnsOnOneBrick();
        assertThat(crowd).hasSizeGreaterThan(1);
        int largest = crowd.getFirst();
        int shared = cluster.column(largest).brick();
        cluster.brick(shared)
                .loads
                .add(new PartitionLoad(
                        ParityCluster.TABLE,
                        largest,
                        0,
                        100,
                        100_000,
                        cluster.column(largest).epoch()));
        cluster.answers(order -> MigrationState.SHIPPING);
        cluster.beat(1);
        cluster.killed.stream().map(Member::brick).toList().forEach(cluster::restart);
        cluster.beat(SILENCE);
        assertThat(moves(cluster)).singleElement().satisfies(order -> {
            assertThat(crowd).contains(order.sender());
            assertThat(order.sender()).isNotEqualTo(largest);
            assertThat(cluster.group(0).processes().stream().map(Member::brick))
                    .doesNotContain(order.target().brick());
        });
    }

    @Test
    void nothingMovesToABrickThatIsBeingDrained() {
        ParityCluster cluster = cluster(6, 4, 1, 32);
        lose(cluster, 1);
        lose(cluster, 2);
        cluster.restart(1);
        cluster.restart(2);
        assertThat(cluster.drain(1, DrainAction.BEGIN).draining()).isTrue();
        cluster.beat(6 * SILENCE);
        assertThat(cluster.state().places(1)).isZero();
        assertThat(canLose(cluster)).isEqualTo(1);
        assertThat(moves(cluster)).isEmpty();
    }

    /** Placement settles: once the columns stand apart, no order comes any more, though bricks hold unequal bytes. */
    @Test
    void nothingMovesAnyMoreWhenTheColumnsStandApart() {
        ParityCluster cluster = cluster(5, 4, 1, 32);
        lose(cluster, 4);
        cluster.restart(4);
        cluster.beat(6 * SILENCE);
        assertThat(canLose(cluster)).isEqualTo(1);
        long version = cluster.state().version();
        cluster.beat(6 * SILENCE);
        assertThat(cluster.state().version()).isEqualTo(version);
    }

    @Test
    void aBrickIsTheTargetOfFewMovesAtATime() {
        ParityCluster cluster = cluster(5, 4, 1, 128);
        lose(cluster, 5);
        cluster.answers(order -> MigrationState.SHIPPING);
        cluster.restart(5);
        for (int k = 0; k < SILENCE; k++) {
            cluster.beat(1);
            assertThat(moves(cluster)).hasSizeLessThanOrEqualTo(MoveScheduler.BRICK_SEPARATIONS_MAX);
        }
        assertThat(moves(cluster)).isNotEmpty();
    }
}
