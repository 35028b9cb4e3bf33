package io.sdds.coordinator.control.parity;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.ParityCluster;
import io.sdds.coordinator.control.base.InMemoryLog;
import io.sdds.core.control.ControlMessage.AlterParity;
import io.sdds.core.control.ControlMessage.AlterReplicas;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.TableHealth;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.node.FakeWorld;
import org.junit.jupiter.api.Test;

/** How a coordinator changes the number of parities of a table (docs/design/parity.md, rule 32). */
class ParityAlterationsTest {
    private static final int BUILT = 12;

    /** Heartbeats until a silent brick counts as gone, and some more. */
    private static final int SILENCE = 9;

    private static ParityCluster cluster(int bricks, Parity parity, int partitions) {
        ParityCluster cluster = new ParityCluster(new FakeWorld(1), new InMemoryLog(), bricks);
        cluster.create(parity, partitions);
        return cluster;
    }

    private static Parity parity(ParityCluster cluster) {
        return cluster.state().table(ParityCluster.TABLE).definition().parity();
    }

    private static AlterParity to(int m, int k) {
        return new AlterParity("t", new Parity(m, k));
    }

    @Test
    void aRaiseIsBuiltGroupByGroupAndInForceWhenAllGroupsHaveIt() {
        ParityCluster cluster = cluster(6, new Parity(2, 1), 4);
        assertThat(cluster.ask(to(2, 2))).isInstanceOf(Done.class);
        assertThat(parity(cluster)).isEqualTo(new Parity(2, 2));
        assertThat(cluster.health()).isEqualTo(new TableHealth(1, 0, 0, 2, false));
        assertThat(cluster.state().repairs())
                .hasSize(2)
                .allMatch(order -> order.isParity() && order.parityIndex() == 1);
        MigrationOrder ofSecondGroup = cluster.state().repairs().getLast();
        cluster.answers(order -> order.equals(ofSecondGroup) ? MigrationState.HANDED_OVER : MigrationState.SHIPPING);
        cluster.beat(2);
        assertThat(cluster.health()).as("one group has it").isEqualTo(new TableHealth(1, 0, 0, 1, false));
        cluster.answerAtOnce();
        cluster.beat(BUILT);
        assertThat(cluster.health()).isEqualTo(new TableHealth(2, 0, 0, 0, false));
    }

    @Test
    void theSameRequestAgainChangesNothing() {
        ParityCluster cluster = cluster(4, new Parity(2, 1), 2);
        cluster.ask(to(2, 2));
        long version = cluster.state().version();
        assertThat(cluster.ask(to(2, 2))).isInstanceOf(Done.class);
        assertThat(cluster.state().version()).isEqualTo(version);
    }

    @Test
    void tooFewBricksAreRefusedWithTheNumberThatIsMissing() {
        ParityCluster cluster = cluster(4, new Parity(2, 1), 2);
        assertThat(cluster.ask(to(2, 4)))
                .isEqualTo(new Refused(
                        Refusal.TOO_FEW_BRICKS, "parity 2,4 needs 6 bricks, and 4 are up; 2 more are missing"));
        assertThat(parity(cluster)).isEqualTo(new Parity(2, 1));
    }

    @Test
    void anotherNumberOfColumnsIsRefused() {
        ParityCluster cluster = cluster(6, new Parity(2, 1), 2);
        assertThat(cluster.ask(to(4, 2)))
                .isEqualTo(new Refused(
                        Refusal.BAD_REQUEST, "table 't' has parity 2,1: its M stays 2, and cannot become 4"));
        assertThat(cluster.ask(to(2, 5)))
                .isEqualTo(new Refused(
                        Refusal.BAD_REQUEST,
                        "parity 2,5: M,K is expected, with M 2, 4, 8 or 16 and K 1 to 4, such as 4,2"));
    }

    @Test
    void anUnknownTableIsRefused() {
        ParityCluster cluster = cluster(4, new Parity(2, 1), 2);
        assertThat(((Refused) cluster.ask(new AlterParity("none", new Parity(2, 1)))).reason())
                .isEqualTo(Refusal.NO_SUCH_TABLE);
    }

    @Test
    void aLowerFreesTheHighestIndexes() {
        ParityCluster cluster = cluster(4, new Parity(2, 2), 4);
        assertThat(cluster.ask(to(2, 1))).isInstanceOf(Done.class);
        assertThat(cluster.health()).isEqualTo(new TableHealth(1, 0, 0, 0, false));
        assertThat(cluster.bricks.stream()
                        .mapToInt(brick -> cluster.state().places(brick.self().number()))
                        .sum())
                .isEqualTo(6);
    }

    @Test
    void aLowerDropsARaiseThatIsUnderWay() {
        ParityCluster cluster = cluster(4, new Parity(2, 1), 2);
        cluster.ask(to(2, 2));
        assertThat(cluster.state().repairs()).hasSize(1);
        assertThat(cluster.ask(to(2, 1))).isInstanceOf(Done.class);
        assertThat(cluster.state().repairs()).isEmpty();
        assertThat(cluster.health()).isEqualTo(new TableHealth(1, 0, 0, 0, false));
    }

    /** Two members may be dead: with one parity the records of one of them could not be decoded. */
    @Test
    void aGroupWithTwoSilentMembersIsNotLoweredToOneParity() {
        ParityCluster cluster = cluster(4, new Parity(2, 2), 2);
        cluster.hanging.add(cluster.column(0).brick());
        cluster.hanging.add(cluster.column(1).brick());
        cluster.beat(3);
        assertThat(cluster.ask(to(2, 1)))
                .isEqualTo(new Refused(
                        Refusal.NOT_READY,
                        "parity group 0 of table 't' lacks more members than parity 2,1 can bear;"
                                + " wait until the group is repaired"));
    }

    @Test
    void aNewLeaderLowersNothingBeforeItHasHeardTheMembers() {
        ParityCluster cluster = cluster(4, new Parity(2, 2), 2);
        cluster.hanging.add(cluster.column(0).brick());
        cluster.hanging.add(cluster.column(1).brick());
        cluster.leaderChanges();
        assertThat(((Refused) cluster.ask(to(2, 1))).reason()).isEqualTo(Refusal.NOT_READY);
    }

    private static final int PARTITIONS = 68;

    @Test
    void aTableWithAutoGetsTheParitiesThatItsSizeNeeds() {
        ParityCluster cluster = cluster(4, Parity.auto(2), PARTITIONS);
        assertThat(parity(cluster)).isEqualTo(Parity.auto(2).withParities(2));
        assertThat(cluster.health()).isEqualTo(new TableHealth(2, 0, 0, 0, false));
    }

    @Test
    void aTableWithAutoIsRaisedOnceEnoughBricksAreUp() {
        ParityCluster cluster = cluster(4, new Parity(2, 1), PARTITIONS);
        cluster.kill(4);
        cluster.beat(SILENCE);
        cluster.answerAtOnce();
        cluster.beat(BUILT);
        assertThat(cluster.ask(new AlterParity("t", Parity.auto(2)))).isInstanceOf(Done.class);
        assertThat(parity(cluster)).isEqualTo(Parity.auto(2));
        assertThat(cluster.health().bricksToRaise()).isEqualTo(1);
        assertThat(cluster.restart(4)).isTrue();
        cluster.beat(3);
        assertThat(parity(cluster)).isEqualTo(Parity.auto(2).withParities(2));
        assertThat(cluster.health().bricksToRaise()).isZero();
    }

    @Test
    void autoIsNeverLoweredByItselfAndEndsByARequest() {
        ParityCluster cluster = cluster(5, new Parity(2, 3), 2);
        cluster.ask(new AlterParity("t", Parity.auto(2)));
        cluster.beat(3);
        assertThat(parity(cluster)).isEqualTo(new Parity(2, 3, true));
        cluster.ask(to(2, 1));
        assertThat(parity(cluster)).isEqualTo(new Parity(2, 1));
    }

    @Test
    void impossibleColumnsAreRefusedWithAutoToo() {
        ParityCluster cluster = cluster(3, new Parity(2, 1), 2);
        for (int m : new int[] {0, -1, 5}) {
            assertThat(((Refused) cluster.ask(new AlterParity("t", Parity.auto(m)))).reason())
                    .isEqualTo(Refusal.BAD_REQUEST);
        }
    }

    /** A new leader goes on with the raise: it is in the log. */
    @Test
    void aRaiseGoesOnUnderANewLeader() {
        ParityCluster cluster = cluster(4, new Parity(2, 1), 2);
        cluster.ask(to(2, 2));
        cluster.leaderChanges();
        cluster.answerAtOnce();
        cluster.beat(BUILT);
        assertThat(cluster.health()).isEqualTo(new TableHealth(2, 0, 0, 0, false));
    }

    @Test
    void theParitiesForWritesChangeAloneAndStayWhenKChanges() {
        ParityCluster cluster = cluster(6, new Parity(2, 2), 2);
        assertThat(parity(cluster).minParities()).as("by default").isEqualTo(1);
        assertThat(cluster.ask(new AlterParity("t", new Parity(2, 2).withMinParities(2))))
                .isInstanceOf(Done.class);
        assertThat(parity(cluster)).isEqualTo(new Parity(2, 2).withMinParities(2));
        assertThat(cluster.group(0).epochs()).containsExactly(1L, 1L);
        assertThat(cluster.ask(to(2, 3))).isInstanceOf(Done.class);
        assertThat(parity(cluster)).isEqualTo(new Parity(2, 3).withMinParities(2));
        assertThat(cluster.ask(to(2, 1)))
                .isEqualTo(
                        new Refused(Refusal.BAD_REQUEST, "writes with at least 2 parities of 1: 0 to 1 are allowed"));
        assertThat(cluster.ask(new AlterParity("t", new Parity(2, 1).withMinParities(1))))
                .isInstanceOf(Done.class);
    }

    @Test
    void theParitiesForWritesChangeWhileTheTableIsConverted() {
        ParityCluster cluster = cluster(6, new Parity(2, 2), 2);
        assertThat(cluster.ask(new AlterReplicas("t", 2))).isInstanceOf(Done.class);
        assertThat(cluster.ask(new AlterParity("t", new Parity(2, 2).withMinParities(0))))
                .isInstanceOf(Done.class);
        assertThat(parity(cluster).minParities()).isZero();
        assertThat(cluster.state().table(ParityCluster.TABLE).definition().isConvertingToReplicas())
                .isTrue();
    }
}
