package io.sdds.core.stage;

/**
 * Bounds of the control requests of clients at one node. At a bound a request is answered {@code BUSY} before any work
 * is done.
 *
 * @param eventsMax requests that wait; one more for each client of which none waits
 * @param bytesMax bytes of the requests that wait
 * @param requestBytesMax longest request; a longer one ends its connection
 * @param turnEventsMax requests that run in one turn of the node
 * @param turnBytesMax bytes of answers after which a turn runs no more requests
 * @param sharePercent most of a processor that running them may take
 * @param burstNanos processor time that they may take at once after the node had none
 */
public record ControlLimits(
        int eventsMax,
        int bytesMax,
        int requestBytesMax,
        int turnEventsMax,
        int turnBytesMax,
        int sharePercent,
        long burstNanos) {

    /** The limits of a brick's stage, whose time belongs to reads and writes. */
    public static final ControlLimits DEFAULT =
            new ControlLimits(1024, 1 << 20, 16 << 10, 16, 64 << 10, 5, 20_000_000L);

    /**
     * The limits of a coordinator. Clients create and drop hundreds of tables at once, and nothing else takes a
     * coordinator's time. A quarter of a processor at most is left to a flood, because bricks may share the machine.
     */
    public static final ControlLimits COORDINATOR =
            new ControlLimits(1024, 1 << 20, 16 << 10, 16, 64 << 10, 25, 300_000_000L);
}
