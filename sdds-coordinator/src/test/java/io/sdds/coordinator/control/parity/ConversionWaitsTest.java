package io.sdds.coordinator.control.parity;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.FakeBrick;
import io.sdds.coordinator.control.ParityCluster;
import io.sdds.coordinator.control.base.InMemoryLog;
import io.sdds.core.control.ControlMessage.AlterParity;
import io.sdds.core.control.ControlMessage.AlterReplicas;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableKind;
import io.sdds.core.node.FakeWorld;
import org.junit.jupiter.api.Test;

/** What the status tells of a conversion that has not got further for a while. */
class ConversionWaitsTest {
    private static final Parity TWO_ONE = new Parity(2, 1);

    /** Heartbeats of a moment. */
    private static final int SOON = 12;

    /** Heartbeats after which a conversion has taken long. */
    private static final int LONG = (int) (ConversionWaits.PATIENCE_NANOS / ParityCluster.BEAT.toNanos()) + SOON;

    private static ParityCluster cluster(int bricks) {
        ParityCluster cluster = new ParityCluster(new FakeWorld(1), new InMemoryLog(), bricks);
        return cluster;
    }

    private static ParityCluster toParity(int bricks, int replicas, int partitions) {
        ParityCluster cluster = cluster(bricks);
        cluster.createCopies(TableKind.HASH, replicas, partitions);
        cluster.ask(new AlterParity("t", TWO_ONE));
        return cluster;
    }

    private static ParityCluster toReplicas(int bricks, int replicas) {
        ParityCluster cluster = cluster(bricks);
        cluster.create(TWO_ONE, 2);
        cluster.ask(new AlterReplicas("t", replicas));
        return cluster;
    }

    private static void assertTellsAfterLong(ParityCluster cluster, String expected) {
        cluster.beat(SOON);
        assertThat(cluster.health().obstacle()).isEmpty();
        cluster.beat(LONG);
        assertThat(cluster.health().groupsToConvert()).isPositive();
        assertThat(cluster.health().obstacle()).isEqualTo(expected);
    }

    // ---- to parity

    @Test
    void primariesThatDoNotGiveAllRecordsRanksAreTold() {
        ParityCluster cluster = toParity(4, 2, 2);
        assertTellsAfterLong(cluster, "partitions 0, 1 have records without ranks");
        cluster.ranks(partition -> partition == 0);
        cluster.beat(SOON);
        assertThat(cluster.health().obstacle()).as("a step further").isEmpty();
        cluster.beat(LONG);
        assertThat(cluster.health().obstacle()).isEqualTo("partition 1 has records without ranks");
    }

    @Test
    void aParityThatIsNeverBuiltIsTold() {
        ParityCluster cluster = toParity(4, 2, 2);
        cluster.ranks(partition -> true);
        assertTellsAfterLong(cluster, "brick b4 is to hold parity 0 of group 0 of table t");
    }

    /** Orders that come and go are no progress. */
    @Test
    void aParityThatNoBrickManagesToBuildIsTold() {
        ParityCluster cluster = toParity(4, 2, 2);
        cluster.ranks(partition -> true);
        cluster.answers(order -> MigrationState.ABANDONED);
        assertTellsAfterLong(
                cluster, "parity 0 of group 0 waits for a brick that has not failed lately and builds fewer others");
    }

    @Test
    void aCopyThatIsInTheWayAndNeverComesElsewhereIsTold() {
        ParityCluster cluster = toParity(4, 3, 2);
        cluster.ranks(partition -> true);
        assertTellsAfterLong(cluster, "brick b4 is to get a copy of table t partition 0");
    }

    @Test
    void aSilentProcessThatMayHaveTheOnlyCopyIsTold() {
        ParityCluster cluster = toParity(5, 1, 2);
        int brick = cluster.column(0).brick();
        cluster.kill(brick);
        cluster.ranks(partition -> true);
        assertTellsAfterLong(cluster, "brick b" + brick + " of group 0 is silent");
    }

    @Test
    void aMemberThatIsToLeaveAndDoesNotIsTold() {
        ParityCluster cluster = toParity(4, 3, 2);
        cluster.answersJoins(order -> MigrationState.HANDED_OVER);
        cluster.keepsCopies();
        cluster.beat(SOON);
        assertThat(cluster.state().leaves()).isNotEmpty();
        int partition = cluster.state().leaves().getFirst().partition();
        Member leaver = cluster.state().leaves().getFirst().leaver();
        cluster.beat(LONG);
        assertThat(cluster.health().obstacle())
                .isEqualTo("brick b" + leaver.brick() + " is to give up its copy of partition " + partition);
    }

    @Test
    void aMemberThatDoesNotKnowThePresentMapIsTold() {
        ParityCluster cluster = toParity(4, 2, 2);
        FakeBrick backup = cluster.brick(cluster.column(1).backups().getFirst().brick());
        backup.mapStands = true;
        cluster.answerAtOnce();
        cluster.ranks(partition -> true);
        assertTellsAfterLong(
                cluster, "brick " + backup.id + " of group 0 was not heard lately with the present map of the table");
    }

    // ---- to replicas

    @Test
    void aBackupThatNeverComesIsTold() {
        assertTellsAfterLong(toReplicas(4, 2), "brick b4 is to get a copy of table t partition 0");
    }

    @Test
    void aBackupThatNoBrickManagesToGetIsTold() {
        ParityCluster cluster = toReplicas(4, 2);
        cluster.answersJoins(order -> MigrationState.ABANDONED);
        cluster.beat(LONG);
        assertThat(cluster.health().obstacle())
                .isEqualTo("a copy of partition 0 waits for a brick that has not failed lately and takes fewer other"
                        + " copies");
    }

    @Test
    void processesThatAreSilentAndMayBeNeededAreTold() {
        ParityCluster cluster = toReplicas(6, 2);
        int column = cluster.column(0).brick();
        int parity = cluster.group(0).parities().members().getFirst().brick();
        cluster.kill(column);
        cluster.kill(parity);
        cluster.beat(LONG);
        assertThat(cluster.health().obstacle())
                .isEqualTo("brick b" + parity + ", brick b" + column + " of group 0 are silent");
    }

    @Test
    void aColumnThatIsNeverRecoveredIsTold() {
        ParityCluster cluster = toReplicas(6, 2);
        cluster.kill(cluster.column(0).brick());
        cluster.beat(LONG);
        assertThat(cluster.health().obstacle()).matches("table t partition 0 is to be recovered on brick b\\d");
    }
}
