package io.sdds.bench.load;

import java.util.concurrent.atomic.AtomicInteger;

/** The keys of a data set that are not preloaded, each given out once. */
final class Inserts {
    private final int from;
    private final int end;
    private final AtomicInteger next;

    /** Keys from {@code from} (inclusive) to {@code end} (exclusive) are not there yet. */
    Inserts(int from, int end) {
        this.from = from;
        this.end = end;
        this.next = new AtomicInteger(from);
    }

    /** How many keys were there when it began. */
    int from() {
        return from;
    }

    /** The number of a key nobody has put; -1 when there is none left. */
    int next() {
        int taken = next.get() < end ? next.getAndIncrement() : end;
        return taken < end ? taken : -1;
    }

    /** Keys given out so far. */
    int taken() {
        return Math.min(next.get(), end) - from;
    }
}
