package io.sdds.brick.node;

import io.sdds.core.control.ControlMessage.SplitWanted;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Decides at the end of a turn whether to look for partitions that want to split: every 2 ms, and in the first turn
 * after a change of the map. After such a change the split token may be on this stage, or an earlier split may have
 * ended.
 */
final class SplitCheck {
    static final long NANOS = 2_000_000L;

    private final BooleanSupplier ready;
    private final Supplier<List<SplitWanted>> wanted;
    private final Runnable report;
    private long checkedNanos;
    private boolean due;

    /**
     * @param ready whether the brick is registered
     * @param wanted the splits that the stage's partitions want
     * @param report has the next heartbeat sent at once
     */
    SplitCheck(BooleanSupplier ready, Supplier<List<SplitWanted>> wanted, Runnable report) {
        this.ready = ready;
        this.wanted = wanted;
        this.report = report;
    }

    /** The map has changed. */
    void mapChanged() {
        due = true;
    }

    /** A turn ends. */
    void onDrained(long nowNanos) {
        if (due || nowNanos - checkedNanos > NANOS) {
            due = false;
            checkedNanos = nowNanos;
            if (ready.getAsBoolean() && !wanted.get().isEmpty()) {
                report.run();
            }
        }
    }
}
