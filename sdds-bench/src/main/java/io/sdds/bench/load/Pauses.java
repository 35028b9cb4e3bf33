package io.sdds.bench.load;

import io.sdds.core.node.Env;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Delayed tasks on one event loop. All tasks of the same millisecond share one timer, because separate timers for
 * thousands of pausing operations would cost more than the operations.
 */
final class Pauses {
    private static final long SLOT_NANOS = 1_000_000;

    private final Env env;
    private final List<ArrayDeque<Runnable>> slots = new ArrayList<>();
    private final Runnable tick = this::tick;

    /** The slot that ran last. */
    private int now;

    private int waiting;
    private boolean ticks;

    /**
     * @param env environment whose thread makes all calls and runs all tasks
     * @param millisMax the longest pause
     */
    Pauses(Env env, int millisMax) {
        this.env = env;
        for (int k = 0; k <= millisMax; k++) {
            slots.add(new ArrayDeque<>());
        }
    }

    /** Runs a task after a pause, which is rounded up to a tick of a millisecond. */
    void later(long nanos, Runnable task) {
        int after = (int) Math.min(slots.size() - 1, Math.max(1, (nanos + SLOT_NANOS - 1) / SLOT_NANOS));
        slots.get((now + after) % slots.size()).add(task);
        waiting++;
        if (!ticks) {
            ticks = true;
            env.schedule(SLOT_NANOS, tick);
        }
    }

    private void tick() {
        now = (now + 1) % slots.size();
        ArrayDeque<Runnable> due = slots.get(now);
        for (int k = due.size(); k > 0; k--) {
            waiting--;
            due.remove().run();
        }
        ticks = waiting > 0;
        if (ticks) {
            env.schedule(SLOT_NANOS, tick);
        }
    }
}
