package io.sdds.sql.local;

import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.run.Deadline;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Looks whether statements that run have to end. DuckDB computes without a look at our flags, so that another thread
 * has to interrupt it.
 */
final class Watch {
    private static final long LOOK_MILLIS = 10;
    private static final ScheduledThreadPoolExecutor TIMER = timer();

    private Watch() {}

    private static ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, "sdds-sql-watch");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
        timer.setKeepAliveTime(1, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        return timer;
    }

    /**
     * Begins to look.
     *
     * @param interrupt is called once the deadline says that the statement has to end, again and again until its end
     */
    static Watched begin(Deadline deadline, Runnable interrupt) {
        return always(() -> {
            try {
                deadline.check();
            } catch (StatementEnd end) {
                interrupt.run();
            }
        });
    }

    /** Calls {@code look} every 10 ms until {@link Watched#end}. */
    static Watched always(Runnable look) {
        return new Watched(TIMER.scheduleWithFixedDelay(look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS));
    }

    /** A statement that is watched. */
    record Watched(ScheduledFuture<?> looks) {
        void end() {
            looks.cancel(false);
        }
    }
}
