package io.sdds.sql.run;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The time of a statement while this thread makes its plan, and what is known of its parameters. The parser, the
 * validator and the planner ask at each of their steps whether the statement has to end, since nothing else interrupts
 * them.
 */
public final class Planning implements AutoCloseable {
    private static final ThreadLocal<@Nullable Planning> CURRENT = new ThreadLocal<>();

    private final @Nullable Planning outer;
    private final long beginMillis;
    private final Deadline deadline;
    private final boolean hasLongValues;

    private Planning(@Nullable Planning outer, long beginMillis, Deadline deadline, boolean hasLongValues) {
        this.outer = outer;
        this.beginMillis = beginMillis;
        this.deadline = deadline;
        this.hasLongValues = hasLongValues;
    }

    /**
     * Begins the time of a statement. It ends with {@link #close}, in the same thread.
     *
     * @param cancelled null: nobody can cancel the statement
     * @param timeoutSeconds of the statement; 0: only its plan has a limit
     */
    public static Planning begin(@Nullable AtomicBoolean cancelled, int timeoutSeconds) {
        return begin(cancelled, timeoutSeconds, false);
    }

    /**
     * As {@link #begin(AtomicBoolean, int)}.
     *
     * @param hasLongValues whether the texts and bytes of the statement's parameters are too long for bricks' programs
     */
    public static Planning begin(@Nullable AtomicBoolean cancelled, int timeoutSeconds, boolean hasLongValues) {
        long now = System.currentTimeMillis();
        Deadline deadline = Deadline.ofPlan(cancelled, timeoutSeconds, now);
        Planning begun = new Planning(CURRENT.get(), now, deadline, hasLongValues);
        CURRENT.set(begun);
        return begun;
    }

    /** Whether no text and no bytes of a parameter may be shipped by the plan that this thread makes. */
    public static boolean hasLongValues() {
        Planning current = CURRENT.get();
        return current != null && current.hasLongValues;
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
