package io.sdds.core.node;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Limits the memory that all links of a process hold together for incomplete messages. The threads of the process share
 * the budget. Thread-safe.
 *
 * <p>When the links hold more, the link that holds most is closed; of several such links, the link that has held its
 * bytes for longest (the longest queue is pushed out: Wei, Coyle and Hsiao 1991). So a message that is not the largest
 * is received, however many links have begun messages that they never end. The bytes of a link that is closed on
 * another thread are free a moment later.
 */
public final class IncomingBudget {
    /** Bytes that each link may hold beside the budget, as a rule for the end of a read. */
    public static final int FREE_BYTES = 32 << 10;

    private final long bytesMax;
    private final Set<Holding> holdings = new LinkedHashSet<>();
    private long heldBytes;

    /** @param bytesMax limit for all links together; at least the size of the largest message */
    public IncomingBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Bytes held now. */
    public synchronized long heldBytes() {
        return heldBytes;
    }

    /**
     * The bytes that one link holds. Only the link's thread may call a method, unless its description says otherwise.
     */
    static final class Holding {
        private final IncomingBudget budget;
        private final Env env;
        private final Link link;

        /** The counted bytes. The budget's lock guards this field and {@code closing}. */
        private long bytes;

        private boolean closing;

        Holding(IncomingBudget budget, Env env, Link link) {
            this.budget = budget;
            this.env = env;
            this.link = link;
        }

        /** The link holds {@code nowBytes} now. If all links hold too much, closes links, perhaps this link. */
        void changed(long nowBytes) {
            long counted = nowBytes <= FREE_BYTES ? 0 : nowBytes;
            if (counted != bytes) {
                for (Holding largest : budget.change(this, counted)) {
                    largest.close();
                }
            }
        }

        /** Any thread. */
        private void close() {
            env.execute(() -> link.giveUp("messages that are not whole hold more than " + budget.bytesMax
                    + " bytes together, of which this connection holds most"));
        }
    }

    /** Counts the bytes that a link holds now; returns the links that have to be closed. */
    private synchronized List<Holding> change(Holding holding, long bytes) {
        if (holding.closing) {
            return List.of();
        }
        heldBytes += bytes - holding.bytes;
        holding.bytes = bytes;
        if (bytes == 0) {
            holdings.remove(holding);
        } else {
            holdings.add(holding);
        }
        List<Holding> closing = new ArrayList<>();
        while (heldBytes > bytesMax) {
            closing.add(takeLargest());
        }
        return closing;
    }

    private Holding takeLargest() {
        @Nullable Holding largest = null;
        for (Holding holding : holdings) {
            if (largest == null || holding.bytes > largest.bytes) {
                largest = holding;
            }
        }
        if (largest == null) {
            throw new IllegalStateException(heldBytes + " bytes are held by no link");
        }
        largest.closing = true;
        holdings.remove(largest);
        heldBytes -= largest.bytes;
        return largest;
    }
}
