package io.sdds.cli.chaos;

import java.util.Set;

/** Who is cut off from whom at present: some processes from all others. Thread-safe. */
final class Cuts {
    private Set<String> side = Set.of();
    private boolean closed;

    /** From now on nothing passes between these and all others. */
    synchronized void cutOff(Set<String> processes) {
        side = Set.copyOf(processes);
        notifyAll();
    }

    /** Everything passes again. */
    synchronized void heal() {
        cutOff(Set.of());
    }

    /** Nobody waits any more. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    /** Waits as long as nothing passes between two processes; false when that is never again. */
    synchronized boolean awaitPassage(String one, String other) throws InterruptedException {
        while (!closed && side.contains(one) != side.contains(other)) {
            wait();
        }
        return !closed;
    }
}
