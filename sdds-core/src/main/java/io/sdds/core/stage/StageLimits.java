package io.sdds.core.stage;

/**
 * Bounds of a stage's queues, and of the results that a stage keeps. At a bound a client's request is answered
 * {@code BUSY} before any work is done.
 *
 * @param queueEventsMax requests waiting
 * @param queueBytesMax bytes of requests waiting
 * @param sojournNanosMax the wait beyond which no more are admitted: the oldest request's, and what the next one has to
 *     expect
 * @param sojournTargetNanos the wait beyond which no more are admitted while a queue stands, and which makes it a
 *     standing one
 * @param sojournIntervalNanos how long a queue must have been longer than the target to be a standing one, and how long
 *     nothing must have been refused for it to be none any more
 * @param drainEventsMax requests run before sockets are read again, unless a queue stands, all of which runs then; as
 *     many are never a standing queue
 * @param busyHintMillis after which a refused client may try again, at least
 * @param refusalsToPause refusals in one batch after which the connection is not read for the hint's time, or longer if
 *     many are refused (TCP holds the load)
 * @param control bounds of the control requests of clients
 * @param resultBytesMax bytes of the kept results of writes
 */
public record StageLimits(
        int queueEventsMax,
        int queueBytesMax,
        long sojournNanosMax,
        long sojournTargetNanos,
        long sojournIntervalNanos,
        int drainEventsMax,
        int busyHintMillis,
        int refusalsToPause,
        ControlLimits control,
        long resultBytesMax) {
    private static final long RESULT_BYTES_MAX = 64L << 20;

    public static final StageLimits DEFAULT =
            new StageLimits(65_536, 64 << 20, 100_000_000L, 1_000_000L, 100_000_000L, 1024, 2, 64);

    /** Limits with the default ones of control requests. */
    public StageLimits(
            int queueEventsMax,
            int queueBytesMax,
            long sojournNanosMax,
            long sojournTargetNanos,
            long sojournIntervalNanos,
            int drainEventsMax,
            int busyHintMillis,
            int refusalsToPause) {
        this(
                queueEventsMax,
                queueBytesMax,
                sojournNanosMax,
                sojournTargetNanos,
                sojournIntervalNanos,
                drainEventsMax,
                busyHintMillis,
                refusalsToPause,
                ControlLimits.DEFAULT,
                RESULT_BYTES_MAX);
    }

    /** These limits with other bounds of control requests. */
    public StageLimits withControl(ControlLimits other) {
        return new StageLimits(
                queueEventsMax,
                queueBytesMax,
                sojournNanosMax,
                sojournTargetNanos,
                sojournIntervalNanos,
                drainEventsMax,
                busyHintMillis,
                refusalsToPause,
                other,
                resultBytesMax);
    }

    /** These limits with another bound of the kept results. */
    public StageLimits withResultBytesMax(long other) {
        return new StageLimits(
                queueEventsMax,
                queueBytesMax,
                sojournNanosMax,
                sojournTargetNanos,
                sojournIntervalNanos,
                drainEventsMax,
                busyHintMillis,
                refusalsToPause,
                control,
                other);
    }

    /** Limits under which the target is the most that may wait. */
    public StageLimits(
            int queueEventsMax,
            int queueBytesMax,
            long sojournNanosMax,
            int drainEventsMax,
            int busyHintMillis,
            int refusalsToPause) {
        this(
                queueEventsMax,
                queueBytesMax,
                sojournNanosMax,
                sojournNanosMax,
                sojournNanosMax,
                drainEventsMax,
                busyHintMillis,
                refusalsToPause);
    }
}
