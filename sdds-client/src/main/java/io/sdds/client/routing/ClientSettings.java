package io.sdds.client.routing;

/**
 * What a client may be told at its start.
 *
 * @param name how it calls itself in hellos and sessions, for operators
 * @param timeoutNanos deadline of an operation, from its call on
 * @param windowRequests operations outstanding at most; more wait, or are refused on the client's own loop
 * @param windowBytes bytes of their keys and values at most
 * @param learnsByAdjustmentsOnly experimental: a table's image begins with one partition, as a new LH* client's does, and grows by image
 *     adjustments alone. Else it begins with as many as the table is known to have.
 */
public record ClientSettings(
        String name, long timeoutNanos, int windowRequests, long windowBytes, boolean learnsByAdjustmentsOnly) {

    private static final ClientSettings DEFAULTS = new ClientSettings("client", 5_000_000_000L, 8192, 64L << 20, false);

    public ClientSettings {
        if (timeoutNanos <= 0) {
            throw new IllegalArgumentException("timeout of " + timeoutNanos + " ns is not positive");
        }
        if (windowRequests < 1 || windowRequests > InFlight.CAPACITY_MAX) {
            throw new IllegalArgumentException(
                    "window of " + windowRequests + " requests is not within 1 to " + InFlight.CAPACITY_MAX);
        }
        if (windowBytes < 1 || windowBytes > Window.BYTES_MAX) {
            throw new IllegalArgumentException(
                    "window of " + windowBytes + " bytes is not within 1 to " + Window.BYTES_MAX);
        }
    }

    public static ClientSettings defaults() {
        return DEFAULTS;
    }

    public ClientSettings withName(String newName) {
        return new ClientSettings(newName, timeoutNanos, windowRequests, windowBytes, learnsByAdjustmentsOnly);
    }

    public ClientSettings withTimeoutNanos(long nanos) {
        return new ClientSettings(name, nanos, windowRequests, windowBytes, learnsByAdjustmentsOnly);
    }

    public ClientSettings withWindow(int requests, long bytes) {
        return new ClientSettings(name, timeoutNanos, requests, bytes, learnsByAdjustmentsOnly);
    }

    public ClientSettings learningByAdjustmentsOnly() {
        return new ClientSettings(name, timeoutNanos, windowRequests, windowBytes, true);
    }
}
