package io.sdds.bench.paper;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * Numbers of records, each once, the last one first. A recovery brings the records of a partition in the order of their
 * ranks, which is about the order in which they were inserted. So a record that is read in this order is not there yet,
 * until both meet.
 */
final class LastFirst implements IntSupplier {
    private final int[] numbers;
    private final AtomicInteger left;

    /** @param numbers ascending */
    LastFirst(int[] numbers) {
        this.numbers = numbers;
        this.left = new AtomicInteger(numbers.length);
    }

    /** The next number; -1 if there is none. */
    @Override
    public int getAsInt() {
        int next = left.decrementAndGet();
        return next < 0 ? -1 : numbers[next];
    }
}
