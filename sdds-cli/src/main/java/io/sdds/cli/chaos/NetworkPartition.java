package io.sdds.cli.chaos;

import java.util.Set;
import java.util.function.BiPredicate;

/**
 * The current network partition of a cluster: either some processes are cut off from all others, or two processes are
 * cut off from each other. Thread-safe.
 */
final class NetworkPartition {
    private static final BiPredicate<String, String> NOTHING = (one, other) -> false;

    private BiPredicate<String, String> separated = NOTHING;
    private boolean closed;

    /** Stops the traffic between these processes and all other processes. */
    void cutOff(Set<String> processes) {
        Set<String> side = Set.copyOf(processes);
        become((one, other) -> side.contains(one) != side.contains(other));
    }

    /** Stops the traffic between two processes. */
    void separate(String first, String second) {
        Set<String> both = Set.of(first, second);
        become((one, other) -> !one.equals(other) && both.contains(one) && both.contains(other));
    }

    /** Ends the partition: all processes reach each other again. */
    void heal() {
        become(NOTHING);
    }

    private synchronized void become(BiPredicate<String, String> next) {
        separated = next;
        notifyAll();
    }

    /** Ends all waits, and future waits at once. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    /**
     * Waits until two processes reach each other.
     *
     * @return false if the partition was closed
     */
    synchronized boolean awaitConnectivity(String one, String other) throws InterruptedException {
        while (!closed && separated.test(one, other)) {
            wait();
        }
        return !closed;
    }
}
