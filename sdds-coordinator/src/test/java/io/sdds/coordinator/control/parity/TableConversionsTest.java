package io.sdds.coordinator.control.parity;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.ParityCluster;
import io.sdds.coordinator.control.base.InMemoryLog;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.AlterParity;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.SplitWanted;
import io.sdds.core.control.ControlMessage.TableHealth;
import io.sdds.core.model.Conversion;
import io.sdds.core.model.DrainAction;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableKind;
import io.sdds.core.node.FakeWorld;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How a coordinator converts a table from replicas to parity (docs/design/parity.md, rule 34). */
class TableConversionsTest {
    /** Heartbeats that the conversion of a table takes at most. */
    private static final int CONVERTED = 80;

    /** Heartbeats until a silent brick counts as gone, and some more. */
    private static final int SILENCE = 12;

    private static final TableHealth WHOLE = new TableHealth(1, 0, 0, 0, false);

    private static ParityCluster cluster(int bricks, int replicas, int partitions) {
        ParityCluster cluster = new ParityCluster(new FakeWorld(1), new InMemoryLog(), bricks);
        cluster.createCopies(TableKind.HASH, replicas, partitions);
        return cluster;
    }

    private static ControlMessage convert(ParityCluster cluster, int m, int k) {
        return cluster.ask(new AlterParity("t", new Parity(m, k)));
    }

    private static TableDefinition definition(ParityCluster cluster) {
        return cluster.state().table(ParityCluster.TABLE).definition();
    }

    /** Bricks do all that is asked of them at once, and have ranks for all records. */
    private static void answerAtOnce(ParityCluster cluster) {
        cluster.answerAtOnce();
        cluster.answersJoins(order -> MigrationState.HANDED_OVER);
        cluster.ranks(partition -> true);
    }

    private static void assertConverted(ParityCluster cluster, Parity parity) {
        assertThat(definition(cluster).conversion()).isEqualTo(Conversion.FROM_REPLICAS);
        assertThat(definition(cluster).parity()).isEqualTo(parity);
        assertThat(definition(cluster).replicas()).isEqualTo(1);
        for (int group = 0; group < cluster.state().groups(ParityCluster.TABLE); group++) {
            Set<Integer> bricks = new HashSet<>();
            ParityMembers parities = cluster.group(group).parities();
            assertThat(parities.inForce()).isTrue();
            assertThat(parities.firstMissing()).isNegative();
            parities.members()
                    .forEach(member -> assertThat(bricks.add(member.brick())).isTrue());
            for (Place place : cluster.group(group).columns()) {
                assertThat(place.backups()).isEmpty();
                assertThat(bricks.add(place.brick()))
                        .as("%s", cluster.group(group))
                        .isTrue();
            }
        }
        assertThat(cluster.state().migrations()).isEmpty();
        assertThat(cluster.health()).isEqualTo(new TableHealth(parity.parities(), 0, 0, 0, false));
    }

    // ---- the way

    /** Partitions at bricks 1 and 2, 2 and 3: brick 4 takes the parity at once. */
    @Test
    void aGroupThatHasRoomGetsItsParityOnceItsRecordsHaveRanks() {
        ParityCluster cluster = cluster(4, 2, 2);
        cluster.answerAtOnce();
        assertThat(convert(cluster, 2, 1)).isInstanceOf(Done.class);
        cluster.beat(SILENCE);
        assertThat(cluster.state().repairs()).as("no ranks yet").isEmpty();
        cluster.ranks(partition -> partition == 0);
        cluster.beat(SILENCE);
        assertThat(cluster.state().repairs())
                .as("one partition has no ranks yet")
                .isEmpty();
        assertThat(cluster.health()).isEqualTo(new TableHealth(1, 0, 0, 1, false, 0, 0, 1, "", 0, 0, 0, 0));
        cluster.ranks(partition -> true);
        cluster.beat(SILENCE);
        assertConverted(cluster, new Parity(2, 1));
        assertThat(cluster.column(0).brick()).isEqualTo(1);
        assertThat(cluster.column(1).brick()).isEqualTo(2);
        assertThat(cluster.group(0).parities().members().getFirst().brick()).isEqualTo(4);
    }

    @Test
    void theHealthCountsTheGroupsThatStandOnParity() {
        ParityCluster cluster = cluster(6, 2, 6);
        cluster.answerAtOnce();
        cluster.answersJoins(order -> MigrationState.HANDED_OVER);
        cluster.ranks(partition -> partition < 2);
        convert(cluster, 2, 1);
        cluster.beat(CONVERTED);
        assertThat(cluster.group(0).standsOnReplicas()).isFalse();
        assertThat(cluster.group(1).standsOnReplicas()).isTrue();
        assertThat(cluster.health()).isEqualTo(new TableHealth(1, 0, 0, 2, false, 0, 1, 2, "", 0, 0, 0, 0));
    }

    @Test
    void membersMakeRoomForParitiesWhereEveryBrickHoldsSome() {
        for (int replicas = 1; replicas <= 3; replicas++) {
            for (int partitions : new int[] {1, 3, 4, 9, 16}) {
                ParityCluster cluster = cluster(6, replicas, partitions);
                answerAtOnce(cluster);
                convert(cluster, 4, 2);
                cluster.beat(CONVERTED + 10 * partitions);
                assertConverted(cluster, new Parity(4, 2));
            }
        }
    }

    @Test
    void aGroupHasOneChangeAtATime() {
        ParityCluster cluster = cluster(6, 2, 4);
        cluster.ranks(partition -> true);
        convert(cluster, 4, 2);
        cluster.beat(SILENCE);
        assertThat(cluster.state().migrations()).hasSize(1);
        assertThat(cluster.state().learners()).hasSize(1);
        cluster.answersJoins(order -> MigrationState.HANDED_OVER);
        cluster.beat(SILENCE * 4);
        assertThat(cluster.state().learners()).isEmpty();
        assertThat(cluster.state().repairs())
                .singleElement()
                .matches(MigrationOrder::isParity)
                .matches(order -> order.parityIndex() == 0);
    }

    @Test
    void aConversionGoesOnUnderANewLeader() {
        ParityCluster cluster = cluster(6, 2, 4);
        convert(cluster, 4, 2);
        cluster.leaderChanges();
        answerAtOnce(cluster);
        cluster.beat(CONVERTED);
        assertConverted(cluster, new Parity(4, 2));
    }

    @Test
    void theSameRequestAgainChangesNothingAndAnotherOneIsRefused() {
        ParityCluster cluster = cluster(6, 2, 4);
        convert(cluster, 4, 1);
        assertThat(convert(cluster, 4, 1)).isInstanceOf(Done.class);
        assertThat(convert(cluster, 4, 2))
                .isEqualTo(
                        new Refused(Refusal.NOT_READY, "table 't' is being converted to parity 4,1; wait until it is"));
    }

    @Test
    void aTableWithAutoIsConvertedToTheParityThatItsSizeNeeds() {
        ParityCluster cluster = cluster(4, 2, 4);
        answerAtOnce(cluster);
        cluster.ask(new AlterParity("t", Parity.auto(2)));
        cluster.beat(CONVERTED);
        assertConverted(cluster, Parity.auto(2));
    }

    // ---- refusals and waits

    @Test
    void tooFewBricksAreRefusedWithTheNumberThatIsMissing() {
        ParityCluster cluster = cluster(4, 3, 2);
        assertThat(convert(cluster, 2, 2))
                .isEqualTo(new Refused(
                        Refusal.TOO_FEW_BRICKS,
                        "the conversion to parity 2,2 needs 5 bricks, and 4 are up; 1 more are missing"));
        assertThat(((Refused) convert(cluster, 3, 1)).reason()).isEqualTo(Refusal.BAD_REQUEST);
        assertThat(definition(cluster).hasParity()).isFalse();
    }

    @Test
    void aTableWithLostPartitionsIsRefused() {
        ParityCluster cluster = cluster(6, 1, 2);
        int brick = cluster.column(0).brick();
        cluster.kill(brick);
        assertThat(cluster.restart(brick)).isTrue();
        assertThat(convert(cluster, 2, 1))
                .isEqualTo(new Refused(Refusal.NOT_READY, "table 't' has lost partitions; accept their loss first"));
    }

    @Test
    void aConversionWaitsForSplitsUnderWayAndHoldsOthersBack() {
        ParityCluster cluster = cluster(6, 2, 2);
        wantSplit(cluster, 0);
        cluster.beat(2);
        assertThat(cluster.state().splits()).hasSize(1);
        wantSplit(cluster, 1);
        assertThat(convert(cluster, 2, 1)).isNull();
        assertThat(cluster.state().splits()).hasSize(1);
        cluster.answersSplits(order -> MigrationState.HANDED_OVER);
        cluster.beat(4);
        assertThat(definition(cluster).isConverting()).isTrue();
        assertThat(cluster.state().splits()).isEmpty();
        assertThat(cluster.state().table(ParityCluster.TABLE).partitions()).isEqualTo(3);
    }

    private static void wantSplit(ParityCluster cluster, int partition) {
        cluster.brick(cluster.column(partition).brick()).wanted.add(new SplitWanted(ParityCluster.TABLE, partition));
    }

    @Test
    void noPartitionSplitsBeforeTheConversionEnds() {
        ParityCluster cluster = cluster(6, 2, 4);
        convert(cluster, 4, 1);
        wantSplit(cluster, 0);
        cluster.beat(SILENCE);
        assertThat(cluster.state().splits()).isEmpty();
        answerAtOnce(cluster);
        cluster.beat(CONVERTED);
        assertThat(definition(cluster).isConverting()).isFalse();
        cluster.bricks.forEach(brick -> brick.wanted.clear());
        wantSplit(cluster, 0);
        cluster.beat(4);
        assertThat(cluster.state().splits()).singleElement().matches(order -> order.kind() == MigrationKind.SPLIT);
    }

    @Test
    void whileTooFewBricksAreUpTheStatusTellsWhatIsMissing() {
        ParityCluster cluster = cluster(5, 2, 4);
        convert(cluster, 4, 1);
        cluster.kill(5);
        cluster.beat(SILENCE);
        assertThat(cluster.health().obstacle())
                .isEqualTo("the conversion to parity 4,1 needs 5 bricks, and 4 are up; 1 more are missing");
        answerAtOnce(cluster);
        assertThat(cluster.restart(5)).isTrue();
        cluster.beat(CONVERTED);
        assertConverted(cluster, new Parity(4, 1));
    }

    @Test
    void aBrickIsDrainedWhileATableIsConverted() {
        ParityCluster cluster = cluster(7, 2, 4);
        convert(cluster, 4, 2);
        assertThat(cluster.drain(1, DrainAction.BEGIN).draining()).isTrue();
        answerAtOnce(cluster);
        cluster.beat(CONVERTED);
        assertConverted(cluster, new Parity(4, 2));
        assertThat(cluster.state().places(1)).isZero();
    }

    // ---- losses

    /** A cluster whose only group has its parity, and waits for the ranks of partition 1 in the present epoch. */
    private static ParityCluster withParityBeforeTheEnd(int k) {
        ParityCluster cluster = cluster(7, 2, 2);
        answerAtOnce(cluster);
        cluster.ranks(partition ->
                definition(cluster).hasParity() && cluster.group(0).parities().firstMissing() >= 0);
        convert(cluster, 2, k);
        cluster.beat(CONVERTED);
        assertThat(cluster.group(0).parities().firstMissing()).isNegative();
        assertThat(cluster.group(0).standsOnReplicas()).isTrue();
        cluster.ranks(partition -> false);
        return cluster;
    }

    /** The brick of the backup of column 1, which leads no other column. */
    private static int backupAlone(ParityCluster cluster) {
        int backup = cluster.column(1).backups().getFirst().brick();
        assertThat(backup).isNotEqualTo(cluster.column(0).brick());
        return backup;
    }

    @Test
    void aBackupThatDiesIsReplacedAndTheParityStays() {
        ParityCluster cluster = withParityBeforeTheEnd(1);
        Member parity = cluster.group(0).parities().members().getFirst();
        List<Long> epochs = cluster.group(0).epochs();
        cluster.kill(backupAlone(cluster));
        cluster.beat(SILENCE);
        assertThat(cluster.group(0).parities().members()).containsExactly(parity);
        assertThat(cluster.group(0).epochs())
                .as("one member of column 1 has left, another one has joined")
                .containsExactly(epochs.getFirst(), epochs.getLast() + 2);
        assertThat(cluster.group(0).columns()).allMatch(place -> place.members().size() == 2);
        cluster.ranks(partition -> true);
        cluster.beat(CONVERTED);
        assertConverted(cluster, new Parity(2, 1));
    }

    @Test
    void aPrimaryThatDiesIsFollowedByItsBackupAndTheParitiesAreBuiltAgain() {
        ParityCluster cluster = withParityBeforeTheEnd(2);
        Place before = cluster.column(0);
        cluster.kill(before.brick());
        cluster.beat(SILENCE);
        assertThat(cluster.column(0).primary()).isEqualTo(before.backups().getFirst());
        assertThat(cluster.group(0).parities().present()).isEmpty();
        cluster.ranks(partition -> true);
        cluster.beat(CONVERTED);
        assertConverted(cluster, new Parity(2, 2));
    }

    @Test
    void aParityThatDiesIsBuiltAgain() {
        ParityCluster cluster = withParityBeforeTheEnd(1);
        Member parity = cluster.group(0).parities().members().getFirst();
        cluster.kill(parity.brick());
        cluster.beat(SILENCE);
        assertThat(cluster.group(0).parities()).isEqualTo(ParityMembers.joining(1));
        assertThat(cluster.group(0).columns()).allMatch(place -> place.members().size() == 2);
        cluster.ranks(partition -> true);
        cluster.beat(CONVERTED);
        assertConverted(cluster, new Parity(2, 1));
    }

    @Test
    void aParityThatAPrimaryMissesIsBuiltAgain() {
        ParityCluster cluster = withParityBeforeTheEnd(1);
        Member parity = cluster.group(0).parities().members().getFirst();
        List<Integer> missed = cluster.brick(cluster.column(0).brick()).missed;
        missed.add(parity.brick());
        cluster.beat(2);
        missed.clear();
        assertThat(cluster.group(0).parities()).isEqualTo(ParityMembers.joining(1));
    }

    @Test
    void aGroupDoesNotEndWhileABackupIsSilent() {
        ParityCluster cluster = withParityBeforeTheEnd(1);
        cluster.hanging.add(backupAlone(cluster));
        cluster.beat(3);
        cluster.ranks(partition -> true);
        cluster.beat(2);
        assertThat(cluster.group(0).standsOnReplicas()).isTrue();
    }

    @Test
    void allCopiesThatAreGoneAreALossAlsoWithAParity() {
        ParityCluster cluster = withParityBeforeTheEnd(1);
        List<Member> members = cluster.column(0).members();
        members.forEach(member -> cluster.kill(member.brick()));
        cluster.beat(SILENCE);
        members.forEach(member -> assertThat(cluster.restart(member.brick())).isTrue());
        cluster.beat(2);
        assertThat(cluster.column(0).lost()).isTrue();
        assertThat(cluster.health().obstacle()).isEqualTo("partitions are lost; accept their loss");
        cluster.acceptLoss();
        cluster.ranks(partition -> true);
        cluster.beat(CONVERTED);
        assertConverted(cluster, new Parity(2, 1));
    }

    @Test
    void aGroupThatStandsOnParityIsDecodedWhileOthersStandOnReplicas() {
        ParityCluster cluster = cluster(6, 2, 6);
        answerAtOnce(cluster);
        cluster.ranks(partition -> partition < 2);
        convert(cluster, 2, 1);
        cluster.beat(CONVERTED);
        assertThat(cluster.group(0).standsOnReplicas()).isFalse();
        int brick = cluster.column(0).brick();
        cluster.answers(order -> MigrationState.SHIPPING);
        cluster.kill(brick);
        cluster.beat(SILENCE);
        assertThat(cluster.group(0).isDegraded(cluster.column(0))).isTrue();
        assertThat(cluster.restart(brick)).isTrue();
        answerAtOnce(cluster);
        cluster.beat(CONVERTED);
        assertConverted(cluster, new Parity(2, 1));
    }

    @Test
    void wholeTablesOfReplicasAreNotTouched() {
        ParityCluster cluster = cluster(4, 2, 2);
        cluster.beat(SILENCE);
        assertThat(cluster.health()).isEqualTo(WHOLE);
    }
}
