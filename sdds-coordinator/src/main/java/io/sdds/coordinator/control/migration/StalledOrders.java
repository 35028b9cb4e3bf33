package io.sdds.coordinator.control.migration;

import io.sdds.coordinator.control.base.ChangeText;
import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.base.Reconciler;
import io.sdds.core.control.ControlMessage.MigrationReport;
import io.sdds.core.model.MigrationOrder;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the partitions of a migration rest that was given up without progress. Meanwhile the orders come to their turn
 * that waited behind it: a drain, a change of the table, the copies of other partitions.
 */
public final class StalledOrders implements Reconciler {
    /** Shorter than the time after which a brick gives a migration up that makes no progress. */
    private static final long STALLED_NANOS = 25_000_000_000L;

    /** A migration of the same partitions is ordered again after this time. */
    static final long REST_NANOS = 30_000_000_000L;

    private static final Logger log = LoggerFactory.getLogger(StalledOrders.class);

    private final ControlContext our;
    private final Map<Long, Progress> progress = new TreeMap<>();

    /** Until when partitions rest, by table and partition. */
    private final Map<Long, Long> untilNanos = new TreeMap<>();

    /** What a migration was last reported to have sent, and since when. */
    private record Progress(long sentBytes, long sinceNanos) {}

    public StalledOrders(ControlContext our) {
        this.our = our;
    }

    @Override
    public void onLeading() {
        progress.clear();
        untilNanos.clear();
    }

    @Override
    public void tick() {
        long now = our.env().nowNanos();
        untilNanos.values().removeIf(until -> now - until >= 0);
        progress.keySet().removeIf(id -> our.state().migration(id) == null);
        our.state().migrations().forEach(order -> progress.putIfAbsent(order.id(), new Progress(0, now)));
    }

    /** A brick tells how far a migration is. */
    void reported(MigrationReport report) {
        Progress before = progress.get(report.migration());
        if (before == null || before.sentBytes() != report.shippedBytes()) {
            progress.put(
                    report.migration(),
                    new Progress(report.shippedBytes(), our.env().nowNanos()));
        }
    }

    /** A migration is abandoned. Its partitions rest if it made no progress at the end. */
    void abandoned(MigrationOrder order) {
        long now = our.env().nowNanos();
        Progress last = progress.remove(order.id());
        if (last != null && now - last.sinceNanos() >= STALLED_NANOS && !order.isRepair()) {
            untilNanos.put(key(order.table(), order.sender()), now + REST_NANOS);
            untilNanos.put(key(order.table(), order.receiver()), now + REST_NANOS);
            log.warn(
                    "gave up without progress, to be ordered again in {} s: {}",
                    REST_NANOS / 1_000_000_000L,
                    new ChangeText(our.state()).of(order));
        }
    }

    /** Whether no migration of a partition should be ordered now. */
    public boolean rests(int table, int partition) {
        Long until = untilNanos.get(key(table, partition));
        return until != null && our.env().nowNanos() - until < 0;
    }

    /** Number of partitions of a table that rest. */
    public int resting(int table) {
        return (int) untilNanos.keySet().stream()
                .filter(key -> key >> Integer.SIZE == table && rests(table, key.intValue()))
                .count();
    }

    private static long key(int table, int partition) {
        return (long) table << Integer.SIZE | partition;
    }
}
