package io.sdds.brick.node;

import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.stage.Stage;

/**
 * Moves the logical time of partitions whose records can expire, and sweeps the expired records in background slices.
 */
final class Expiration {
    /** Steps of a slice, which take about 100 µs. */
    private static final int STEPS_PER_SLICE = 128;

    /**
     * Logarithm of the most ticks that a sweep takes. So many ticks keep the sweep at a few percent of the stage's
     * time, unless there is much to free.
     */
    private static final int TICKS_PER_SWEEP_LOG = 8;

    private final Stage stage;
    private final Tables tables;

    Expiration(StageContext context) {
        this.stage = context.stage();
        this.tables = context.tables();
    }

    /** Each 100 ms. */
    void tick() {
        tables.forEach(partition -> {
            if (partition.bucket().mayExpire()) {
                partition.group().tickTime();
                sweep(partition);
            }
        });
    }

    private void sweep(Partition partition) {
        if (partition.bucket().mayHoldExpired() && !partition.isSwept()) {
            partition.swept(true);
            long share = partition.sweepSteps() >>> TICKS_PER_SWEEP_LOG;
            stage.background(
                    new Slices((int) Math.min(Integer.MAX_VALUE, Math.max(STEPS_PER_SLICE, share)), partition));
        }
    }

    /** The steps of a partition's sweep in this tick, and more steps as long as many records have expired. */
    private static final class Slices implements Stage.Background {
        private final Partition partition;
        private int stepsLeft;

        Slices(int steps, Partition partition) {
            this.stepsLeft = steps;
            this.partition = partition;
        }

        @Override
        public boolean slice() {
            boolean pays = partition.group().sweep(STEPS_PER_SLICE);
            stepsLeft -= STEPS_PER_SLICE;
            boolean more = pays || stepsLeft > 0 && partition.bucket().mayHoldExpired();
            partition.swept(more);
            return more;
        }
    }
}
