package io.sdds.core.node;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The memory that the links of a process may hold together for messages of which not all bytes have come, shared by its
 * threads. Thread-safe.
 *
 * <p>When they hold more, the link that holds most is closed; of links that hold as much, the one that has held for
 * longest (the longest queue is pushed out: Wei, Coyle and Hsiao 1991). So a message is received however many links
 * have begun others that they never end, as long as it is not the largest. The bytes of a link that is closed on
 * another thread are free a moment later.
 */
public final class IncomingBudget {
    /** What each link may hold beside the budget: the end of a read, as a rule. */
    public static final int FREE_BYTES = 32 << 10;

    private final long bytesMax;
    private final Set<Holding> holdings = new LinkedHashSet<>();
    private long heldBytes;

    /** @param bytesMax of all links together; at least one message of the largest size */
    public IncomingBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Bytes held now. */
    public synchronized long heldBytes() {
        return heldBytes;
    }

    /** What one link holds. Used by the link's thread, but for what says otherwise. */
    static final class Holding {
        private final IncomingBudget budget;
        private final Env env;
        private final Link link;

        /** Guarded by the budget, as is whether it counts. */
        private long bytes;

        private boolean closing;

        Holding(IncomingBudget budget, Env env, Link link) {
            this.budget = budget;
            this.env = env;
            this.link = link;
        }

        /** The link holds so many bytes now. Closes links, perhaps this one, if that is too much. */
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

    /** A link holds so many bytes now; the links that have to be closed for that. */
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
