package io.sdds.cli.chaos;

import java.util.Set;
import java.util.function.BiPredicate;

/** Who is cut off from whom at present: some processes from all others, or one from another. Thread-safe. */
final class Cuts {
    private static final BiPredicate<String, String> NOTHING = (one, other) -> false;

    private BiPredicate<String, String> cut = NOTHING;
    private boolean closed;

    /** From now on nothing passes between these and all others. */
    void cutOff(Set<String> processes) {
        Set<String> side = Set.copyOf(processes);
        become((one, other) -> side.contains(one) != side.contains(other));
    }

    /** From now on nothing passes between two processes. */
    void part(String first, String second) {
        Set<String> both = Set.of(first, second);
        become((one, other) -> !one.equals(other) && both.contains(one) && both.contains(other));
    }

    /** Everything passes again. */
    void heal() {
        become(NOTHING);
    }

    private synchronized void become(BiPredicate<String, String> next) {
        cut = next;
        notifyAll();
    }

    /** Nobody waits any more. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    /** Waits as long as nothing passes between two processes; false when that is never again. */
    synchronized boolean awaitPassage(String one, String other) throws InterruptedException {
        while (!closed && cut.test(one, other)) {
            wait();
        }
        return !closed;
    }
}
