package io.sdds.client.internal.routing;

import java.util.HashMap;
import java.util.Map;

/**
 * Knows which partitions of one brick are busy: a busy partition was refused in an earlier batch of refusals, and has
 * answered nothing since. Partitions that moved or were dropped never answer, so they are forgotten after a time.
 */
final class BusyPartitions {
    /** After so long without a refusal no partition counts as busy. A busy one refuses again after each pause. */
    static final long FORGOTTEN_NANOS = 10_000_000_000L;

    /** The batch of refusals since which a partition has answered nothing, by the partition. */
    private final Map<Long, Integer> refusing = new HashMap<>();

    private int batches;
    private long batchNanos;

    /** A batch of refusals begins. */
    void onBatch(long nowNanos) {
        batches++;
        batchNanos = nowNanos;
    }

    /** A request of the partition was refused in the batch that began last. */
    void onRefused(long partition) {
        refusing.putIfAbsent(partition, batches);
    }

    /** A request of the partition was answered, with another status than BUSY. */
    void onAnswer(long partition, long nowNanos) {
        if (refusing.isEmpty()) {
            return;
        }
        if (nowNanos - batchNanos > FORGOTTEN_NANOS) {
            refusing.clear();
        } else {
            refusing.remove(partition);
        }
    }

    /** Whether the partition has answered nothing since an earlier batch of refusals. */
    boolean isBusy(long partition) {
        Integer since = refusing.get(partition);
        return since != null && since < batches;
    }

    void clear() {
        refusing.clear();
    }
}
