package io.sdds.sql.run;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The time of a statement while this thread makes its plan. The parser, the validator and the planner ask at each of
 * their steps whether the statement has to end, since nothing else interrupts them.
 */
public final class Planning implements AutoCloseable {
    private static final ThreadLocal<@Nullable Planning> CURRENT = new ThreadLocal<>();

    private final @Nullable Planning outer;
    private final long beginMillis;
    private final Deadline deadline;

    private Planning(@Nullable Planning outer, long beginMillis, Deadline deadline) {
        this.outer = outer;
        this.beginMillis = beginMillis;
        this.deadline = deadline;
    }

    /**
     * Begins the time of a statement. It ends with {@link #close}, in the same thread.
     *
     * @param cancelled null: nobody can cancel the statement
     * @param timeoutSeconds of the statement; 0: only its plan has a limit
     */
    public static Planning begin(@Nullable AtomicBoolean cancelled, int timeoutSeconds) {
        long now = System.currentTimeMillis();
        Planning begun = new Planning(CURRENT.get(), now, Deadline.ofPlan(cancelled, timeoutSeconds, now));
        CURRENT.set(begun);
        return begun;
    }

    /** Throws if the statement that this thread plans has to end. */
    public static void check() {
        Planning current = CURRENT.get();
        if (current != null) {
            current.deadline.check();
        }
    }

    /** When the statement of this thread began; else a given time. */
    static long beginMillis(long otherwise) {
        Planning current = CURRENT.get();
        return current == null ? otherwise : Math.min(current.beginMillis, otherwise);
    }

    @Override
    public void close() {
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
        }
    }
}
