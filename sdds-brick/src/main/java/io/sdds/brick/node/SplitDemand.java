package io.sdds.brick.node;

import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.control.ControlMessage.SplitWanted;
import io.sdds.core.model.TableKind;
import io.sdds.core.node.Env;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The splits that this stage's partitions want. A partition of a hash table wants to split if it has the split token
 * and has reached its load. Each full partition of a range table wants to split.
 */
final class SplitDemand {
    private static final long REST_NANOS = 500_000_000L;

    private final Env env;
    private final BrickMap map;
    private final Tables tables;
    private final FullRanges fullRanges;

    /** The time, by table, from which a split may be requested again after one was abandoned. */
    private final Map<Integer, Long> restUntilNanos = new TreeMap<>();

    SplitDemand(StageContext context) {
        this.env = context.env();
        this.map = context.map();
        this.tables = context.tables();
        this.fullRanges = new FullRanges(map, tables, this::isRested);
    }

    /** A split of a table was abandoned. The next split is requested after a pause. */
    void backOff(int table) {
        restUntilNanos.put(table, env.nowNanos() + REST_NANOS);
    }

    /** The splits that are wanted now. The split token of a hash table moves on when a split is ordered. */
    List<SplitWanted> wanted() {
        List<SplitWanted> wanted = new ArrayList<>();
        for (TableView table : map.tables()) {
            if (table.definition().kind() != TableKind.RANGE) {
                addOfToken(wanted, table);
            }
        }
        fullRanges.addWanted(wanted);
        return wanted;
    }

    private void addOfToken(List<SplitWanted> wanted, TableView table) {
        int partitions = map.partitionsOrdered(table);
        int i = LinearHashing.level(partitions);
        int n = LinearHashing.splitPointer(partitions);
        Partition holder = tables.find(table.definition().id(), n);
        if (holder != null
                && holder.mover() == null
                && mayMigrate(holder)
                && holder.level() == i
                && table.definition().loadPercent(holder.records(), holder.bytes(), i, n) >= 100
                && isRested(holder.table())) {
            wanted.add(new SplitWanted(holder.table(), n));
        }
    }

    /** Whether a partition leads its group, and has no records that its own log must drop first. */
    static boolean mayMigrate(Partition partition) {
        return partition.group().leads() && (!partition.bucket().ranks().areGiven() || partition.isClean());
    }

    private boolean isRested(int table) {
        Long until = restUntilNanos.get(table);
        if (until != null && env.nowNanos() - until >= 0) {
            restUntilNanos.remove(table);
            return true;
        }
        return until == null;
    }
}
