package io.sdds.brick.node;

import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.stage.Stage;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Has the partitions of tables that are being converted to parity give ranks to their records, in background slices.
 * The partitions of the stage take turns, so that they share one pace.
 */
final class RecordRanking {
    /** Slices of a tick, which take at most about a tenth of the stage's time. */
    private static final int SLICES_A_TICK = 100;

    /** Looks of a slice, each at some ten records. A slice takes about 100 µs. */
    private static final int LOOKS_A_SLICE = 32;

    private final Stage stage;
    private final Tables tables;

    /** The partitions that have not had their turn yet. */
    private final Deque<Partition> due = new ArrayDeque<>();

    private int slicesLeft;
    private boolean queued;

    RecordRanking(StageContext context) {
        this.stage = context.stage();
        this.tables = context.tables();
    }

    /** Each 100 ms. */
    void tick() {
        slicesLeft = SLICES_A_TICK;
        if (due.isEmpty()) {
            tables.forEach(this::add);
        }
        if (!due.isEmpty() && !queued) {
            queued = true;
            stage.background(this::slice);
        }
    }

    private void add(Partition partition) {
        if (partition.group().wantsRanks()) {
            due.add(partition);
        }
    }

    /** A partition stays among the others until all its records have ranks. */
    private boolean slice() {
        Partition partition = due.poll();
        if (partition != null && isHere(partition) && partition.group().wantsRanks()) {
            partition.group().rank(LOOKS_A_SLICE);
            due.add(partition);
        }
        slicesLeft--;
        queued = !due.isEmpty() && slicesLeft > 0;
        return queued;
    }

    private boolean isHere(Partition partition) {
        return tables.find(partition.table(), partition.number()) == partition;
    }
}
