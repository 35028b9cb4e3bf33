package io.sdds.coordinator.control.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.ParityCluster;
import io.sdds.coordinator.control.base.InMemoryLog;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.AlterReplicas;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.SplitWanted;
import io.sdds.core.control.ControlMessage.TableHealth;
import io.sdds.core.model.Parity;
import io.sdds.core.model.TableKind;
import io.sdds.core.node.FakeWorld;
import org.junit.jupiter.api.Test;

/** How a coordinator changes the number of replicas of a table (docs/design/parity.md, rule 35). */
class ReplicaAlterationsTest {
    private static final int CHANGED = 60;

    private static ParityCluster cluster(int bricks, int replicas, int partitions) {
        ParityCluster cluster = new ParityCluster(new FakeWorld(1), new InMemoryLog(), bricks);
        cluster.createCopies(TableKind.HASH, replicas, partitions);
        cluster.answersJoins(order -> MigrationState.HANDED_OVER);
        return cluster;
    }

    private static ControlMessage alter(ParityCluster cluster, int replicas) {
        return cluster.ask(new AlterReplicas("t", replicas));
    }

    private static void assertHasReplicas(ParityCluster cluster, int replicas) {
        assertThat(cluster.state().table(ParityCluster.TABLE).definition().replicas())
                .isEqualTo(replicas);
        for (int a = 0; a < cluster.state().columns(ParityCluster.TABLE); a++) {
            assertThat(cluster.column(a).members()).hasSize(replicas);
        }
        assertThat(cluster.health()).isEqualTo(new TableHealth(replicas - 1, 0, 0, 0, false));
        assertThat(cluster.state().learners()).isEmpty();
        assertThat(cluster.state().leaves()).isEmpty();
    }

    @Test
    void anyNumberOfReplicasBecomesAnyOther() {
        for (int before = 1; before <= 4; before++) {
            for (int after = 1; after <= 4; after++) {
                ParityCluster cluster = cluster(5, before, 3);
                assertThat(alter(cluster, after)).isInstanceOf(Done.class);
                cluster.beat(CHANGED);
                assertHasReplicas(cluster, after);
            }
        }
    }

    @Test
    void theHealthCountsTheCopiesThatAreMissingOrLeave() {
        ParityCluster cluster = cluster(4, 2, 3);
        cluster.answersJoins(order -> MigrationState.SHIPPING);
        alter(cluster, 3);
        assertThat(cluster.health()).isEqualTo(new TableHealth(1, 0, 0, 0, false, 0, 0, 0, "", 3, 0, 0, 0));
        cluster.kill(4);
        cluster.beat(CHANGED);
        cluster.kill(3);
        cluster.beat(CHANGED);
        assertThat(cluster.health().obstacle())
                .isEqualTo("3 replicas need as many bricks, and 2 are up; 1 more are missing");
        cluster.client().send(new AlterReplicas("t", 1));
        cluster.world.run(ParityCluster.COMMIT);
        assertThat(cluster.health()).isEqualTo(new TableHealth(0, 0, 0, 0, false, 0, 0, 0, "", 0, 1, 0, 0));
    }

    @Test
    void requestsThatCannotBeDoneAreRefusedInOneLine() {
        ParityCluster cluster = cluster(3, 2, 1);
        assertThat(alter(cluster, 2)).isInstanceOf(Done.class);
        assertThat(alter(cluster, 4))
                .isEqualTo(new Refused(
                        Refusal.TOO_FEW_BRICKS, "4 replicas need as many bricks, and 3 are up; 1 more are missing"));
        assertThat(((Refused) alter(cluster, 0)).reason()).isEqualTo(Refusal.BAD_REQUEST);
        assertThat(((Refused) alter(cluster, 6)).reason()).isEqualTo(Refusal.BAD_REQUEST);
        assertThat(((Refused) cluster.ask(new AlterReplicas("none", 2))).reason())
                .isEqualTo(Refusal.NO_SUCH_TABLE);
    }

    @Test
    void aTableIsNotAlteredWhileItIsConvertedToParity() {
        ParityCluster cluster = cluster(5, 2, 2);
        cluster.ask(new ControlMessage.AlterParity("t", new Parity(2, 1)));
        assertThat(alter(cluster, 3))
                .isEqualTo(
                        new Refused(Refusal.NOT_READY, "table 't' is being converted to parity 2,1; wait until it is"));
    }

    @Test
    void aChangeWaitsForSplitsUnderWayAndHoldsOthersBack() {
        ParityCluster cluster = cluster(5, 1, 2);
        cluster.brick(cluster.column(0).brick()).wanted.add(new SplitWanted(ParityCluster.TABLE, 0));
        cluster.beat(2);
        assertThat(cluster.state().splits()).hasSize(1);
        assertThat(alter(cluster, 2)).isNull();
        assertThat(((Refused) alter(cluster, 3)).text()).isEqualTo("table 't' is about to be altered; try again");
        cluster.bricks.forEach(brick -> brick.wanted.clear());
        cluster.answersSplits(order -> MigrationState.HANDED_OVER);
        cluster.beat(CHANGED);
        assertHasReplicas(cluster, 2);
    }
}
