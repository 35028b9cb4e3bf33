package io.sdds.brick.node;

import io.sdds.brick.bucket.HashBucket;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Tables;
import io.sdds.core.addressing.ScanOrder;
import io.sdds.core.node.Env;
import io.sdds.core.stage.Stage;
import java.util.function.Consumer;

/** Moves on the logical time of partitions whose records can expire, and has what expired swept in background slices. */
final class Expiration {
    /** LH-buckets of a slice: about 100 µs. */
    private static final int BUCKETS_PER_SLICE = 128;

    /** A sweep takes no more ticks than this, and no more than a few percent of the stage unless there is much to free. */
    private static final int TICKS_PER_SWEEP_LOG = 8;

    private static final int RECORDS_PER_BUCKET_LOG = 2;

    private final Env env;
    private final Stage stage;
    private final Tables tables;
    private final Consumer<Partition> groupTime;

    /** @param groupTime moves on the time of a partition that is a replica group's */
    Expiration(Env env, Stage stage, Tables tables, Consumer<Partition> groupTime) {
        this.env = env;
        this.stage = stage;
        this.tables = tables;
        this.groupTime = groupTime;
    }

    /** Each 100 ms. */
    void tick() {
        long now = env.nowNanos();
        tables.forEach(partition -> {
            if (partition.bucket().mayExpire()) {
                if (partition.replica() == null) {
                    partition.time().advance(now);
                } else {
                    groupTime.accept(partition);
                }
                sweep(partition);
            }
        });
    }

    private void sweep(Partition partition) {
        if (partition.bucket().mayHoldExpired() && !partition.isSwept()) {
            partition.swept(true);
            long share = partition.bucket().records() >>> RECORDS_PER_BUCKET_LOG + TICKS_PER_SWEEP_LOG;
            stage.background(
                    new Slices((int) Math.min(Integer.MAX_VALUE, Math.max(BUCKETS_PER_SLICE, share)), partition));
        }
    }

    /** This tick's share of a partition's sweep, and more as long as it pays. */
    private static final class Slices implements Stage.Background {
        private final Partition partition;
        private int bucketsLeft;

        Slices(int buckets, Partition partition) {
            this.bucketsLeft = buckets;
            this.partition = partition;
        }

        @Override
        public boolean slice() {
            HashBucket bucket = partition.bucket();
            long end = ScanOrder.end(partition.number(), bucket.level()); // all that it holds, be it served or not
            boolean pays = bucket.sweep(ScanOrder.start(partition.number()), end, BUCKETS_PER_SLICE);
            bucketsLeft -= BUCKETS_PER_SLICE;
            boolean more = pays || bucketsLeft > 0 && bucket.mayHoldExpired();
            partition.swept(more);
            return more;
        }
    }
}
