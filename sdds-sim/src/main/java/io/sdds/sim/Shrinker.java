package io.sdds.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Makes a plan that fails smaller for as long as it goes on failing, in whatever way: without faults, fewer operations,
 * fewer faults, fewer clients. What it finds is small, not the smallest: each try is a run, and time is bounded.
 */
final class Shrinker {
    private final Predicate<Reduction> fails;
    private final long endNanos;
    private Reduction smallest;
    private int runs;

    /**
     * @param whole of a plan that fails
     * @param fails runs what is left of the plan
     * @param patienceNanos after which no run is begun any more
     */
    Shrinker(Reduction whole, Predicate<Reduction> fails, long patienceNanos) {
        this.smallest = whole;
        this.fails = fails;
        this.endNanos = System.nanoTime() + patienceNanos;
    }

    /** Runs that it took. */
    int runs() {
        return runs;
    }

    Reduction shrink() {
        Reduction before;
        withoutFaults();
        do {
            before = smallest;
            fewerOperations();
            fewerFaults();
            fewerClients();
        } while (!smallest.equals(before));
        return smallest;
    }

    private boolean stillFails(Reduction smaller) {
        if (System.nanoTime() > endNanos) {
            return false;
        }
        runs++;
        if (!fails.test(smaller)) {
            return false;
        }
        smallest = smaller;
        return true;
    }

    /**
     * The first try, since a run without faults is the easiest to read: one with fewer operations may need a fault to
     * fail.
     */
    private void withoutFaults() {
        if (!smallest.faults().isEmpty()) {
            stillFails(smallest.withFaults(List.of()));
        }
    }

    /** By halves, then by smaller and smaller parts. */
    private void fewerOperations() {
        for (int step = smallest.operations() / 2; step > 0; step /= 2) {
            while (smallest.operations() > step && stillFails(smallest.withOperations(smallest.operations() - step))) {
                // once more
            }
        }
    }

    /** Runs of faults are left out, the longest first. */
    private void fewerFaults() {
        for (int length = smallest.faults().size(); length > 0; length /= 2) {
            for (int from = 0; from < smallest.faults().size(); ) {
                List<Integer> fewer = new ArrayList<>(smallest.faults());
                fewer.subList(from, Math.min(fewer.size(), from + length)).clear();
                if (!stillFails(smallest.withFaults(fewer))) {
                    from += length;
                }
            }
        }
    }

    private void fewerClients() {
        for (int clients = 1; clients < smallest.clients(); clients++) {
            if (stillFails(smallest.withClients(clients))) {
                return;
            }
        }
    }
}
