package io.sdds.client;

import io.sdds.client.internal.routing.InFlight;
import io.sdds.client.internal.routing.Window;
import io.sdds.core.model.Routing;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a client may be told at its start.
 *
 * @param name how it calls itself in hellos and sessions, for operators
 * @param timeoutNanos deadline of an operation, from its call on; at most {@link #TIMEOUT_NANOS_MAX}, more counts as that
 * @param windowRequests operations outstanding at most; more wait, or are refused on the client's own loop
 * @param windowBytes bytes of their keys and values at most
 * @param learnsByAdjustmentsOnly experimental: a table's image begins with one partition, as a new LH* or RP* client's does, and grows by image
 *     adjustments alone. Else it begins with as many as the table is known to have.
 * @param routing in the place of what range tables say; null: as they say
 * @param multicastGroup of IP multicast, by which what goes to all bricks of a range table is sent; null: over the connections
 */
public record ClientSettings(
        String name,
        long timeoutNanos,
        int windowRequests,
        long windowBytes,
        boolean learnsByAdjustmentsOnly,
        @Nullable Routing routing,
        @Nullable String multicastGroup) {

    /** About 70 years. No deadline overflows with it. */
    public static final long TIMEOUT_NANOS_MAX = Long.MAX_VALUE / 4;

    private static final Duration TIMEOUT_MAX = Duration.ofNanos(TIMEOUT_NANOS_MAX);

    private static final ClientSettings DEFAULTS =
            new ClientSettings("client", 5_000_000_000L, 8192, 64L << 20, false, null, null);

    public ClientSettings {
        if (timeoutNanos <= 0) {
            throw new IllegalArgumentException("timeout of " + timeoutNanos + " ns is not positive");
        }
        timeoutNanos = Math.min(timeoutNanos, TIMEOUT_NANOS_MAX);
        if (windowRequests < 1 || windowRequests > InFlight.CAPACITY_MAX) {
            throw new IllegalArgumentException(
                    "window of " + windowRequests + " requests is not within 1 to " + InFlight.CAPACITY_MAX);
        }
        if (windowBytes < 1 || windowBytes > Window.BYTES_MAX) {
            throw new IllegalArgumentException(
                    "window of " + windowBytes + " bytes is not within 1 to " + Window.BYTES_MAX);
        }
    }

    /** A time in nanoseconds, at most {@link #TIMEOUT_NANOS_MAX}. */
    public static long nanos(Duration time) {
        return time.compareTo(TIMEOUT_MAX) >= 0 ? TIMEOUT_NANOS_MAX : time.toNanos();
    }

    public static ClientSettings defaults() {
        return DEFAULTS;
    }

    public ClientSettings withName(String newName) {
        return new ClientSettings(
                newName, timeoutNanos, windowRequests, windowBytes, learnsByAdjustmentsOnly, routing, multicastGroup);
    }

    public ClientSettings withTimeoutNanos(long nanos) {
        return new ClientSettings(
                name, nanos, windowRequests, windowBytes, learnsByAdjustmentsOnly, routing, multicastGroup);
    }

    public ClientSettings withWindow(int requests, long bytes) {
        return new ClientSettings(
                name, timeoutNanos, requests, bytes, learnsByAdjustmentsOnly, routing, multicastGroup);
    }

    /**
     * The same with the flow control of RP*'s measurements (Diène and Litwin 2000, section 3.1): so many requests outstanding, 10 there; the next one waits for an
     * answer.
     */
    public ClientSettings withFlowControl(int requests) {
        return withWindow(requests, windowBytes);
    }

    /** The same without flow control of the client's: as many requests outstanding as can be. What bricks refuse still waits. */
    public ClientSettings withoutFlowControl() {
        return withWindow(InFlight.CAPACITY_MAX, Window.BYTES_MAX);
    }

    public ClientSettings learningByAdjustmentsOnly() {
        return new ClientSettings(name, timeoutNanos, windowRequests, windowBytes, true, routing, multicastGroup);
    }

    /** The same with another routing than range tables say, for measuring. */
    public ClientSettings withRouting(Routing other) {
        return new ClientSettings(
                name, timeoutNanos, windowRequests, windowBytes, learnsByAdjustmentsOnly, other, multicastGroup);
    }

    /**
     * The same with IP multicast: a request that goes to all bricks of a range table, and is small enough, leaves as one datagram. The bricks must be told the same group.
     *
     * @param group as {@code 239.255.74.74:7474}, or {@code 239.255.74.74:7474@eth1} with the interface to use
     */
    public ClientSettings withMulticastGroup(String group) {
        return new ClientSettings(
                name, timeoutNanos, windowRequests, windowBytes, learnsByAdjustmentsOnly, routing, group);
    }
}
