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

/** Chooses the partitions of a stage whose load must be reported, because it has changed since the last report. */
final class LoadChanges {
    /*
     * Tables names the partitions that were added or removed, or whose load must be reported at once. Of the other
     * partitions each tick checks a fixed number, in turn.
     */
    static final int CHECKED_PER_TICK = 4096;

    /**
     * A load that has changed and was the same at the last check is reported, so that sums over partitions are exact
     * soon after the last write. At most so many in a tick, because rare writes to many partitions settle all the time.
     */
    static final int SETTLED_PER_TICK = 256;

    /** A load is reported again when it has changed by one sixteenth of the reported load. */
    private static final int PART = 16;

    /** A load that has changed less is reported again after this time. */
    private static final long REPORT_NANOS_MAX = 5_000_000_000L;

    private final Tables tables;
    private final Function<Partition, PartitionLoad> look;
    private final Map<PartitionName, Reported> reported = new HashMap<>();
    private int next;
    private int settledLeft;

    /**
     * @param load the load that was reported
     * @param nanos when it was reported
     * @param checked the load at the last check
     */
    private record Reported(PartitionLoad load, long nanos, PartitionLoad checked) {}

    LoadChanges(Tables tables, Function<Partition, PartitionLoad> look) {
        this.tables = tables;
        this.look = look;
    }

    /** The loads that must be reported at once: of added and removed partitions, for example. */
    List<PartitionLoad> urgent(long nowNanos) {
        List<PartitionLoad> changes = new ArrayList<>();
        addUrgent(changes, nowNanos);
        return changes;
    }

    /** As {@link #urgent}, and the changed loads of the partitions that this tick checks. */
    List<PartitionLoad> ofTick(long nowNanos) {
        List<PartitionLoad> changes = new ArrayList<>();
        addUrgent(changes, nowNanos);
        settledLeft = SETTLED_PER_TICK;
        for (int k = Math.min(CHECKED_PER_TICK, tables.count()); k > 0; k--) {
            next = next + 1 < tables.count() ? next + 1 : 0;
            check(tables.get(next), changes, nowNanos);
        }
        return changes;
    }

    private void addUrgent(List<PartitionLoad> changes, long nowNanos) {
        for (PartitionName name : tables.takeChanged()) {
            Partition partition = tables.find(name.table(), name.partition());
            if (partition != null) {
                report(name, look.apply(partition), changes, nowNanos);
            } else if (reported.remove(name) != null) {
                changes.add(new PartitionLoad(name.table(), name.partition(), PartitionLoad.GONE, 0, 0));
            }
        }
    }

    private void check(Partition partition, List<PartitionLoad> changes, long nowNanos) {
        PartitionName name = new PartitionName(partition.table(), partition.number());
        PartitionLoad load = look.apply(partition);
        Reported before = reported.get(name);
        if (before == null || isDue(before, load, nowNanos) || hasSettled(before, load)) {
            report(name, load, changes, nowNanos);
        } else if (!before.checked().equals(load)) {
            reported.put(name, new Reported(before.load(), before.nanos(), load));
        }
    }

    private boolean hasSettled(Reported before, PartitionLoad load) {
        return !before.load().equals(load) && before.checked().equals(load) && settledLeft-- > 0;
    }

    private static boolean isDue(Reported before, PartitionLoad load, long nowNanos) {
        return before.load().level() != load.level()
                || before.load().epoch() != load.epoch()
                || hasMoved(before.load().records(), load.records())
                || hasMoved(before.load().bytes(), load.bytes())
                || !before.load().equals(load) && nowNanos - before.nanos() >= REPORT_NANOS_MAX;
    }

    private static boolean hasMoved(long before, long now) {
        return now != before && Math.abs(now - before) * PART >= before;
    }

    private void report(PartitionName name, PartitionLoad load, List<PartitionLoad> changes, long nowNanos) {
        reported.put(name, new Reported(load, nowNanos, load));
        changes.add(load);
    }
}
