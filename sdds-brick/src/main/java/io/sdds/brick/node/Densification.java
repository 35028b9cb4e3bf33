package io.sdds.brick.node;

import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.stage.Stage;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Has the columns of parity groups move records into the holes of their ranks, in background slices. The partitions of
 * the stage take turns, so that they share one pace.
 */
final class Densification {
    /** Entries of a tick, which move at most 7.5 MiB a second. A slice proposes one entry. */
    private static final int ENTRIES_A_TICK = 16;

    private final Stage stage;
    private final Tables tables;

    /** The sparse partitions that have not had their turn yet. */
    private final Deque<Partition> due = new ArrayDeque<>();

    private int entriesLeft;
    private boolean queued;

    Densification(StageContext context) {
        this.stage = context.stage();
        this.tables = context.tables();
    }

    /** Each 100 ms. */
    void tick() {
        entriesLeft = ENTRIES_A_TICK;
        if (due.isEmpty()) {
            tables.forEach(this::add);
        }
        if (!due.isEmpty() && !queued) {
            queued = true;
            stage.background(this::slice);
        }
    }

    private void add(Partition partition) {
        if (partition.group().isSparse()) {
            due.add(partition);
        }
    }

    private boolean slice() {
        Partition partition = due.poll();
        if (partition != null && partition.group().densify()) {
            entriesLeft--;
        }
        queued = !due.isEmpty() && entriesLeft > 0;
        return queued;
    }
}
