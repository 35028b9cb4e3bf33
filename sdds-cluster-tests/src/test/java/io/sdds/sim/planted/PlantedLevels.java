package io.sdds.sim.planted;

import io.sdds.brick.partition.HashPartition;
import io.sdds.brick.partition.Partition;
import io.sdds.sim.cluster.SimCluster;
import java.lang.reflect.Field;
import java.util.HashSet;
import java.util.Set;

/**
 * Gives hash partitions that are recovered and have records of their child the level that they had before their split,
 * until all faults end.
 */
final class PlantedLevels {
    private static final long LOOK_NANOS = 1_000_000;

    private final SimCluster cluster;
    private final Field level;
    private final Set<HashPartition> lowered = new HashSet<>();

    PlantedLevels(SimCluster cluster) {
        this.cluster = cluster;
        try {
            level = HashPartition.class.getDeclaredField("level");
            level.setAccessible(true);
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(e);
        }
    }

    void await() {
        cluster.simulation().after(LOOK_NANOS, () -> {
            if (cluster.simulation().network().isHealed()) {
                lowered.forEach(partition -> set(partition, partition.level() + 1));
            } else {
                cluster.bricks()
                        .forEach(brick ->
                                brick.nodes().forEach(node -> node.tables().forEach(this::lower)));
                await();
            }
        });
    }

    private void lower(Partition partition) {
        if (partition instanceof HashPartition parent
                && parent.group().isFilling()
                && parent.isWide()
                && !parent.isIdle()
                && lowered.add(parent)) {
            set(parent, parent.level() - 1);
            cluster.simulation().tampering().happened(() -> parent + " serves the keys of its child");
        }
    }

    private void set(HashPartition partition, int to) {
        try {
            level.setInt(partition, to);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
