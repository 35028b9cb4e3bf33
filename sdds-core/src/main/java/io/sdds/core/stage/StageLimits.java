package io.sdds.core.stage;

/**
 * Bounds of a stage's queues. At a bound a client's request is answered {@code BUSY} before any work is done.
 *
 * @param queueEventsMax requests waiting
 * @param queueBytesMax bytes of requests waiting
 * @param sojournNanosMax the oldest request's wait beyond which no more are admitted
 * @param drainEventsMax requests run before sockets are read again
 * @param busyHintMillis after which a refused client may try again
 * @param refusalsToPause refusals in one batch after which the connection is not read for the hint's time (TCP holds the load)
 */
public record StageLimits(
        int queueEventsMax,
        int queueBytesMax,
        long sojournNanosMax,
        int drainEventsMax,
        int busyHintMillis,
        int refusalsToPause) {

    public static final StageLimits DEFAULT = new StageLimits(65_536, 64 << 20, 100_000_000L, 4096, 2, 16);
}
