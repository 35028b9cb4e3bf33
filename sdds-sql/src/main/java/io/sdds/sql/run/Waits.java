package io.sdds.sql.run;

import io.sdds.sql.error.StatementEnd;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Ends the waits of statements that have to end. One thread looks at all waits every 10 ms, because a wait with a timer
 * of its own takes a look-up by key a fifth of its rate. The thread ends when nobody waits.
 */
final class Waits {
    private static final Map<Thread, Wait> OPEN = new ConcurrentHashMap<>();

    /** Whether the next look is scheduled. A wait is in {@link #OPEN} before its thread reads this. */
    private static final AtomicBoolean IS_LOOKING = new AtomicBoolean();

    private static final ScheduledThreadPoolExecutor TIMER = timer();

    /** The wait of a thread for a request, or for room for one. */
    static final class Wait {
        private final Deadline deadline;
        private final Runnable stop;
        private volatile @Nullable StatementEnd end;

        private Wait(Deadline deadline, Runnable stop) {
            this.deadline = deadline;
            this.stop = stop;
        }

        /** Why the wait was ended; null: it was not. */
        @Nullable
        StatementEnd reason() {
            return end;
        }

        void end() {
            OPEN.remove(Thread.currentThread());
        }

        private void look() {
            try {
                deadline.check();
            } catch (StatementEnd over) {
                end = over;
                stop.run();
            }
        }
    }

    private Waits() {}

    private static ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, "sdds-sql-waits");
            thread.setDaemon(true);
            return thread;
        });
        timer.setKeepAliveTime(1, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        return timer;
    }

    /**
     * Begins a wait of this thread.
     *
     * @param stop ends the wait, once the deadline says that the statement has to end; another thread runs it, maybe
     *     more than once, and also at the moment at which the wait ends by itself
     */
    static Wait begin(Deadline deadline, Runnable stop) {
        Wait wait = new Wait(deadline, stop);
        OPEN.put(Thread.currentThread(), wait);
        lookIfNobodyDoes();
        return wait;
    }

    private static void lookIfNobodyDoes() {
        if (!IS_LOOKING.get() && IS_LOOKING.compareAndSet(false, true)) {
            schedule();
        }
    }

    private static void schedule() {
        boolean isScheduled = false;
        try {
            TIMER.schedule(Waits::look, Deadline.LOOK_MILLIS, TimeUnit.MILLISECONDS);
            isScheduled = true;
        } finally {
            if (!isScheduled) {
                IS_LOOKING.set(false);
            }
        }
    }

    private static void look() {
        try {
            OPEN.values().forEach(Wait::look);
        } finally {
            IS_LOOKING.set(false);
            if (!OPEN.isEmpty()) {
                lookIfNobodyDoes();
            }
        }
    }
}
