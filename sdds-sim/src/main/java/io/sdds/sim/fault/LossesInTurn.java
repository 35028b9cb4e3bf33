package io.sdds.sim.fault;

import io.sdds.coordinator.state.ClusterState;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.TableMap;
import io.sdds.sim.cluster.SimBrick;
import io.sdds.sim.plan.Fault;
import io.sdds.sim.world.RareEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lets bricks crash one after the other, each as soon as the parity groups have recovered what the one before held, and
 * come back together. Then columns share bricks, because too few bricks are up, and have to move apart.
 */
final class LossesInTurn {
    private static final long LOOK_NANOS = 20_000_000L;

    private final FaultyCluster cluster;
    private final SplittableRandom random;

    LossesInTurn(FaultyCluster cluster) {
        this.cluster = cluster;
        this.random = cluster.simulation().fork("losses in turn");
    }

    void begin(Fault.LoseInTurn fault) {
        next(fault.bricks(), cluster.simulation().nowNanos() + fault.awayNanos());
    }

    /** Crashes the next brick when the groups are repaired, and looks on until the bricks are back. */
    private void next(int left, long backAtNanos) {
        long remaining = backAtNanos - cluster.simulation().nowNanos();
        if (remaining > LOOK_NANOS) {
            boolean mayCrash = left > 0 && !cluster.simulation().network().isHealed();
            int more = mayCrash && crashes(remaining) ? left - 1 : left;
            if (groups().anyMatch(group -> group.columnsToSeparate() > 0)) {
                cluster.simulation().coverage().hit(RareEvent.COLUMNS_SHARED_A_BRICK);
            }
            cluster.simulation().after(LOOK_NANOS, () -> next(more, backAtNanos));
        }
    }

    /** Crashes a brick if the groups are repaired and the brick may crash. Returns whether it did. */
    private boolean crashes(long backAfterNanos) {
        List<SimBrick> running = new ArrayList<>(cluster.bricks());
        running.removeIf(brick -> brick.nodes().isEmpty());
        if (running.isEmpty() || !areRepaired(running)) {
            return false;
        }
        SimBrick victim = running.get(random.nextInt(running.size()));
        cluster.happen(new Fault.Crash(0, victim.name(), backAfterNanos));
        return victim.nodes().isEmpty();
    }

    /** The parity groups of the table; none while nobody knows them. */
    private Stream<ParityGroup> groups() {
        ClusterState state = cluster.truth();
        TableMap table =
                state == null ? null : state.table(cluster.plan().table().name());
        if (state == null || table == null) {
            return Stream.of();
        }
        int id = table.definition().id();
        return IntStream.range(0, state.groups(id)).mapToObj(number -> state.parityGroup(id, number));
    }

    /**
     * Whether each column is on a brick that runs, with all its records. Parities may be missing for want of bricks.
     */
    private boolean areRepaired(List<SimBrick> running) {
        ClusterState state = cluster.truth();
        return state != null && groups().count() > 0 && groups().allMatch(group -> isRepaired(state, group, running));
    }

    private static boolean isRepaired(ClusterState state, ParityGroup group, List<SimBrick> running) {
        return group.areColumnsComplete()
                && group.repairs().stream().noneMatch(MigrationOrder::isRecovery)
                && group.columns().stream()
                        .allMatch(column -> running.stream()
                                .map(brick -> state.brick(brick.name()))
                                .anyMatch(info -> isAt(column.brick(), info)));
    }

    private static boolean isAt(int brick, @Nullable BrickInfo info) {
        return info != null && info.number() == brick;
    }
}
