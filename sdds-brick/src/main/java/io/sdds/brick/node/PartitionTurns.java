package io.sdds.brick.node;

import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.stage.Stage;
import java.util.ArrayDeque;
import java.util.Deque;

/** Work on the partitions of a stage in background slices. The partitions take turns, so that they share one pace. */
final class PartitionTurns {
    private final Stage stage;
    private final Tables tables;
    private final int turnsPerTick;
    private final Work work;

    /** The partitions that have not had their turn yet. */
    private final Deque<Partition> due = new ArrayDeque<>();

    private int turnsLeft;
    private boolean queued;

    /** The work on one partition. */
    interface Work {
        /** Whether a partition wants a turn. */
        boolean isDue(Partition partition);

        /** Does one slice of the work on a partition. The partition may have left this stage since it was due. */
        Turn slice(Partition partition);
    }

    /** How a turn has ended. */
    enum Turn {
        /** Nothing was done. The turn does not count. */
        SKIPPED,
        /** The partition waits for the next round of turns. */
        DONE,
        /** The partition has another turn in this round. */
        AGAIN
    }

    /** @param turnsPerTick the most turns of a tick */
    PartitionTurns(StageContext context, int turnsPerTick, Work work) {
        this.stage = context.stage();
        this.tables = context.tables();
        this.turnsPerTick = turnsPerTick;
        this.work = work;
    }

    /** Each 100 ms. */
    void tick() {
        turnsLeft = turnsPerTick;
        if (due.isEmpty()) {
            tables.forEach(this::add);
        }
        if (!due.isEmpty() && !queued) {
            queued = true;
            stage.background(this::slice);
        }
    }

    private void add(Partition partition) {
        if (work.isDue(partition)) {
            due.add(partition);
        }
    }

    private boolean slice() {
        Partition partition = due.poll();
        Turn turn = partition == null ? Turn.SKIPPED : work.slice(partition);
        if (turn != Turn.SKIPPED) {
            turnsLeft--;
        }
        if (partition != null && turn == Turn.AGAIN) {
            due.add(partition);
        }
        queued = !due.isEmpty() && turnsLeft > 0;
        return queued;
    }
}
