package io.sdds.brick.migration;

/** How long writes wait for a switch: twice as long each time that was not enough. */
final class SwitchPatience {
    private static final long NANOS_FIRST = 50_000_000L;
    private static final long NANOS_MAX = 800_000_000L;

    private long nanos = NANOS_FIRST;

    /** How long writes wait for the next switch. */
    long nanos() {
        return nanos;
    }

    /** A switch has taken longer. */
    void timedOut() {
        nanos = Math.min(NANOS_MAX, 2 * nanos);
    }
}
