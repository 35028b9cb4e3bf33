package io.sdds.coordinator.control.parity;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.HoldingLog;
import io.sdds.coordinator.control.ParityCluster;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.core.control.ControlMessage.DrainStatus;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.control.ControlMessage.TableHealth;
import io.sdds.core.model.DrainAction;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Place.Member;
import io.sdds.core.node.FakeWorld;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How bricks that hold members of parity groups are drained. */
class ParityDrainsTest {
    /** Heartbeats until a silent brick counts as down. */
    private static final int SILENCE = 10;

    private static ParityCluster cluster(int bricks, int columns, int parities, int partitions) {
        ParityCluster cluster = new ParityCluster(new FakeWorld(1), new HoldingLog(), bricks);
        cluster.create(new Parity(columns, parities), partitions);
        return cluster;
    }

    private static List<MigrationOrder> orders(ParityCluster cluster) {
        return List.copyOf(cluster.state().migrations());
    }

    private static List<Member> members(ParityGroup group) {
        return List.copyOf(group.processes());
    }

    @Test
    void aColumnMovesToABrickThatHoldsNoMemberOfItsGroup() {
        ParityCluster cluster = cluster(4, 2, 1, 2);
        int drained = cluster.column(0).brick();
        List<Member> others = members(cluster.group(0));
        assertThat(cluster.drain(drained, DrainAction.BEGIN).draining()).isTrue();
        cluster.beat(2);
        assertThat(orders(cluster)).singleElement().satisfies(order -> {
            assertThat(order.isMove()).isTrue();
            assertThat(others).doesNotContain(order.target().primary());
        });
        assertThat(cluster.drain(drained, DrainAction.LOOK).partitionsLeft()).isEqualTo(1);
        cluster.answers(order -> MigrationState.HANDED_OVER);
        cluster.beat(2);
        DrainStatus over = cluster.drain(drained, DrainAction.LOOK);
        assertThat(over.partitionsLeft()).isZero();
        assertThat(over.obstacle()).isEmpty();
        assertThat(cluster.health()).isEqualTo(new TableHealth(1, 0, 0, 0, false));
    }

    @Test
    void aParityGetsAnotherProcessAndTheGroupLacksNothingMeanwhile() {
        ParityCluster cluster = cluster(4, 2, 1, 2);
        Member before = cluster.group(0).parities().members().getFirst();
        cluster.drain(before.brick(), DrainAction.BEGIN);
        cluster.beat(2);
        assertThat(orders(cluster))
                .singleElement()
                .satisfies(order -> assertThat(order.isParity()).isTrue());
        assertThat(cluster.group(0).parities().members()).containsExactly(before);
        assertThat(cluster.health()).isEqualTo(new TableHealth(1, 0, 0, 0, false));
        cluster.answerAtOnce();
        cluster.beat(2);
        assertThat(cluster.group(0).parities().members()).doesNotContain(before);
        assertThat(cluster.drain(before.brick(), DrainAction.LOOK).partitionsLeft())
                .isZero();
    }

    @Test
    void oneMemberOfAGroupIsTakenOffAtATime() {
        ParityCluster cluster = cluster(6, 2, 2, 2);
        int first = cluster.column(0).brick();
        int second = cluster.group(0).parities().members().getFirst().brick();
        cluster.drain(first, DrainAction.BEGIN);
        cluster.drain(second, DrainAction.BEGIN);
        for (int k = 0; k < 4; k++) {
            cluster.beat(1);
            assertThat(orders(cluster)).hasSizeLessThanOrEqualTo(1);
        }
        cluster.answerAtOnce();
        cluster.beat(8);
        assertThat(cluster.group(0).processes().stream().map(Member::brick))
                .doesNotContain(first, second)
                .hasSize(4);
        assertThat(orders(cluster)).isEmpty();
    }

    @Test
    void theGroupIsRepairedBeforeItsMembersMove() {
        ParityCluster cluster = cluster(5, 2, 1, 2);
        int drained = cluster.column(0).brick();
        cluster.kill(cluster.group(0).parities().members().getFirst().brick());
        cluster.beat(SILENCE);
        cluster.drain(drained, DrainAction.BEGIN);
        cluster.beat(3);
        assertThat(orders(cluster))
                .singleElement()
                .satisfies(order -> assertThat(order.isParity()).isTrue());
        assertThat(cluster.column(0).brick()).isEqualTo(drained);
    }

    @Test
    void aMoveThatIsGivenUpIsOrderedToAnotherBrick() {
        ParityCluster cluster = cluster(5, 2, 1, 2);
        cluster.drain(cluster.column(0).brick(), DrainAction.BEGIN);
        cluster.beat(2);
        int failed = orders(cluster).getFirst().target().brick();
        cluster.answers(order -> order.target().brick() == failed ? MigrationState.ABANDONED : MigrationState.SHIPPING);
        cluster.beat(3);
        assertThat(orders(cluster))
                .singleElement()
                .satisfies(order -> assertThat(order.target().brick()).isNotEqualTo(failed));
    }

    @Test
    void aDrainWaitsWithItsReasonWhenTheOthersAreTooFewMeanwhile() {
        ParityCluster cluster = cluster(4, 2, 1, 2);
        int drained = cluster.column(0).brick();
        cluster.drain(drained, DrainAction.BEGIN);
        cluster.beat(1);
        int spare = cluster.bricks.stream()
                .map(brick -> brick.self().number())
                .filter(number -> !cluster.group(0).processes().contains(new Member(number, 1)))
                .findFirst()
                .orElseThrow();
        cluster.kill(spare);
        cluster.beat(SILENCE);
        assertThat(cluster.drain(drained, DrainAction.LOOK).obstacle()).contains("needs 3 bricks, and 2 other");
        assertThat(cluster.column(0).brick()).isEqualTo(drained);
    }
}
