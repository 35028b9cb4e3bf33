package io.sdds.core.node;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that the links of a process may hold together because their other ends do not read them, shared by its
 * threads. Thread-safe.
 *
 * <p>Each link may hold an eighth of what is left: the more slow readers there are, the less each of them may have, and
 * what they have together stays below the budget (Choudhury and Hahne's dynamic thresholds for shared buffers, 1998);
 * but for {@link #SHARE_BYTES_MIN} that each may have however many they are. A link comes here with what stays behind a
 * flush, or when it has gathered more than {@link #SHARE_BYTES_MIN}.
 */
public final class UnreadBudget {
    /** What a link may hold however little is left; and what is so short that it is answered even when nothing is. */
    public static final long SHARE_BYTES_MIN = 64 << 10;

    private static final long SHARES = 8;

    private final long bytesMax;
    private final AtomicLong heldBytes = new AtomicLong();

    /** @param bytesMax of all links together */
    public UnreadBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Bytes held now. */
    public long heldBytes() {
        return heldBytes.get();
    }

    /** Whether nothing is left. */
    public boolean isUsedUp() {
        return heldBytes.get() >= bytesMax;
    }

    /** Bytes from which a link counts as full. */
    public long shareBytes() {
        long share = (bytesMax - heldBytes.get()) / SHARES;
        return Math.max(SHARE_BYTES_MIN, Math.min(Link.PENDING_BYTES_FULL, share));
    }

    /** A link holds so many bytes more, or less. */
    void changed(long bytes) {
        heldBytes.addAndGet(bytes);
    }
}
