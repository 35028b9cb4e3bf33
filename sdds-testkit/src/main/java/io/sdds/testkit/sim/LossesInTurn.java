package io.sdds.testkit.sim;

import io.sdds.coordinator.state.ClusterState;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.TableMap;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Lets bricks crash one after the other, each as soon as the parity groups have recovered what the one before held, and
 * come back together. Then columns share bricks, because too few bricks are up, and have to move apart.
 */
final class LossesInTurn {
    private static final long LOOK_NANOS = 20_000_000L;

    private final SimCluster cluster;
    private final SplittableRandom random;

    LossesInTurn(SimCluster cluster) {
        this.cluster = cluster;
        this.random = cluster.simulation().fork("losses in turn");
    }

    void begin(Fault.LoseInTurn fault) {
        next(fault.bricks(), cluster.simulation().nowNanos() + fault.awayNanos());
    }

    /** Crashes the next brick when the groups are repaired. A brick that may not crash now is tried again. */
    private void next(int left, long backAtNanos) {
        long remaining = backAtNanos - cluster.simulation().nowNanos();
        if (left == 0
                || remaining <= LOOK_NANOS
                || cluster.simulation().network().isHealed()) {
            return;
        }
        List<SimBrick> running = new ArrayList<>(cluster.bricks());
        running.removeIf(brick -> brick.nodes().isEmpty());
        boolean crashes = false;
        if (!running.isEmpty() && areRepaired(running)) {
            SimBrick victim = running.get(random.nextInt(running.size()));
            cluster.happen(new Fault.Crash(0, victim.name(), remaining));
            crashes = victim.nodes().isEmpty();
        }
        int more = crashes ? left - 1 : left;
        cluster.simulation().after(LOOK_NANOS, () -> next(more, backAtNanos));
    }

    /**
     * Whether each column is on a brick that runs, with all its records. Parities may be missing for want of bricks.
     */
    private boolean areRepaired(List<SimBrick> running) {
        ClusterState state = cluster.truth();
        TableMap table =
                state == null ? null : state.table(cluster.plan().table().name());
        if (state == null || table == null) {
            return false;
        }
        int id = table.definition().id();
        for (int number = 0; number < state.groups(id); number++) {
            if (!isRepaired(state, state.parityGroup(id, number), running)) {
                return false;
            }
        }
        return true;
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
