package io.sdds.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.client.ClusterStatus;
import io.sdds.client.ClusterStatus.BrickStatus;
import io.sdds.client.ClusterStatus.CoordinatorStatus;
import io.sdds.client.ClusterStatus.Member;
import io.sdds.client.ClusterStatus.MigrationTotals;
import io.sdds.client.ClusterStatus.PartitionStatus;
import io.sdds.client.ClusterStatus.SplitStatus;
import io.sdds.client.TableInfo;
import io.sdds.client.TableInfo.Health;
import io.sdds.client.TableOptions;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.TableKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SurvivalTest {
    private static final MigrationTotals NO_MIGRATIONS =
            new MigrationTotals(0, 0, 0, 0, 0, Duration.ZERO, Duration.ZERO, 0, 0, 0);

    private static BrickStatus brick(int number, boolean up) {
        return brick(number, 1, up);
    }

    private static BrickStatus brick(int number, long incarnation, boolean up) {
        String address = "127.0.0.1:" + number;
        return new BrickStatus(
                "b" + number,
                number,
                incarnation,
                address,
                up,
                Duration.ZERO,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                false,
                0,
                NO_MIGRATIONS,
                "",
                1);
    }

    private static TableInfo table(int replicas) {
        TableOptions options = TableOptions.capacity(1000).withReplicas(replicas);
        return new TableInfo(1, "t", TableKind.HASH, options, 1, 5, 50, 0);
    }

    private static Survival survival(boolean secondUp, boolean coordinatorUp, boolean lost) {
        return survival(secondUp, coordinatorUp, lost, 1, List.of());
    }

    private static Survival survival(
            boolean secondUp, boolean coordinatorUp, boolean lost, int replicas, List<String> backups) {
        return survival(secondUp, coordinatorUp, lost, replicas, backups, List.of());
    }

    private static Survival survival(
            boolean secondUp,
            boolean coordinatorUp,
            boolean lost,
            int replicas,
            List<String> backups,
            List<SplitStatus> splits) {
        return new Survival(status(secondUp, coordinatorUp, lost, replicas, backups, splits), Map.of());
    }

    private static PartitionStatus partition(boolean lost, List<String> backups) {
        List<Member> members = new ArrayList<>(List.of(member("b1")));
        backups.forEach(backup -> members.add(member(backup)));
        return new PartitionStatus(
                1, 0, 0, "b1", lost, 5, 50, KeySpan.ALL, backups, lost ? List.of() : List.copyOf(members), List.of());
    }

    private static Member member(String brick) {
        return new Member(Integer.parseInt(brick.substring(1)), 1);
    }

    private static ClusterStatus status(
            boolean secondUp,
            boolean coordinatorUp,
            boolean lost,
            int replicas,
            List<String> backups,
            List<SplitStatus> splits) {
        return new ClusterStatus(
                7,
                "c1",
                List.of(
                        new CoordinatorStatus("c1", "127.0.0.1:1", true, true, Duration.ZERO),
                        new CoordinatorStatus("c2", "127.0.0.1:2", false, coordinatorUp, Duration.ZERO)),
                List.of(brick(1, true), brick(2, secondUp)),
                List.of(table(replicas)),
                splits,
                List.of(partition(lost, backups)),
                1,
                List.of(),
                0);
    }

    @Test
    void theOnlyHolderOfAPartitionIsNotKilledButMayBePaused() {
        Survival survival = survival(true, true, false);
        assertThat(survival.survivesKillOf(Set.of("b1"))).isFalse();
        assertThat(survival.survivesPauseOf(Set.of("b1"))).isTrue();
    }

    @Test
    void withATableOfOneCopyNoBrickIsKilledForItMaySplitThereNow() {
        assertThat(survival(true, true, false).survivesKillOf(Set.of("b2"))).isFalse();
    }

    @Test
    void ofTwoCopiesAnyMayGoAsLongAsTheOtherIsWell() {
        Survival two = survival(true, true, false, 2, List.of("b2"));
        assertThat(two.survivesKillOf(Set.of("b1")) && two.survivesKillOf(Set.of("b2")))
                .isTrue();
        assertThat(two.survivesPauseOf(Set.of("b1")) && two.survivesPauseOf(Set.of("b2")))
                .isTrue();
        Survival one = survival(false, true, false, 2, List.of("b2"));
        assertThat(one.survivesKillOf(Set.of("b1"))).isFalse();
        assertThat(one.survivesPauseOf(Set.of("b1"))).isFalse();
    }

    @Test
    void aGroupThatASplitMayHaveMadeCountsAsTheOthersDo() {
        SplitStatus split = new SplitStatus(1, 0, 1, false, "b1", "b1", List.of(member("b1"), member("b2")), 0, 0);
        List<SplitStatus> splits = List.of(split);
        Survival both = survival(true, true, false, 2, List.of("b2"), splits);
        assertThat(both.survivesKillOf(Set.of("b1")) && both.survivesKillOf(Set.of("b2")))
                .isTrue();
        SplitStatus elsewhere = new SplitStatus(1, 0, 1, false, "b1", "b2", List.of(member("b2"), member("b3")), 0, 0);
        Survival thirdIsGone = survival(true, true, false, 2, List.of("b2"), List.of(elsewhere));
        assertThat(thirdIsGone.survivesKillOf(Set.of("b2"))).isFalse();
    }

    @Test
    void whoWasKilledIsNotWellUntilItsNextProcessIsHeardThoughTheCoordinatorDoesNotKnow() {
        ClusterStatus status = status(true, true, false, 2, List.of("b2"), List.of());
        Survival before = new Survival(status, Map.of("b2", 1L));
        assertThat(before.isWhole()).isFalse();
        assertThat(before.survivesKillOf(Set.of("b1"))).isFalse();
        assertThat(before.trouble()).contains("bricks down: [b2]");
        Survival after = new Survival(status, Map.of("b2", 0L));
        assertThat(after.isWhole()).isTrue();
        assertThat(after.survivesKillOf(Set.of("b1"))).isTrue();
    }

    @Test
    void isNotWholeWhileCopiesAreMissing() {
        assertThat(survival(true, true, false, 2, List.of("b2")).isWhole()).isTrue();
        Survival missing = survival(true, true, false, 2, List.of());
        assertThat(missing.isWhole()).isFalse();
        assertThat(missing.trouble()).endsWith("copies missing: 1");
    }

    @Test
    void isWholeOnlyWhenAllAreHeardAndNothingIsLost() {
        assertThat(survival(true, true, false).isWhole()).isTrue();
        assertThat(survival(false, true, false).isWhole()).isFalse();
        assertThat(survival(true, false, false).isWhole()).isFalse();
        assertThat(survival(true, true, true).isWhole()).isFalse();
        assertThat(survival(false, false, true).trouble())
                .isEqualTo("coordinators down: [c2], bricks down: [b2], partitions lost: 1, copies missing: 0");
    }

    /** Three copies on three bricks, of which some were started again since. */
    private static Survival ofThree(Map<String, Long> killed, Map<Integer, Long> incarnations, List<String> backups) {
        List<BrickStatus> bricks = IntStream.rangeClosed(1, 3)
                .mapToObj(number -> brick(number, incarnations.getOrDefault(number, 1L), true))
                .toList();
        ClusterStatus status = new ClusterStatus(
                7,
                "c1",
                List.of(new CoordinatorStatus("c1", "127.0.0.1:1", true, true, Duration.ZERO)),
                bricks,
                List.of(table(3)),
                List.of(),
                List.of(partition(false, backups)),
                1,
                List.of(),
                0);
        return new Survival(status, killed);
    }

    @Test
    void ofThreeCopiesAnyTwoMayGoAtOnceButNotAllThree() {
        Survival three = ofThree(Map.of(), Map.of(), List.of("b2", "b3"));
        assertThat(three.survivesKillOf(Set.of("b1", "b2"))).isTrue();
        assertThat(three.survivesKillOf(Set.of("b2", "b3"))).isTrue();
        assertThat(three.survivesPauseOf(Set.of("b1", "b3"))).isTrue();
        assertThat(three.survivesKillOf(Set.of("b1", "b2", "b3"))).isFalse();
        assertThat(three.survivesPauseOf(Set.of("b1", "b2", "b3"))).isFalse();
    }

    @Test
    void ofTwoCopiesNoTwoThatHoldThemMayGoAtOnce() {
        Survival two = ofThree(Map.of(), Map.of(), List.of("b2"));
        assertThat(two.survivesKillOf(Set.of("b1", "b2"))).isFalse();
        assertThat(two.survivesKillOf(Set.of("b1", "b3"))).isTrue();
    }

    @Test
    void aMemberThatWasKilledIsGoneThoughItsBricksNextProcessIsHeard() {
        Survival known = ofThree(Map.of("b3", 1L), Map.of(3, 2L), List.of("b2", "b3"));
        assertThat(known.isAwareOfKills()).isTrue();
        assertThat(known.survivesKillOf(Set.of("b1"))).isTrue();
        assertThat(known.survivesKillOf(Set.of("b1", "b2"))).isFalse();
        assertThat(known.isWhole()).isFalse();
        assertThat(known.trouble()).endsWith("copies missing: 1");
        Survival notKnown = ofThree(Map.of("b3", 1L), Map.of(), List.of("b2", "b3"));
        assertThat(notKnown.isAwareOfKills()).isFalse();
        assertThat(notKnown.survivesKillOf(Set.of("b1", "b2"))).isFalse();
    }

    /** A table with parity 2,2 on five bricks, of which the fifth holds no member of its group. */
    private static Survival withParity(Health health, BrickStatus fifth) {
        TableOptions options = TableOptions.parity(2, 2).withPartitions(2);
        TableInfo table = new TableInfo(1, "t", TableKind.HASH, options, 2, 5, 50, 0, health);
        List<BrickStatus> bricks = new ArrayList<>(
                IntStream.rangeClosed(1, 4).mapToObj(n -> brick(n, true)).toList());
        bricks.add(fifth);
        ClusterStatus status = new ClusterStatus(
                7,
                "c1",
                List.of(new CoordinatorStatus("c1", "127.0.0.1:1", true, true, Duration.ZERO)),
                bricks,
                List.of(table),
                List.of(),
                List.of(partition(false, List.of())),
                1,
                List.of(),
                0);
        return new Survival(status, Map.of());
    }

    @Test
    void ofATableWithParityAsManyBricksMayGoAsItCanLose() {
        Survival two = withParity(new Health(2, 0, 0, 0, false), brick(5, true));
        assertThat(two.survivesKillOf(Set.of("b1", "b5"))).isTrue();
        assertThat(two.survivesPauseOf(Set.of("b1", "b5"))).isTrue();
        assertThat(two.survivesKillOf(Set.of("b1", "b2", "b3"))).isFalse();
        Survival one = withParity(new Health(1, 0, 1, 0, false), brick(5, true));
        assertThat(one.survivesKillOf(Set.of("b1"))).isTrue();
        assertThat(one.survivesPauseOf(Set.of("b1", "b2"))).isFalse();
        assertThat(withParity(Health.UNKNOWN, brick(5, true)).survivesKillOf(Set.of("b1")))
                .isFalse();
    }

    @Test
    void aBrickThatIsDownCountsAsLostForATableWithParity() {
        Survival survival = withParity(new Health(2, 0, 0, 0, false), brick(5, false));
        assertThat(survival.survivesKillOf(Set.of("b1"))).isTrue();
        assertThat(survival.survivesKillOf(Set.of("b5", "b1"))).isTrue();
        assertThat(survival.survivesKillOf(Set.of("b1", "b2"))).isFalse();
    }

    @Test
    void aTableWithParityIsWholeWhenItsGroupsLackNoMember() {
        assertThat(withParity(new Health(2, 0, 0, 0, false), brick(5, true)).isWhole())
                .isTrue();
        Survival lacking = withParity(new Health(0, 1, 1, 1, true), brick(5, true));
        assertThat(lacking.isWhole()).isFalse();
        assertThat(lacking.trouble()).endsWith("members of parity groups lacking: 3");
    }

    @Test
    void aTableWithParityIsNotWholeWhilePartitionsOfAGroupShareABrick() {
        Survival crowded = withParity(new Health(0, 0, 0, 0, false, 0, 0, 0, "", 0, 0, false, 2, 0), brick(5, true));
        assertThat(crowded.isWhole()).isFalse();
        assertThat(crowded.trouble()).endsWith("partitions to move apart: 2");
    }

    @Test
    void whoLeadsAGroupIsItsPrimary() {
        Survival three = ofThree(Map.of(), Map.of(), List.of("b2", "b3"));
        assertThat(three.leads("b1")).isTrue();
        assertThat(three.leads("b2")).isFalse();
    }
}
