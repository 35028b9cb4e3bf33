package io.sdds.coordinator.control.parity;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.FakeBrick;
import io.sdds.coordinator.control.ParityCluster;
import io.sdds.coordinator.control.base.InMemoryLog;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.control.ControlMessage.SplitWanted;
import io.sdds.core.control.ControlMessage.TableHealth;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place.Member;
import io.sdds.core.node.FakeWorld;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How a coordinator judges and repairs parity groups (docs/design/parity.md, rules 26 to 29). */
class ParityReconcilerTest {
    /** Heartbeats until a silent brick counts as gone, and some more. */
    private static final int SILENCE = 9;

    private static final int TABLE = ParityCluster.TABLE;
    private static final long LARGE_BYTES = FakeBrick.MEMORY_BYTES / 10;

    private static ParityCluster cluster(int bricks, int m, int k) {
        ParityCluster cluster = new ParityCluster(new FakeWorld(1), new InMemoryLog(), bricks);
        cluster.create(new Parity(m, k), m);
        return cluster;
    }

    private static int column(ParityCluster cluster, int partition) {
        return cluster.column(partition).brick();
    }

    private static Member parity(ParityCluster cluster, int index) {
        return cluster.group(0).parities().members().get(index);
    }

    /** A cluster with K = 1 whose group 1 has the partition 2 and the idle column 3. */
    private static ParityCluster withIdleColumn() {
        ParityCluster cluster = cluster(8, 2, 1);
        cluster.answersSplits(order -> MigrationState.HANDED_OVER);
        wantSplit(cluster, 0);
        cluster.beat(5);
        wantSplit(cluster, 1);
        while (cluster.state().columns(TABLE) < 4) {
            cluster.beat(1);
        }
        stopSplits(cluster);
        assertThat(cluster.state().exists(TABLE, 2)).isTrue();
        assertThat(cluster.state().isIdle(TABLE, 3)).isTrue();
        return cluster;
    }

    private static void wantSplit(ParityCluster cluster, int partition) {
        stopSplits(cluster);
        cluster.brick(column(cluster, partition)).wanted.add(new SplitWanted(TABLE, partition));
    }

    private static void stopSplits(ParityCluster cluster) {
        cluster.bricks.forEach(brick -> brick.wanted.clear());
    }

    @Test
    void aColumnWhoseBrickIsSilentIsLedByTheFirstParityAndGetsASpareAtOnce() {
        ParityCluster cluster = cluster(5, 2, 2);
        int dead = column(cluster, 0);
        Member lead = parity(cluster, 0);
        cluster.kill(dead);
        cluster.beat(6);
        assertThat(column(cluster, 0)).as("a lease may be in force").isEqualTo(dead);
        cluster.beat(3);
        assertThat(cluster.column(0).primary()).isEqualTo(lead);
        assertThat(cluster.column(1).epoch()).isEqualTo(1);
        MigrationOrder order = cluster.state().repairs().getFirst();
        assertThat(order.isRecovery()).isTrue();
        assertThat(cluster.group(0).hasParityOn(order.target().brick())).isFalse();
        assertThat(order.target().brick()).isNotEqualTo(column(cluster, 1));
        assertThat(cluster.health()).isEqualTo(new TableHealth(1, 1, 0, 0, false));
    }

    @Test
    void aLivingParityThatAPrimaryMissesIsReplaced() {
        ParityCluster cluster = cluster(6, 2, 2);
        Member missed = parity(cluster, 0);
        cluster.brick(column(cluster, 1)).missed.add(missed.brick());
        cluster.beat(3);
        assertThat(cluster.group(0).parities().indexOf(missed)).isNegative();
        assertThat(cluster.column(0).epoch()).isEqualTo(2);
        assertThat(cluster.column(1).epoch()).isEqualTo(2);
        assertThat(cluster.state().repairs().getFirst().isParity()).isTrue();
    }

    @Test
    void aMissedParityStaysWhenAnotherProcessIsNotHeardAnyMore() {
        ParityCluster cluster = cluster(5, 2, 1);
        Member missed = parity(cluster, 0);
        cluster.hanging.add(column(cluster, 0));
        cluster.brick(column(cluster, 1)).missed.add(missed.brick());
        cluster.beat(SILENCE + 2);
        assertThat(cluster.column(0).lost()).isFalse();
        assertThat(cluster.group(0).parities().indexOf(missed)).isZero();
    }

    @Test
    void theReportOfABrickThatLeadsNoColumnOfTheGroupIsNoReportOfIt() {
        ParityCluster cluster = cluster(5, 2, 1);
        Member missed = parity(cluster, 0);
        cluster.brick(anyBut(cluster, missed)).missed.add(missed.brick());
        cluster.beat(2);
        cluster.hanging.add(column(cluster, 0));
        cluster.brick(column(cluster, 1)).missed.add(missed.brick());
        cluster.beat(SILENCE + 2);
        assertThat(cluster.column(0).lost()).isFalse();
        assertThat(cluster.group(0).parities().indexOf(missed)).isZero();
    }

    /** A brick that holds no member of the first group. */
    private static int anyBut(ParityCluster cluster, Member parity) {
        return IntStream.rangeClosed(1, 5)
                .filter(brick -> brick != parity.brick() && brick != column(cluster, 0) && brick != column(cluster, 1))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aNewLeaderRemovesNoMissedParityBeforeItHasHeardAllMembers() {
        ParityCluster cluster = cluster(6, 2, 2);
        Member missed = parity(cluster, 0);
        cluster.kill(column(cluster, 0));
        cluster.brick(column(cluster, 1)).missed.add(missed.brick());
        cluster.leaderChanges();
        cluster.beat(2);
        assertThat(cluster.group(0).parities().indexOf(missed)).isZero();
    }

    @Test
    void aParityIsNotMissedInAGroupThatLacksAsManyMembersAsItTolerates() {
        ParityCluster cluster = cluster(4, 2, 1);
        cluster.kill(column(cluster, 0));
        cluster.beat(SILENCE);
        Member lead = parity(cluster, 0);
        cluster.brick(column(cluster, 1)).missed.add(lead.brick());
        cluster.beat(3);
        assertThat(parity(cluster, 0)).isEqualTo(lead);
    }

    @Test
    void aParityStaysWhenThePrimaryIsTheOneThatMoreBricksMiss() {
        ParityCluster cluster = cluster(6, 2, 2);
        int primary = column(cluster, 1);
        Member parity = parity(cluster, 0);
        cluster.brick(primary).missed.add(parity.brick());
        cluster.brick(column(cluster, 0)).missed.add(primary);
        cluster.brick(parity.brick()).missed.add(primary);
        cluster.beat(3);
        assertThat(parity(cluster, 0)).isEqualTo(parity);
    }

    @Test
    void aColumnIsFillingUntilItsSpareHasAllRecords() {
        ParityCluster cluster = cluster(5, 2, 2);
        cluster.answers(order -> MigrationState.HANDED_OVER);
        cluster.kill(column(cluster, 0));
        cluster.beat(SILENCE + 2);
        MigrationOrder order = cluster.state().repairs().getFirst();
        assertThat(cluster.column(0)).isEqualTo(order.target());
        assertThat(cluster.health()).isEqualTo(new TableHealth(1, 0, 1, 0, false));
        cluster.answers(each -> MigrationState.FILLED);
        cluster.beat(2);
        assertThat(cluster.state().migrations()).isEmpty();
        assertThat(cluster.health()).isEqualTo(new TableHealth(2, 0, 0, 0, false));
    }

    @Test
    void aLostParityGetsANewProcess() {
        ParityCluster cluster = cluster(4, 2, 1);
        int dead = parity(cluster, 0).brick();
        cluster.kill(dead);
        cluster.beat(SILENCE);
        assertThat(parity(cluster, 0)).isEqualTo(ParityMembers.MISSING);
        assertThat(List.of(cluster.column(0).epoch(), cluster.column(1).epoch()))
                .containsExactly(2L, 2L);
        assertThat(cluster.health()).isEqualTo(new TableHealth(0, 0, 0, 1, false));
        cluster.answerAtOnce();
        cluster.beat(2);
        assertThat(parity(cluster, 0).brick()).isNotIn(dead, ParityMembers.MISSING.brick());
        assertThat(List.of(cluster.column(0).epoch(), cluster.column(1).epoch()))
                .containsExactly(3L, 3L);
    }

    @Test
    void aParityWaitsForABrickThatHoldsNoMemberOfItsGroup() {
        ParityCluster cluster = cluster(3, 2, 1);
        int dead = parity(cluster, 0).brick();
        cluster.kill(dead);
        cluster.beat(SILENCE);
        assertThat(cluster.state().repairs()).isEmpty();
        assertThat(cluster.health()).isEqualTo(new TableHealth(0, 0, 0, 1, true));
        assertThat(cluster.restart(dead)).isTrue();
        cluster.answerAtOnce();
        cluster.beat(3);
        assertThat(cluster.health()).isEqualTo(new TableHealth(1, 0, 0, 0, false));
    }

    @Test
    void dataSharesABrickWithDataWhenNoBrickIsFree() {
        ParityCluster cluster = cluster(4, 2, 2);
        cluster.answerAtOnce();
        cluster.kill(column(cluster, 0));
        cluster.beat(SILENCE + 4);
        assertThat(column(cluster, 0)).isEqualTo(column(cluster, 1));
        assertThat(cluster.health())
                .as("the brick of both columns can be lost, and no other one with it")
                .isEqualTo(new TableHealth(1, 0, 0, 0, false, 0, 0, 0, "", 0, 0, 1, 0));
    }

    @Test
    void aSpareWithoutMemoryIsAvoidedForAWhile() {
        ParityCluster cluster = cluster(5, 2, 2);
        cluster.kill(column(cluster, 0));
        cluster.beat(SILENCE);
        int first = cluster.state().repairs().getFirst().target().brick();
        cluster.answers(order -> MigrationState.ABANDONED);
        cluster.beat(1);
        cluster.answers(order -> MigrationState.SHIPPING);
        cluster.beat(2);
        assertThat(cluster.state().repairs().getFirst().target().brick()).isNotEqualTo(first);
    }

    @Test
    void aSpareHasRoomForTheColumnOrTheColumnIsDecoded() {
        ParityCluster cluster = cluster(5, 2, 2);
        int free = freeBrick(cluster);
        cluster.brick(free).usedBytes = FakeBrick.MEMORY_BYTES * 9 / 10;
        cluster.brick(column(cluster, 1)).loads.add(new PartitionLoad(TABLE, 1, 1, 1000, LARGE_BYTES, 0));
        cluster.beat(1);
        cluster.kill(column(cluster, 0));
        cluster.beat(SILENCE);
        MigrationOrder order = cluster.state().repairs().getFirst();
        assertThat(order.target().brick()).as("data shares a brick with data").isEqualTo(column(cluster, 1));
        cluster.brick(column(cluster, 1)).usedBytes = FakeBrick.MEMORY_BYTES;
        cluster.answers(each -> MigrationState.ABANDONED);
        cluster.beat(4);
        assertThat(cluster.state().repairs()).isEmpty();
        assertThat(cluster.group(0).isDegraded(cluster.column(0))).isTrue();
        assertThat(cluster.health()).isEqualTo(new TableHealth(1, 1, 0, 0, true));
        cluster.brick(free).usedBytes = 0;
        cluster.answers(each -> MigrationState.SHIPPING);
        cluster.beat(2);
        assertThat(cluster.state().repairs().getFirst().target().brick()).isEqualTo(free);
    }

    @Test
    void aParityIsBuiltWhereThereIsRoom() {
        ParityCluster cluster = cluster(4, 2, 1);
        int free = freeBrick(cluster);
        cluster.brick(free).usedBytes = FakeBrick.MEMORY_BYTES * 95 / 100;
        cluster.beat(1);
        cluster.kill(parity(cluster, 0).brick());
        cluster.beat(SILENCE + 2);
        assertThat(cluster.state().repairs()).isEmpty();
        assertThat(cluster.health()).isEqualTo(new TableHealth(0, 0, 0, 1, true));
        cluster.brick(free).usedBytes = 0;
        cluster.beat(2);
        assertThat(cluster.state().repairs().getFirst().target().brick()).isEqualTo(free);
    }

    @Test
    void aColumnThatItsSpareGivesBackIsLedByTheFirstParityAgain() {
        ParityCluster cluster = cluster(5, 2, 2);
        cluster.answers(order -> MigrationState.HANDED_OVER);
        cluster.kill(column(cluster, 0));
        cluster.beat(SILENCE + 2);
        int first = column(cluster, 0);
        assertThat(cluster.group(0).isFilling(cluster.column(0))).isTrue();
        cluster.answers(order -> MigrationState.ABANDONED);
        cluster.beat(1);
        cluster.answers(order -> MigrationState.SHIPPING);
        cluster.beat(2);
        assertThat(cluster.group(0).isDegraded(cluster.column(0))).isTrue();
        assertThat(cluster.column(0).primary()).isEqualTo(parity(cluster, 0));
        assertThat(cluster.state().repairs().getFirst().target().brick()).isNotEqualTo(first);
    }

    private static int freeBrick(ParityCluster cluster) {
        return cluster.bricks.stream()
                .mapToInt(brick -> brick.self().number())
                .filter(brick -> !cluster.group(0).isOn(brick))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void moreSilentMembersThanToleratedAreWaitedFor() {
        ParityCluster cluster = cluster(4, 2, 1);
        int one = column(cluster, 0);
        int two = column(cluster, 1);
        cluster.hanging.addAll(List.of(one, two));
        cluster.beat(50);
        assertThat(cluster.group(0).epochs()).containsExactly(1L, 1L);
        assertThat(cluster.health()).isEqualTo(new TableHealth(0, 0, 0, 0, false));
        cluster.goOn(one);
        cluster.beat(3);
        assertThat(column(cluster, 0)).isEqualTo(one);
        assertThat(cluster.column(1).primary()).isEqualTo(parity(cluster, 0));
    }

    /** The second may be dead as well; then the memory of the first is needed. */
    @Test
    void aSilentMemberIsNotRemovedWhileAnotherOneMayBeDead() {
        ParityCluster cluster = cluster(4, 2, 1);
        int one = column(cluster, 0);
        int two = column(cluster, 1);
        cluster.hanging.add(one);
        cluster.beat(5);
        cluster.hanging.add(two);
        cluster.beat(4); // the first is silent for 1.8 s, the second for 0.8 s
        assertThat(cluster.column(0).epoch()).isEqualTo(1);
        cluster.goOn(one);
        cluster.beat(6);
        assertThat(column(cluster, 0)).isEqualTo(one);
        assertThat(cluster.group(0).isDegraded(cluster.column(1))).isTrue();
    }

    @Test
    void columnsAreLostOnlyWhenMoreMembersThanToleratedAreProvenGone() {
        ParityCluster cluster = cluster(4, 2, 1);
        int one = column(cluster, 0);
        int parity = parity(cluster, 0).brick();
        cluster.kill(one);
        cluster.kill(parity);
        cluster.beat(SILENCE);
        cluster.restart(one);
        cluster.beat(20);
        assertThat(cluster.state().lostPartitions(ParityCluster.TABLE)).isZero();
        assertThat(cluster.column(1).epoch()).isEqualTo(1);
        cluster.restart(parity);
        cluster.beat(2);
        assertThat(cluster.column(0).lost()).isTrue();
        assertThat(cluster.column(1).epoch()).as("goes on with what is left").isEqualTo(2);
        assertThat(parity(cluster, 0)).isEqualTo(ParityMembers.MISSING);
    }

    @Test
    void aLossThatIsAcceptedBeginsEmptyAndGetsNewParities() {
        ParityCluster cluster = cluster(4, 2, 1);
        cluster.answerAtOnce();
        int one = column(cluster, 0);
        int two = column(cluster, 1);
        cluster.kill(one);
        cluster.kill(two);
        cluster.beat(SILENCE);
        cluster.restart(one);
        cluster.restart(two);
        cluster.beat(2);
        assertThat(cluster.state().lostPartitions(ParityCluster.TABLE)).isEqualTo(2);
        cluster.acceptLoss();
        cluster.beat(3);
        assertThat(column(cluster, 0)).isNotEqualTo(column(cluster, 1));
        assertThat(cluster.health()).isEqualTo(new TableHealth(1, 0, 0, 0, false));
    }

    /** Then the surviving column could write to no member that counts, for as long as the parity is silent. */
    @Test
    void aSilentParityDoesNotBlockTheColumnsThatAreLeftOfABrokenGroup() {
        ParityCluster cluster = cluster(6, 4, 1);
        int one = column(cluster, 0);
        int two = column(cluster, 1);
        cluster.kill(one);
        cluster.kill(two);
        cluster.beat(SILENCE);
        cluster.restart(one);
        cluster.restart(two);
        cluster.beat(2);
        long epoch = cluster.column(2).epoch();
        cluster.hanging.add(parity(cluster, 0).brick());
        cluster.beat(SILENCE);
        assertThat(parity(cluster, 0)).isEqualTo(ParityMembers.MISSING);
        assertThat(cluster.column(2).epoch()).isEqualTo(epoch + 1);
    }

    @Test
    void aColumnThatNeverHadARecordTakesNoOtherColumnWithIt() {
        ParityCluster cluster = withIdleColumn();
        int two = column(cluster, 2);
        int three = column(cluster, 3);
        assertThat(cluster.state().unusedSince(TABLE, 3)).isPositive();
        cluster.kill(two);
        cluster.kill(three);
        cluster.beat(SILENCE);
        cluster.restart(two);
        cluster.restart(three);
        cluster.beat(2);
        assertThat(cluster.state().lostPartitions(TABLE)).isZero();
        cluster.answerAtOnce();
        cluster.beat(6);
        assertThat(cluster.health()).isEqualTo(new TableHealth(1, 0, 0, 0, false));
    }

    @Test
    void aColumnThatNeverHadARecordBeginsAgainWithoutItsParity() {
        ParityCluster cluster = withIdleColumn();
        Member parity = cluster.group(1).parities().members().getFirst();
        int three = column(cluster, 3);
        cluster.kill(three);
        cluster.kill(parity.brick());
        cluster.beat(SILENCE + 1);
        assertThat(column(cluster, 3)).isNotIn(three, parity.brick());
        assertThat(cluster.state().lostPartitions(TABLE)).isZero();
        assertThat(cluster.column(2).epoch()).isEqualTo(2);
        cluster.answerAtOnce();
        cluster.beat(3);
        assertThat(cluster.health()).isEqualTo(new TableHealth(1, 0, 0, 0, false));
    }

    /** The split may have brought records to the column, which are in the sums of the group. */
    @Test
    void anIdleColumnThatASplitHasNamedBeginsAgainWhenItIsLostAndItsOrderHasEnded() {
        ParityCluster cluster = withIdleColumn();
        Member parity = cluster.group(1).parities().members().getFirst();
        cluster.answersSplits(order -> MigrationState.SHIPPING);
        wantSplit(cluster, 1);
        cluster.beat(3);
        stopSplits(cluster);
        assertThat(cluster.state().splits()).hasSize(1);
        int three = column(cluster, 3);
        cluster.kill(three);
        cluster.kill(parity.brick());
        cluster.beat(SILENCE);
        assertThat(column(cluster, 3)).as("the brick may come back").isEqualTo(three);
        cluster.restart(three);
        cluster.restart(parity.brick());
        cluster.beat(2);
        assertThat(cluster.column(3).lost()).as("the split may have ended").isTrue();
        cluster.answersSplits(order -> MigrationState.ABANDONED);
        cluster.answerAtOnce();
        cluster.beat(5);
        assertThat(cluster.column(3).lost()).isFalse();
        assertThat(cluster.health()).isEqualTo(new TableHealth(1, 0, 0, 0, false));
    }

    @Test
    void anIdleColumnThatWasUsedBeginsAgainAtOnceAndThePartitionBesideItIsLost() {
        ParityCluster cluster = withIdleColumn();
        cluster.answersSplits(order -> MigrationState.ABANDONED);
        wantSplit(cluster, 1);
        cluster.beat(4);
        stopSplits(cluster);
        assertThat(cluster.state().splits()).isEmpty();
        assertThat(cluster.state().unusedSince(TABLE, 3)).isZero();
        int two = column(cluster, 2);
        int three = column(cluster, 3);
        cluster.kill(two);
        cluster.kill(three);
        cluster.beat(SILENCE);
        cluster.restart(two);
        cluster.restart(three);
        cluster.beat(2);
        assertThat(cluster.column(2).lost()).isTrue();
        assertThat(cluster.column(3).lost()).isFalse();
        assertThat(cluster.column(3).epoch()).isEqualTo(2);
        assertThat(cluster.group(1).parities()).isEqualTo(ParityMembers.missing(1));
    }

    @Test
    void aNewLeaderFindsTheRepairsInTheMap() {
        ParityCluster cluster = cluster(5, 2, 2);
        cluster.answers(order -> MigrationState.HANDED_OVER);
        cluster.kill(column(cluster, 0));
        cluster.beat(SILENCE + 2);
        cluster.leaderChanges();
        assertThat(cluster.health()).isEqualTo(new TableHealth(1, 0, 1, 0, false));
        cluster.answerAtOnce();
        cluster.beat(2);
        assertThat(cluster.health()).isEqualTo(new TableHealth(2, 0, 0, 0, false));
    }

    @Test
    void theNextParityLeadsWhenTheLeadIsGone() {
        ParityCluster cluster = cluster(6, 2, 2);
        cluster.kill(column(cluster, 0));
        cluster.beat(SILENCE);
        Member next = parity(cluster, 1);
        cluster.kill(parity(cluster, 0).brick());
        cluster.beat(SILENCE);
        assertThat(cluster.column(0).primary()).isEqualTo(next);
        assertThat(cluster.column(0).epoch()).isEqualTo(3);
        assertThat(cluster.state().repairs().getFirst().source()).isEqualTo(cluster.column(0));
    }

    /** The spare has had all records before the next member died, and has not said so yet. */
    @Test
    void aColumnWhoseSpareHasAllRecordsIsNotLostWithTheNextMember() {
        ParityCluster cluster = cluster(5, 2, 1);
        loseWithoutWord(cluster, column(cluster, 0), column(cluster, 1), MigrationState.HANDED_OVER);
        assertThat(cluster.state().lostPartitions(TABLE)).isZero();
        cluster.answerAtOnce();
        cluster.beat(6);
        assertThat(cluster.health()).isEqualTo(new TableHealth(1, 0, 0, 0, false));
    }

    @Test
    void aColumnWhoseSpareLacksRecordsIsLostWithTheNextMemberWhenTheSpareHasSaidSo() {
        ParityCluster cluster = cluster(5, 2, 1);
        loseWithoutWord(cluster, column(cluster, 0), column(cluster, 1), MigrationState.HANDED_OVER);
        cluster.beat(3);
        assertThat(cluster.state().lostPartitions(TABLE)).isEqualTo(2);
    }

    @Test
    void aSpareThatIsSilentIsAskedAndNotGivenUp() {
        ParityCluster cluster = cluster(5, 2, 1);
        loseWithoutWord(cluster, column(cluster, 0), column(cluster, 1), MigrationState.HANDED_OVER);
        int spare = column(cluster, 0);
        cluster.hanging.add(spare);
        cluster.beat(SILENCE + 3);
        assertThat(cluster.state().lostPartitions(TABLE)).isZero();
        cluster.answers(order -> MigrationState.FILLED);
        cluster.goOn(spare);
        cluster.beat(3);
        assertThat(cluster.state().lostPartitions(TABLE)).isZero();
    }

    /** All columns count the votes of the new parity, which has not said so yet. */
    @Test
    void aParityThatHasJoinedDecodesTheNextMember() {
        ParityCluster cluster = cluster(5, 2, 1);
        loseWithoutWord(cluster, parity(cluster, 0).brick(), column(cluster, 1), MigrationState.SHIPPING);
        cluster.answerAtOnce();
        cluster.beat(6);
        assertThat(cluster.health()).isEqualTo(new TableHealth(1, 0, 0, 0, false));
    }

    /**
     * A member dies and its repair begins. Then another one is replaced, and the coordinator judges the group before
     * any heartbeat after that.
     */
    private static void loseWithoutWord(ParityCluster cluster, int first, int second, MigrationState repair) {
        cluster.answers(order -> repair);
        cluster.kill(first);
        cluster.beat(SILENCE + 2);
        assertThat(cluster.state().repairs()).hasSize(1);
        cluster.kill(second);
        while (!cluster.restart(second)) {
            cluster.beat(1);
        }
        cluster.world.run(ParityCluster.COMMIT.multipliedBy(2));
    }
}
