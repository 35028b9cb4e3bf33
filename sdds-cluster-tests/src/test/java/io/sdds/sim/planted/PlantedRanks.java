package io.sdds.sim.planted;

import io.sdds.brick.bucket.RankSpace;
import io.sdds.brick.partition.Partition;
import io.sdds.sim.cluster.SimBrick;
import io.sdds.sim.cluster.SimCluster;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Exchanges the references of two ranks of each partition, once. */
final class PlantedRanks {
    private static final long LOOK_NANOS = 20_000_000;

    private final SimCluster cluster;
    private final Method reference;
    private final Set<Integer> exchanged = new HashSet<>();

    PlantedRanks(SimCluster cluster) {
        this.cluster = cluster;
        try {
            reference = RankSpace.class.getDeclaredMethod("setReference", int.class, long.class);
            reference.setAccessible(true);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    void await() {
        cluster.simulation().after(LOOK_NANOS, () -> {
            for (SimBrick brick : cluster.bricks()) {
                brick.nodes().forEach(node -> node.tables().forEach(this::exchange));
            }
            if (!cluster.simulation().network().isHealed()) {
                await();
            }
        });
    }

    private void exchange(Partition partition) {
        RankSpace ranks = partition.bucket().ranks().space();
        List<Integer> taken = new ArrayList<>();
        for (int rank = 0; ranks != null && rank < ranks.top(); rank++) {
            if (ranks.reference(rank) != 0) {
                taken.add(rank);
            }
        }
        if (taken.size() > 1 && exchanged.add(partition.number())) {
            long first = ranks.reference(taken.get(0));
            set(ranks, taken.get(0), ranks.reference(taken.get(1)));
            set(ranks, taken.get(1), first);
            cluster.simulation()
                    .tampering()
                    .happened(() -> "references of two ranks of " + partition + " are exchanged");
        }
    }

    private void set(RankSpace ranks, int rank, long ref) {
        try {
            reference.invoke(ranks, rank, ref);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
