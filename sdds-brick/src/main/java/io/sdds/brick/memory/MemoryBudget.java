package io.sdds.brick.memory;

import io.sdds.core.node.IncomingBudget;
import io.sdds.core.node.UnreadBudget;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of off-heap memory that a brick may hold, shared by its stages. Thread-safe.
 *
 * <p>There are two levels of admission. New data (an ordinary put) may use 95 % of the limit. The rest is reserved for
 * operations that must not fail: deletes, results, committed writes, hand-overs, recovery.
 */
public final class MemoryBudget {

    private static final long ORDINARY_PERCENT = 95;

    private static final long UNREAD_BYTES_MIN = 16L << 20;
    private static final long UNREAD_BYTES_MAX = 256L << 20;

    /** More than the largest message, with room for its buffer to grow. */
    private static final long INCOMING_BYTES_MIN = 40L << 20;

    private static final long INCOMING_BYTES_MAX = 256L << 20;

    private final long limitBytes;
    private final UnreadBudget unread;
    private final IncomingBudget incoming;
    private final AtomicLong usedBytes = new AtomicLong();

    /**
     * Makes an unused budget.
     *
     * @param limitBytes most bytes that may be reserved, positive
     */
    public MemoryBudget(long limitBytes) {
        this(limitBytes, Math.clamp(limitBytes / 8, INCOMING_BYTES_MIN, INCOMING_BYTES_MAX));
    }

    /**
     * Makes an unused budget with another limit on the bytes that links hold of incomplete messages.
     *
     * @param incomingBytesMax limit for all links together; at least the size of the largest message
     */
    public MemoryBudget(long limitBytes, long incomingBytesMax) {
        if (limitBytes <= 0) {
            throw new IllegalArgumentException("limitBytes must be positive: " + limitBytes);
        }
        this.limitBytes = limitBytes;
        this.unread = new UnreadBudget(Math.clamp(limitBytes / 4, UNREAD_BYTES_MIN, UNREAD_BYTES_MAX));
        this.incoming = new IncomingBudget(incomingBytesMax);
    }

    /**
     * Takes {@code bytes} from the budget.
     *
     * @param bytes to take, not negative
     * @return false if that would exceed the limit; nothing has changed then
     */
    public boolean reserve(long bytes) {
        long used = usedBytes.get();
        while (bytes <= limitBytes - used) {
            if (usedBytes.compareAndSet(used, used + bytes)) {
                return true;
            }
            used = usedBytes.get();
        }
        return false;
    }

    /**
     * Gives {@code bytes} back to the budget.
     *
     * @param bytes as reserved before
     * @throws IllegalStateException if more is given back than is reserved
     */
    public void release(long bytes) {
        long used = usedBytes.addAndGet(-bytes);
        if (used < 0) {
            throw new IllegalStateException("released " + bytes + " bytes more than reserved, now at " + used);
        }
    }

    /** Whether {@code bytes} of new data may be admitted, because they leave the last 5 % of the limit untouched. */
    public boolean admitsOrdinary(long bytes) {
        return bytes <= ordinaryLimitBytes() - usedBytes.get();
    }

    /** The budget for incomplete messages: an eighth of the memory limit, within bounds. */
    public IncomingBudget incoming() {
        return incoming;
    }

    /** The budget for unread answers, beside the memory limit: a quarter of that limit, within bounds. */
    public UnreadBudget unread() {
        return unread;
    }

    /** Bytes reserved now. */
    public long usedBytes() {
        return usedBytes.get();
    }

    /** Most bytes that can be reserved. */
    public long limitBytes() {
        return limitBytes;
    }

    /** Bytes that new data may not use. */
    public long reserveBytes() {
        return limitBytes - ordinaryLimitBytes();
    }

    /** Most bytes that new data may use. */
    public long ordinaryLimitBytes() {
        return limitBytes / 100 * ORDINARY_PERCENT + limitBytes % 100 * ORDINARY_PERCENT / 100;
    }
}
