package io.sdds.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.control.ControlMessage.BrickStatus;
import io.sdds.core.control.ControlMessage.ClusterStatus;
import io.sdds.core.control.ControlMessage.CoordinatorStatus;
import io.sdds.core.control.ControlMessage.PartitionStatus;
import io.sdds.core.control.ControlMessage.SplitStatus;
import io.sdds.core.control.ControlMessage.TableStatus;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.Place;
import io.sdds.core.model.SplitOrder;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SurvivalTest {
    private static BrickStatus brick(int number, boolean up) {
        BrickInfo info = new BrickInfo(number, "b" + number, 1, "127.0.0.1:" + number);
        return new BrickStatus(info, up, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false);
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

    private static ClusterStatus status(
            boolean secondUp,
            boolean coordinatorUp,
            boolean lost,
            int replicas,
            List<String> backups,
            List<SplitStatus> splits) {
        TableDefinition table =
                new TableDefinition(1, "t", TableKind.HASH, SplitPolicy.DEFAULT, 1000, 0, 0, replicas, 1);
        return new ClusterStatus(
                7,
                "c1",
                List.of(
                        new CoordinatorStatus("c1", "127.0.0.1:1", true, true, 0),
                        new CoordinatorStatus("c2", "127.0.0.1:2", false, coordinatorUp, 0)),
                List.of(brick(1, true), brick(2, secondUp)),
                List.of(new TableStatus(new TableMap(table, 1, 1), 5, 50, 0)),
                splits,
                List.of(new PartitionStatus(1, 0, 0, "b1", lost, 5, 50, KeySpan.ALL, backups)),
                1,
                List.of());
    }

    @Test
    void theOnlyHolderOfAPartitionIsNotKilledButMayBePaused() {
        Survival survival = survival(true, true, false);
        assertThat(survival.survivesKillOf("b1")).isFalse();
        assertThat(survival.survivesPauseOf("b1")).isTrue();
    }

    @Test
    void withATableOfOneCopyNoBrickIsKilledForItMaySplitThereNow() {
        assertThat(survival(true, true, false).survivesKillOf("b2")).isFalse();
    }

    @Test
    void ofTwoCopiesAnyMayGoAsLongAsTheOtherIsWell() {
        Survival two = survival(true, true, false, 2, List.of("b2"));
        assertThat(two.survivesKillOf("b1") && two.survivesKillOf("b2")).isTrue();
        assertThat(two.survivesPauseOf("b1") && two.survivesPauseOf("b2")).isTrue();
        Survival one = survival(false, true, false, 2, List.of("b2"));
        assertThat(one.survivesKillOf("b1")).isFalse();
        assertThat(one.survivesPauseOf("b1")).isFalse();
    }

    @Test
    void aGroupThatASplitMayHaveMadeCountsAsTheOthersDo() {
        Place child = Place.of(List.of(new Place.Member(1, 1), new Place.Member(2, 1)), 3, 1);
        SplitOrder order = new SplitOrder(1, 0, 1, 0, 3, new Place(1, 1, 0), child, false);
        List<SplitStatus> splits = List.of(new SplitStatus(order, "b1", "b1", 0, 0));
        Survival both = survival(true, true, false, 2, List.of("b2"), splits);
        assertThat(both.survivesKillOf("b1") && both.survivesKillOf("b2")).isTrue();
        Place elsewhere = Place.of(List.of(new Place.Member(2, 1), new Place.Member(3, 1)), 3, 1);
        SplitOrder other = new SplitOrder(1, 0, 1, 0, 3, new Place(1, 1, 0), elsewhere, false);
        Survival thirdIsGone =
                survival(true, true, false, 2, List.of("b2"), List.of(new SplitStatus(other, "b1", "b2", 0, 0)));
        assertThat(thirdIsGone.survivesKillOf("b2")).isFalse();
    }

    @Test
    void whoWasKilledIsNotWellUntilItsNextProcessIsHeardThoughTheCoordinatorDoesNotKnow() {
        ClusterStatus status = status(true, true, false, 2, List.of("b2"), List.of());
        Survival before = new Survival(status, Map.of("b2", 1L));
        assertThat(before.isWhole()).isFalse();
        assertThat(before.survivesKillOf("b1")).isFalse();
        assertThat(before.trouble()).contains("bricks down: [b2]");
        Survival after = new Survival(status, Map.of("b2", 0L));
        assertThat(after.isWhole()).isTrue();
        assertThat(after.survivesKillOf("b1")).isTrue();
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
}
