package io.sdds.brick.node;

import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.PartitionName;
import io.sdds.brick.partition.Tables;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Which loads of a stage's partitions have changed since they were told, so that they are to be told anew. */
final class LoadChanges {
    /*
     * Tables names the partitions that have come, gone, or must be told of at once. All others are looked at in turn,
     * so many a tick, however many there are.
     */
    static final int LOOKED_AT_A_TICK = 4096;

    /** A load is told anew when it has moved by this part of what was told. */
    private static final int PART = 16;

    /** After so long it is told however little it has moved. */
    private static final long TOLD_NANOS_MAX = 5_000_000_000L;

    private final Tables tables;
    private final Function<Partition, PartitionLoad> look;
    private final Map<PartitionName, Told> told = new HashMap<>();
    private int next;

    private record Told(PartitionLoad load, long nanos) {}

    LoadChanges(Tables tables, Function<Partition, PartitionLoad> look) {
        this.tables = tables;
        this.look = look;
    }

    /** What can't wait: of partitions that have come or gone, for example. */
    List<PartitionLoad> urgent(long nowNanos) {
        List<PartitionLoad> changes = new ArrayList<>();
        addUrgent(changes, nowNanos);
        return changes;
    }

    /** The same, and of some partitions how their loads have moved; to be called tick by tick. */
    List<PartitionLoad> ofTick(long nowNanos) {
        List<PartitionLoad> changes = new ArrayList<>();
        addUrgent(changes, nowNanos);
        for (int k = Math.min(LOOKED_AT_A_TICK, tables.count()); k > 0; k--) {
            next = next + 1 < tables.count() ? next + 1 : 0;
            lookAt(tables.get(next), changes, nowNanos);
        }
        return changes;
    }

    private void addUrgent(List<PartitionLoad> changes, long nowNanos) {
        for (PartitionName name : tables.takeChanged()) {
            Partition partition = tables.find(name.table(), name.partition());
            if (partition != null) {
                tell(name, look.apply(partition), changes, nowNanos);
            } else if (told.remove(name) != null) {
                changes.add(new PartitionLoad(name.table(), name.partition(), PartitionLoad.GONE, 0, 0));
            }
        }
    }

    private void lookAt(Partition partition, List<PartitionLoad> changes, long nowNanos) {
        PartitionName name = new PartitionName(partition.table(), partition.number());
        PartitionLoad load = look.apply(partition);
        Told before = told.get(name);
        if (before == null || isDue(before, load, nowNanos)) {
            tell(name, load, changes, nowNanos);
        }
    }

    private static boolean isDue(Told before, PartitionLoad load, long nowNanos) {
        return before.load().level() != load.level()
                || before.load().epoch() != load.epoch()
                || hasMoved(before.load().records(), load.records())
                || hasMoved(before.load().bytes(), load.bytes())
                || !before.load().equals(load) && nowNanos - before.nanos() >= TOLD_NANOS_MAX;
    }

    private static boolean hasMoved(long before, long now) {
        return now != before && Math.abs(now - before) * PART >= before;
    }

    private void tell(PartitionName name, PartitionLoad load, List<PartitionLoad> changes, long nowNanos) {
        told.put(name, new Told(load, nowNanos));
        changes.add(load);
    }
}
