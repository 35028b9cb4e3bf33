package io.sdds.bench.load;

import java.util.concurrent.atomic.AtomicInteger;

/** Hands out each key of a data set that is not preloaded once. */
final class Inserts {
    private final int from;
    private final int end;
    private final AtomicInteger next;

    /** The keys from {@code from} (inclusive) to {@code end} (exclusive) are not preloaded. */
    Inserts(int from, int end) {
        this.from = from;
        this.end = end;
        this.next = new AtomicInteger(from);
    }

    /** Number of preloaded keys. */
    int from() {
        return from;
    }

    /** Hands out the number of the next key; -1 if no key is left. */
    int next() {
        int taken = next.get() < end ? next.getAndIncrement() : end;
        return taken < end ? taken : -1;
    }

    /** Number of keys handed out so far. */
    int taken() {
        return Math.min(next.get(), end) - from;
    }
}
