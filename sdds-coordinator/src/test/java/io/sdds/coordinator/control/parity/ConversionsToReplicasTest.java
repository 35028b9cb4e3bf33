package io.sdds.coordinator.control.parity;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.FakePeer;
import io.sdds.coordinator.control.ParityCluster;
import io.sdds.coordinator.control.base.InMemoryLog;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.AlterParity;
import io.sdds.core.control.ControlMessage.AlterReplicas;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.SplitWanted;
import io.sdds.core.control.ControlMessage.TableHealth;
import io.sdds.core.model.Conversion;
import io.sdds.core.model.DrainAction;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableKind;
import io.sdds.core.node.FakeWorld;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a coordinator converts a table from parity to replicas (docs/design/parity.md, rule 35). */
class ConversionsToReplicasTest {
    /** Heartbeats that the conversion of a table takes at most. */
    private static final int CONVERTED = 80;

    /** Heartbeats until a silent brick counts as gone, and some more. */
    private static final int SILENCE = 12;

    private static final Parity TWO_ONE = new Parity(2, 1);

    private static ParityCluster cluster(int bricks, Parity parity, int partitions) {
        return cluster(bricks, TableKind.HASH, parity, partitions);
    }

    private static ParityCluster cluster(int bricks, TableKind kind, Parity parity, int partitions) {
        ParityCluster cluster = new ParityCluster(new FakeWorld(1), new InMemoryLog(), bricks);
        cluster.create(kind, parity, partitions);
        return cluster;
    }

    private static ControlMessage convert(ParityCluster cluster, int replicas) {
        return cluster.ask(new AlterReplicas("t", replicas));
    }

    private static TableDefinition definition(ParityCluster cluster) {
        return cluster.state().table(ParityCluster.TABLE).definition();
    }

    /** Bricks do all that is asked of them at once. */
    private static void answerAtOnce(ParityCluster cluster) {
        cluster.answerAtOnce();
        cluster.answersJoins(order -> MigrationState.HANDED_OVER);
    }

    private static void assertConverted(ParityCluster cluster, int replicas) {
        assertThat(definition(cluster).conversion()).as("%s", cluster.health()).isEqualTo(Conversion.NONE);
        assertThat(definition(cluster).parity()).isEqualTo(Parity.NONE);
        assertThat(definition(cluster).replicas()).isEqualTo(replicas);
        assertThat(cluster.state().columns(ParityCluster.TABLE))
                .isEqualTo(cluster.state().table(ParityCluster.TABLE).partitions());
        for (int a = 0; a < cluster.state().columns(ParityCluster.TABLE); a++) {
            assertThat(cluster.column(a).members().stream().map(Member::brick))
                    .hasSize(cluster.column(a).none() ? 0 : replicas)
                    .doesNotHaveDuplicates();
        }
        assertThat(cluster.state().migrations()).isEmpty();
        assertThat(cluster.health()).isEqualTo(new TableHealth(replicas - 1, 0, 0, 0, false));
    }

    // ---- the way

    @Test
    void aGroupGetsOneBackupAtATimeAndEndsWithTheLastOne() {
        ParityCluster cluster = cluster(4, TWO_ONE, 2);
        assertThat(convert(cluster, 2)).isInstanceOf(Done.class);
        cluster.beat(SILENCE);
        assertThat(cluster.state().learners()).singleElement().matches(order -> order.receiver() == 0);
        assertThat(cluster.health()).isEqualTo(new TableHealth(1, 0, 0, 0, false, 0, 0, 1, "", 2, 0, 0, 0));
        cluster.answersJoins(order -> order.receiver() == 0 ? MigrationState.HANDED_OVER : MigrationState.SHIPPING);
        cluster.beat(4);
        assertThat(cluster.column(0).members()).hasSize(2);
        assertThat(cluster.group(0).standsOnReplicas()).isFalse();
        assertThat(cluster.group(0).parities().firstMissing()).isNegative();
        assertThat(cluster.health()).isEqualTo(new TableHealth(1, 0, 0, 0, false, 0, 0, 1, "", 1, 0, 0, 0));
        answerAtOnce(cluster);
        cluster.beat(CONVERTED);
        assertConverted(cluster, 2);
    }

    @Test
    void tablesOfAnySizeAreConvertedToAnyNumberOfReplicas() {
        for (TableKind kind : List.of(TableKind.HASH, TableKind.RANGE)) {
            for (int replicas = 1; replicas <= 4; replicas++) {
                ParityCluster cluster = cluster(6, kind, new Parity(4, 2), kind == TableKind.HASH ? 12 : 1);
                answerAtOnce(cluster);
                convert(cluster, replicas);
                cluster.beat(CONVERTED);
                assertConverted(cluster, replicas);
            }
        }
    }

    @Test
    void withOneReplicaNothingIsCopied() {
        ParityCluster cluster = cluster(4, TWO_ONE, 4);
        List<Place> before = List.of(cluster.column(0), cluster.column(3));
        convert(cluster, 1);
        cluster.beat(SILENCE);
        assertConverted(cluster, 1);
        assertThat(cluster.column(0).primary()).isEqualTo(before.getFirst().primary());
        assertThat(cluster.column(3).primary()).isEqualTo(before.getLast().primary());
    }

    @Test
    void idleColumnsGetNoBackupsAndEndWithTheConversion() {
        for (TableKind kind : List.of(TableKind.HASH, TableKind.RANGE)) {
            ParityCluster cluster = cluster(5, kind, TWO_ONE, kind == TableKind.HASH ? 2 : 1);
            cluster.answersSplits(order -> MigrationState.ABANDONED);
            cluster.brick(cluster.column(0).brick()).wanted.add(new SplitWanted(ParityCluster.TABLE, 0));
            cluster.beat(4);
            cluster.bricks.forEach(brick -> brick.wanted.clear());
            cluster.beat(4);
            int idle = cluster.state().columns(ParityCluster.TABLE) - 1;
            assertThat(cluster.state().isIdle(ParityCluster.TABLE, idle)).isTrue();
            answerAtOnce(cluster);
            convert(cluster, 2);
            cluster.beat(CONVERTED);
            assertConverted(cluster, 2);
            assertThat(cluster.state().exists(ParityCluster.TABLE, idle)).isFalse();
        }
    }

    @Test
    void aConversionGoesOnUnderANewLeader() {
        ParityCluster cluster = cluster(6, new Parity(4, 2), 4);
        convert(cluster, 2);
        cluster.beat(2);
        cluster.leaderChanges();
        answerAtOnce(cluster);
        cluster.beat(CONVERTED);
        assertConverted(cluster, 2);
    }

    @Test
    void aTableIsConvertedToParityAgain() {
        ParityCluster cluster = cluster(5, TWO_ONE, 4);
        answerAtOnce(cluster);
        cluster.ranks(partition -> true);
        convert(cluster, 2);
        cluster.beat(CONVERTED);
        assertConverted(cluster, 2);
        cluster.ask(new AlterParity("t", TWO_ONE));
        cluster.beat(CONVERTED);
        assertThat(definition(cluster).conversion()).isEqualTo(Conversion.FROM_REPLICAS);
        assertThat(cluster.health()).isEqualTo(new TableHealth(1, 0, 0, 0, false));
        convert(cluster, 3);
        cluster.beat(CONVERTED);
        assertConverted(cluster, 3);
    }

    // ---- refusals and waits

    @Test
    void theSameRequestAgainChangesNothingAndOthersAreRefused() {
        ParityCluster cluster = cluster(6, TWO_ONE, 4);
        convert(cluster, 2);
        assertThat(convert(cluster, 2)).isInstanceOf(Done.class);
        Refused refused =
                new Refused(Refusal.NOT_READY, "table 't' is being converted to 2 replicas; wait until it is");
        assertThat(convert(cluster, 3)).isEqualTo(refused);
        assertThat(cluster.ask(new AlterParity("t", TWO_ONE))).isEqualTo(refused);
    }

    @Test
    void tooFewBricksAreRefusedWithTheNumberThatIsMissing() {
        ParityCluster cluster = cluster(4, new Parity(2, 2), 2);
        assertThat(convert(cluster, 3))
                .isEqualTo(new Refused(
                        Refusal.TOO_FEW_BRICKS,
                        "the conversion to 3 replicas needs 5 bricks, and 4 are up; 1 more are missing"));
        assertThat(definition(cluster).isConverting()).isFalse();
    }

    @Test
    void aConversionWaitsForRepairsAndHoldsSplitsBack() {
        ParityCluster cluster = cluster(6, TWO_ONE, 2);
        int brick = cluster.group(0).parities().members().getFirst().brick();
        cluster.kill(brick);
        cluster.beat(SILENCE);
        assertThat(cluster.state().repairs()).hasSize(1);
        cluster.brick(cluster.column(0).brick()).wanted.add(new SplitWanted(ParityCluster.TABLE, 0));
        assertThat(convert(cluster, 2)).isNull();
        answerAtOnce(cluster);
        cluster.beat(2);
        assertThat(cluster.state().splits()).isEmpty();
        cluster.beat(CONVERTED);
        assertThat(definition(cluster).hasParity()).isFalse();
    }

    @Test
    void aGroupThatLacksAMemberForLongIsToldToTheClient() {
        ParityCluster cluster = cluster(4, TWO_ONE, 2);
        int brick = cluster.group(0).parities().members().getFirst().brick();
        cluster.kill(brick);
        cluster.beat(SILENCE);
        assertThat(cluster.health().missingParities()).isEqualTo(1);
        cluster.answers(order -> MigrationState.SHIPPING);
        FakePeer client = cluster.client();
        int id = client.send(new AlterReplicas("t", 2));
        cluster.beat(160);
        assertThat(client.answer(id))
                .isEqualTo(new Refused(
                        Refusal.NOT_READY,
                        "a parity group of the table lacks a member; try again when it is repaired"));
    }

    @Test
    void aDrainWaitsUntilTheTableIsConverted() {
        ParityCluster cluster = cluster(6, TWO_ONE, 2);
        convert(cluster, 2);
        int brick = cluster.column(0).brick();
        assertThat(cluster.drain(brick, DrainAction.BEGIN).draining()).isTrue();
        cluster.beat(SILENCE);
        assertThat(cluster.state().splits()).isEmpty();
        assertThat(cluster.drain(brick, DrainAction.LOOK).obstacle())
                .isEqualTo("table t is being converted to replicas, and its columns move when it is");
        answerAtOnce(cluster);
        cluster.beat(CONVERTED);
        assertConverted(cluster, 2);
        assertThat(cluster.state().places(brick)).isZero();
    }

    // ---- losses

    /** A cluster whose only group lacks the backup of column 1, and does not get it. */
    private static ParityCluster withOneBackup(int bricks, Parity parity) {
        ParityCluster cluster = cluster(bricks, parity, 2);
        cluster.answerAtOnce();
        cluster.answersJoins(order -> order.receiver() == 0 ? MigrationState.HANDED_OVER : MigrationState.SHIPPING);
        convert(cluster, 2);
        cluster.beat(SILENCE);
        assertThat(cluster.column(0).backups()).hasSize(1);
        assertThat(cluster.group(0).standsOnReplicas()).isFalse();
        return cluster;
    }

    @Test
    void aBackupThatDiesLeavesAndAnotherOneJoins() {
        ParityCluster cluster = withOneBackup(6, TWO_ONE);
        Member backup = cluster.column(0).backups().getFirst();
        Place other = cluster.column(1);
        assertThat(backup.brick()).as("a brick without a column").isNotEqualTo(other.brick());
        long epoch = cluster.column(0).epoch();
        cluster.kill(backup.brick());
        cluster.beat(SILENCE);
        assertThat(cluster.column(0).backups()).isEmpty();
        assertThat(cluster.column(0).epoch()).isEqualTo(epoch + 1);
        assertThat(cluster.column(1)).isEqualTo(other);
        answerAtOnce(cluster);
        cluster.beat(CONVERTED);
        assertConverted(cluster, 2);
    }

    @Test
    void aBackupThatItsPrimaryMissesLeavesWithoutAnOrderAndAnotherBrickIsChosen() {
        ParityCluster cluster = withOneBackup(6, TWO_ONE);
        Member backup = cluster.column(0).backups().getFirst();
        cluster.brick(cluster.column(0).brick()).missed.add(backup.brick());
        cluster.beat(2);
        assertThat(cluster.column(0).backups()).isEmpty();
        assertThat(cluster.state().leaves()).isEmpty();
        answerAtOnce(cluster);
        cluster.beat(CONVERTED);
        assertConverted(cluster, 2);
        assertThat(cluster.column(0).members()).doesNotContain(backup);
    }

    @Test
    void aPrimaryThatDiesIsDecodedAndItsBackupLeaves() {
        ParityCluster cluster = withOneBackup(6, TWO_ONE);
        cluster.answers(order -> MigrationState.SHIPPING);
        Place before = cluster.column(0);
        cluster.kill(before.brick());
        cluster.beat(SILENCE);
        assertThat(cluster.group(0).isDegraded(cluster.column(0))).isTrue();
        assertThat(cluster.column(0).backups()).isEmpty();
        assertThat(cluster.state().learners()).as("a repair comes first").isEmpty();
        answerAtOnce(cluster);
        cluster.beat(CONVERTED);
        assertConverted(cluster, 2);
    }

    /** The bricks are as few as the conversion needs, so no brick can take the parity that is lost. */
    @Test
    void aParityThatNoBrickCanTakeHoldsNothingUp() {
        ParityCluster cluster = withOneBackup(3, TWO_ONE);
        cluster.kill(cluster.group(0).parities().members().getFirst().brick());
        cluster.beat(SILENCE);
        assertThat(cluster.health().missingParities()).isEqualTo(1);
        answerAtOnce(cluster);
        cluster.beat(CONVERTED);
        assertConverted(cluster, 2);
    }

    @Test
    void whileNoBrickCanTakeABackupTheStatusTellsWhatIsMissing() {
        ParityCluster cluster = cluster(4, TWO_ONE, 2);
        convert(cluster, 3);
        int brick = cluster.column(1).brick();
        cluster.kill(brick);
        answerAtOnce(cluster);
        cluster.beat(CONVERTED);
        assertThat(cluster.health().obstacle())
                .isEqualTo("the conversion to 3 replicas needs 4 bricks, and 3 are up; 1 more are missing");
        assertThat(cluster.restart(brick)).isTrue();
        cluster.beat(CONVERTED);
        assertConverted(cluster, 3);
    }

    @Test
    void aGroupDoesNotEndWhileAMemberIsSilent() {
        ParityCluster cluster = cluster(5, TWO_ONE, 2);
        cluster.hanging.add(cluster.column(1).brick());
        cluster.beat(3);
        convert(cluster, 1);
        cluster.beat(2);
        assertThat(cluster.group(0).standsOnReplicas()).isFalse();
    }

    @Test
    void moreLossesThanTheParitiesBearAreALossAlsoWithABackup() {
        ParityCluster cluster = withOneBackup(7, TWO_ONE);
        List<Integer> bricks = List.of(
                cluster.column(0).brick(),
                cluster.group(0).parities().members().getFirst().brick());
        bricks.forEach(cluster::kill);
        cluster.beat(SILENCE);
        bricks.forEach(brick -> assertThat(cluster.restart(brick)).isTrue());
        cluster.beat(2);
        assertThat(cluster.column(0).lost()).isTrue();
        assertThat(cluster.health().obstacle()).isEqualTo("partitions are lost; accept their loss");
        cluster.acceptLoss();
        answerAtOnce(cluster);
        cluster.beat(CONVERTED);
        assertConverted(cluster, 2);
    }

    @Test
    void aGroupThatStandsOnReplicasIsFollowedByItsBackupWhileOthersStandOnParity() {
        ParityCluster cluster = cluster(6, TWO_ONE, 4);
        cluster.answersJoins(order -> order.receiver() < 2 ? MigrationState.HANDED_OVER : MigrationState.SHIPPING);
        convert(cluster, 2);
        cluster.beat(SILENCE);
        assertThat(cluster.group(0).standsOnReplicas()).isTrue();
        assertThat(cluster.group(1).standsOnReplicas()).isFalse();
        assertThat(cluster.health().groupsConverted()).isEqualTo(1);
        Place before = cluster.column(0);
        cluster.kill(before.brick());
        cluster.beat(SILENCE);
        assertThat(cluster.column(0).primary()).isEqualTo(before.backups().getFirst());
        assertThat(cluster.group(0).parities().present()).isEmpty();
        answerAtOnce(cluster);
        cluster.beat(CONVERTED);
        assertConverted(cluster, 2);
    }
}
