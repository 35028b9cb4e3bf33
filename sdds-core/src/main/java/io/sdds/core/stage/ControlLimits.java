package io.sdds.core.stage;

/**
 * Bounds of the control requests of clients at one node. At a bound a request is answered {@code BUSY} before any work is done.
 *
 * @param eventsMax requests that wait; one more for each client of which none waits
 * @param bytesMax bytes of the requests that wait
 * @param requestBytesMax longest request; a longer one ends its connection
 * @param turnEventsMax requests that run in one turn of the node
 * @param turnBytesMax bytes of answers after which a turn runs no more requests
 * @param sharePercent most of the node's time that running them may take
 * @param burstNanos time that they may take at once after the node had none; as much is the largest debt
 */
public record ControlLimits(
        int eventsMax,
        int bytesMax,
        int requestBytesMax,
        int turnEventsMax,
        int turnBytesMax,
        int sharePercent,
        long burstNanos) {

    private static final int EVENTS_MAX = 1024;
    private static final int BYTES_MAX = 1 << 20;
    private static final int REQUEST_BYTES_MAX = 16 << 10;
    private static final int TURN_EVENTS_MAX = 16;
    private static final int TURN_BYTES_MAX = 64 << 10;
    private static final long BURST_NANOS = 20_000_000L;

    /** Of a brick's stage, whose time belongs to reads and writes. */
    public static final ControlLimits OF_BRICK = of(5);

    /** Of a coordinator, which does little else. */
    public static final ControlLimits OF_COORDINATOR = of(50);

    private static ControlLimits of(int sharePercent) {
        return new ControlLimits(
                EVENTS_MAX, BYTES_MAX, REQUEST_BYTES_MAX, TURN_EVENTS_MAX, TURN_BYTES_MAX, sharePercent, BURST_NANOS);
    }
}
