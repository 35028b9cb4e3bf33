package io.sdds.brick.stage;

import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Tables;
import io.sdds.core.stage.Stage;

/** Has buckets free, compact and defragment their memory in the background. */
public final class Maintenance {
    private static final int BUCKETS_PER_STEP = 256;
    private static final int PARTITIONS_PER_TICK = 4;

    private final Stage stage;
    private final Tables tables;

    public Maintenance(Stage stage, Tables tables) {
        this.stage = stage;
        this.tables = tables;
    }

    /** Frees a partition's memory in background slices. */
    public void free(Partition partition) {
        partition.bucket().release();
        maintain(partition);
    }

    /** Has a bucket compact its memory, or free the records that a split has moved. */
    public void maintain(Partition partition) {
        if (!partition.isMaintained()) {
            partition.maintained(true);
            stage.background(() -> {
                boolean more = partition.bucket().maintain(BUCKETS_PER_STEP);
                partition.maintained(more);
                return more;
            });
        }
    }

    /** Every 100 ms: lets a few buckets, each in its turn, move records out of memory that is nearly empty. */
    public void tick() {
        for (int k = Math.min(PARTITIONS_PER_TICK, tables.count()); k > 0; k--) {
            Partition partition = tables.nextInRound();
            if (partition != null) {
                maintain(partition);
            }
        }
    }
}
