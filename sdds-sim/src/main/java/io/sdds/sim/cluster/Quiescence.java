package io.sdds.sim.cluster;

import io.sdds.brick.node.BrickNode;
import io.sdds.brick.partition.Partition;
import io.sdds.coordinator.control.CoordinatorNode;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.model.TableDefinition.Load;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import java.util.Arrays;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Tells whether a cluster has done all that is due, so that nothing will change while nobody writes. */
public final class Quiescence {
    /** The load of a partition that is lost. */
    private static final Load UNKNOWN = new Load(-1, -1);

    private final SimCluster cluster;

    Quiescence(SimCluster cluster) {
        this.cluster = cluster;
    }

    /** Whether every split and merge of a table that is wanted is done, and every brick knows it. */
    public boolean isQuiet(int table) {
        TableMap map = isSettled(table) && nothingMoves()
                ? cluster.coordinator().state().table(table)
                : null;
        if (map != null && map.definition().hasParity()) {
            boolean isRange = map.definition().kind() == TableKind.RANGE;
            boolean changes = isRange ? !isQuietRange(map) : tokenIsFull(map) || isLow(map);
            return !changes && Replicas.areSettled(cluster, map) && Parities.areSettled(cluster, map);
        }
        if (map != null && map.definition().kind() == TableKind.RANGE) {
            return (!map.definition().isReplicated() || Replicas.areSettled(cluster, map)) && isQuietRange(map);
        }
        if (map != null && map.definition().isReplicated()) {
            return Replicas.areSettled(cluster, map) && !tokenIsFull(map) && !isLow(map);
        }
        return map != null && !tokenIsFull(map) && !isLow(map);
    }

    /** Whether no partition of a range table is full, and no two neighbours hold little. */
    private boolean isQuietRange(TableMap map) {
        int id = map.definition().id();
        TreeMap<byte[], Load> byLow = new TreeMap<>(Arrays::compareUnsigned);
        for (int number = 0; number < map.partitions(); number++) {
            Load load = cluster.coordinator().state().exists(id, number) ? load(map, number) : null;
            if (load != null && map.definition().fillPercent(load) >= 100) {
                return false;
            }
            if (cluster.coordinator().state().exists(id, number)) {
                byLow.put(cluster.coordinator().state().span(id, number).low(), load == null ? UNKNOWN : load);
            }
        }
        Load left = UNKNOWN;
        for (Load right : byLow.values()) {
            if (left.records() >= 0 && right.records() >= 0 && map.definition().isLow(left, right)) {
                return false;
            }
            left = right;
        }
        return true;
    }

    /** Whether no split or merge is under way, all processes run, and every brick knows the map. */
    public boolean isSettled(int table) {
        CoordinatorNode node = cluster.coordinatorIsUp() ? cluster.coordinator() : null;
        TableMap map = node == null ? null : node.state().table(table);
        if (node == null
                || map == null
                || !node.state().splits().isEmpty()
                || cluster.anyBrickIsDown()
                || !cluster.operatorsAreDone()) {
            return false;
        }
        for (SimBrick brick : cluster.bricks()) {
            for (var stage : brick.nodes()) {
                if (stage.map().version() != node.state().version()) {
                    return false;
                }
            }
        }
        return true;
    }

    /** A brick that holds much less than others gets copies some seconds after it has come. */
    private boolean nothingMoves() {
        return cluster.coordinator().state().learners().isEmpty()
                && cluster.coordinator().state().leaves().isEmpty()
                && cluster.coordinator().state().repairs().isEmpty();
    }

    private boolean tokenIsFull(TableMap map) {
        int level = LinearHashing.level(map.partitions());
        int token = LinearHashing.splitPointer(map.partitions());
        Load load = load(map, token);
        return load != null && map.definition().loadPercent(load.records(), load.bytes(), level, token) >= 100;
    }

    private boolean isLow(TableMap map) {
        Load all = Load.NONE;
        for (int a = 0; a < map.partitions(); a++) {
            Load load = load(map, a);
            if (load == null) {
                return false;
            }
            all = all.plus(load);
        }
        int last = map.partitions() - 1;
        Load parent = load(map, LinearHashing.parent(last));
        Load child = load(map, last);
        return child != null && parent != null && map.definition().isLow(map.partitions(), child, parent, all);
    }

    /** What a partition holds; null when it is lost. */
    private @Nullable Load load(TableMap map, int partition) {
        for (SimBrick brick : cluster.bricks()) {
            for (BrickNode stage : brick.nodes()) {
                Partition found = stage.tables().find(map.definition().id(), partition);
                if (found != null) {
                    return new Load(found.records(), found.bytes());
                }
            }
        }
        return null;
    }
}
