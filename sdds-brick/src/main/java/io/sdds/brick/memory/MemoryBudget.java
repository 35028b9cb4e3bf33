package io.sdds.brick.memory;

import io.sdds.core.node.IncomingBudget;
import io.sdds.core.node.UnreadBudget;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of off-heap memory that a brick may hold, shared by its stages. Thread-safe.
 *
 * <p>There are two levels of admission: what is new (an ordinary put) may use 95 % of the limit; the rest is for what
 * must not fail: deletes, results, decided writes, handover, recovery.
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
     * An unused budget.
     *
     * @param limitBytes most that may be reserved, positive
     */
    public MemoryBudget(long limitBytes) {
        this(limitBytes, Math.clamp(limitBytes / 8, INCOMING_BYTES_MIN, INCOMING_BYTES_MAX));
    }

    /**
     * The same with another bound of what links hold of messages that are not whole.
     *
     * @param incomingBytesMax of all links together; at least one message of the largest size that comes
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

    /** Whether something new of {@code bytes} may be admitted: whether it would leave the last 5 % untouched. */
    public boolean admitsOrdinary(long bytes) {
        return bytes <= ordinaryLimitBytes() - usedBytes.get();
    }

    /** Most bytes of messages that have not come whole: an eighth of the memory limit, within bounds. */
    public IncomingBudget incoming() {
        return incoming;
    }

    /** What answers may take beside it while they are not read: a quarter as much, within bounds. */
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

    /** Bytes that nothing new may use. */
    public long reserveBytes() {
        return limitBytes - ordinaryLimitBytes();
    }

    /** Most bytes that what is new may use. */
    public long ordinaryLimitBytes() {
        return limitBytes / 100 * ORDINARY_PERCENT + limitBytes % 100 * ORDINARY_PERCENT / 100;
    }
}
