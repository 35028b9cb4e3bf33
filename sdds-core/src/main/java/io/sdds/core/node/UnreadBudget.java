package io.sdds.core.node;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the bytes that all links of a process hold together because their other ends do not read them. The threads of
 * the process share the budget. Thread-safe.
 *
 * <p>Each link may hold an eighth of the bytes that are left. So the more slow readers there are, the less each of them
 * may hold, and together they stay below the budget (Choudhury and Hahne's dynamic thresholds for shared buffers,
 * 1998). In any case each link may hold {@link #SHARE_BYTES_MIN}. A link counts the bytes that stay behind a flush, and
 * its gathered bytes when they are more than {@link #SHARE_BYTES_MIN}.
 */
public final class UnreadBudget {
    /** Bytes that a link may hold however little is left. Answers of up to so many bytes are never held back. */
    public static final long SHARE_BYTES_MIN = 64 << 10;

    private static final long SHARES = 8;

    private final long bytesMax;
    private final AtomicLong heldBytes = new AtomicLong();

    /** @param bytesMax limit for all links together */
    public UnreadBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Bytes held now. */
    public long heldBytes() {
        return heldBytes.get();
    }

    /** Whether no bytes are left. */
    public boolean isUsedUp() {
        return heldBytes.get() >= bytesMax;
    }

    /** Bytes from which a link counts as full. */
    public long shareBytes() {
        long share = (bytesMax - heldBytes.get()) / SHARES;
        return Math.max(SHARE_BYTES_MIN, Math.min(Link.PENDING_BYTES_FULL, share));
    }

    /** A link holds {@code bytes} more or, with a negative number, less. */
    void changed(long bytes) {
        heldBytes.addAndGet(bytes);
    }
}
