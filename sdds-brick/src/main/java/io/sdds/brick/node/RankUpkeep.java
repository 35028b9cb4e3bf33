package io.sdds.brick.node;

import io.sdds.brick.node.PartitionTurns.Turn;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.stage.StageContext;

/**
 * The background work on the ranks of a stage's records: columns of parity groups move records into the holes of their
 * ranks, and partitions of tables that are being converted to parity give ranks to their records.
 */
final class RankUpkeep {
    /** Entries of a tick, which move at most 7.5 MiB a second. A turn proposes one entry. */
    private static final int RERANKS_PER_TICK = 16;

    /** Turns of a tick, which take at most about a tenth of the stage's time. */
    private static final int RANKINGS_PER_TICK = 100;

    /** Looks of a turn, each at some ten records. A turn takes about 100 µs. */
    private static final int LOOKS_PER_TURN = 32;

    private final Tables tables;
    private final PartitionTurns densification;
    private final PartitionTurns ranking;

    RankUpkeep(StageContext context) {
        this.tables = context.tables();
        this.densification = new PartitionTurns(context, RERANKS_PER_TICK, new Densification());
        this.ranking = new PartitionTurns(context, RANKINGS_PER_TICK, new Ranking());
    }

    /** Each 100 ms. */
    void tick() {
        densification.tick();
        ranking.tick();
    }

    private static final class Densification implements PartitionTurns.Work {
        @Override
        public boolean isDue(Partition partition) {
            return partition.group().isSparse();
        }

        @Override
        public Turn slice(Partition partition) {
            return partition.group().densify() ? Turn.DONE : Turn.SKIPPED;
        }
    }

    private final class Ranking implements PartitionTurns.Work {
        @Override
        public boolean isDue(Partition partition) {
            return partition.group().wantsRanks();
        }

        /** A partition has further turns until all its records have ranks. */
        @Override
        public Turn slice(Partition partition) {
            boolean isHere = tables.find(partition.table(), partition.number()) == partition;
            if (!isHere || !isDue(partition)) {
                return Turn.DONE;
            }
            partition.group().rank(LOOKS_PER_TURN);
            return Turn.AGAIN;
        }
    }
}
