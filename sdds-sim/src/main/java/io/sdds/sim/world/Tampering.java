package io.sdds.sim.world;

import java.util.function.Supplier;

/**
 * Counts how often a planted bug has changed something in a run, and tells the trace. A planted bug that changes
 * nothing is no bug.
 */
public final class Tampering {
    private final Trace trace;
    private long times;

    Tampering(Trace trace) {
        this.trace = trace;
    }

    /** The planted bug has changed something. */
    public void happened(Supplier<String> what) {
        times++;
        trace.line(() -> "planted bug: " + what.get());
    }

    /** Number of changes by the planted bug so far. */
    public long times() {
        return times;
    }
}
