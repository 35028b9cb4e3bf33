package io.sdds.coordinator.control.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.coordinator.control.FakeBrick;
import io.sdds.coordinator.control.HoldingLog;
import io.sdds.coordinator.control.ParityCluster;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.core.Seeds;
import io.sdds.core.control.ControlMessage.MigrationState;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.model.DrainAction;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Place;
import io.sdds.core.node.FakeWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Placement settles. Bricks with columns of random sizes die, come back and are drained by chance. When that ends,
 * repairs, moves of columns apart, drains and balance by bytes bring each table to rest, and nothing moves any more.
 */
class PlacementSettlesPropertyTest {
    private static final int GROUPS = 5;
    private static final int STEPS = 150;
    private static final long COLUMN_BYTES_MAX = 20L << 20;

    /** Heartbeats in which everything comes to rest: balance moves one column at a time. */
    private static final int PATIENCE = 400;

    /** Heartbeats at rest: several times the time after which balance looks. */
    private static final int REST = 120;

    static IntStream runs() {
        return IntStream.range(0, Seeds.part(30));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void columnsStandApartAndNothingMovesInTheEnd(int run) {
        SplittableRandom random = new SplittableRandom(Seeds.next("placement settles", run));
        Parity parity = new Parity(random.nextBoolean() ? 2 : 4, random.nextInt(1, 3));
        int count = parity.bricks() + random.nextInt(parity.parities() + 2);
        ParityCluster cluster = new ParityCluster(new FakeWorld(random.nextLong()), new HoldingLog(), count);
        cluster.create(parity, GROUPS * parity.columns());
        long[] bytes = random.longs(GROUPS * (long) parity.columns(), 0, COLUMN_BYTES_MAX)
                .toArray();
        SplittableRandom fates = random.split();
        cluster.answers(order -> fates.nextInt(20) == 0
                ? MigrationState.ABANDONED
                : order.isRecovery()
                                && cluster.column(order.receiver()).primary().equals(order.learner())
                        ? MigrationState.FILLED
                        : MigrationState.HANDED_OVER);
        disturb(cluster, random, bytes);
        calm(cluster);
        beat(cluster, bytes, PATIENCE);
        assertThat(cluster.state().migrations()).isEmpty();
        assertThat(cluster.groups()).allMatch(PlacementSettlesPropertyTest::standsApart);
        long version = cluster.state().version();
        beat(cluster, bytes, REST);
        assertThat(cluster.state().version()).isEqualTo(version);
    }

    private static void disturb(ParityCluster cluster, SplittableRandom random, long[] bytes) {
        int bricks = cluster.bricks.size();
        for (int step = 0; step < STEPS; step++) {
            int brick = random.nextInt(1, bricks + 1);
            switch (random.nextInt(20)) {
                case 0 -> kill(cluster, brick);
                case 1, 2 -> restart(cluster, brick);
                case 3 -> drain(cluster, brick, random.nextBoolean() ? DrainAction.BEGIN : DrainAction.CANCEL);
                default -> {}
            }
            beat(cluster, bytes, 1);
        }
    }

    /** Kills a brick if each group can decode what it lacks then. */
    private static void kill(ParityCluster cluster, int brick) {
        boolean survives = cluster.groups().stream()
                .allMatch(
                        group -> group.lacking(process -> process.brick() == brick || cluster.killed.contains(process))
                                <= group.tolerated());
        if (survives && !cluster.isDead(cluster.brick(brick))) {
            cluster.kill(brick);
        }
    }

    private static void restart(ParityCluster cluster, int brick) {
        if (cluster.isDead(cluster.brick(brick))) {
            cluster.restart(brick);
        }
    }

    private static void drain(ParityCluster cluster, int brick, DrainAction action) {
        if (!cluster.isDead(cluster.brick(brick))) {
            cluster.drain(brick, action);
        }
    }

    /** All bricks come back, and no brick is drained any more. */
    private static void calm(ParityCluster cluster) {
        for (int brick = 1; brick <= cluster.bricks.size(); brick++) {
            while (cluster.isDead(cluster.brick(brick)) && !cluster.restart(brick)) {
                cluster.beat(1);
            }
            drain(cluster, brick, DrainAction.CANCEL);
        }
    }

    /** Heartbeats with the loads of the columns that each brick holds. */
    private static void beat(ParityCluster cluster, long[] bytes, int times) {
        for (int k = 0; k < times; k++) {
            for (FakeBrick brick : cluster.bricks) {
                brick.loads.clear();
                brick.loads.addAll(loads(cluster, brick, bytes));
            }
            cluster.beat(1);
        }
    }

    private static List<PartitionLoad> loads(ParityCluster cluster, FakeBrick brick, long[] bytes) {
        List<PartitionLoad> loads = new ArrayList<>();
        for (int column = 0; column < bytes.length; column++) {
            Place place = cluster.column(column);
            if (place.primary().equals(ParityCluster.process(brick))) {
                loads.add(new PartitionLoad(ParityCluster.TABLE, column, 0, 1, bytes[column], 0));
            }
        }
        return loads;
    }

    private static boolean standsApart(ParityGroup group) {
        return group.lacking(process -> false) == 0
                && group.processes().size() == group.columns().size() + group.tolerated();
    }
}
