package io.sdds.core.stage;

import io.sdds.core.node.Link;

/** Decides whether the request queue takes a request, and bounds the cost of refusals. Used by one thread. */
final class Admission {

    /*
     * Bounds. Events and bytes are counted. The wait of a request is estimated: the number of requests ahead times the
     * recent cost of one request. The age of the oldest request would tell too late, because the requests of one read
     * may take tens of milliseconds to run.
     *
     * Standing queues (Nichols and Jacobson 2012, "Controlling Queue Delay"; for requests Maurer 2015, "Fail at
     * Scale"). A burst may wait for sojournNanosMax, because it ends. When new requests have had to wait longer than
     * sojournTargetNanos for a whole sojournIntervalNanos, the queue stands. From then on nothing is admitted beyond
     * the target, until no request had to be refused for as long an interval. CoDel takes the shortest wait of an
     * interval. Here the mean wait of new requests counts, because clients answer replies with requests: between two
     * batches the queue runs empty, however many clients there are. The requests of one drain are no standing queue,
     * whatever they cost, because as many are outstanding in an ordinary closed loop. A standing queue is shared out
     * (FairShare), and runs in one drain: requests that come meanwhile are read at once, so that many connections cost
     * little more than few.
     *
     * Price of refusals. A refusal costs almost an echo. If all requests of a connection were refused, nine refusals
     * for each served request would leave a fifth of the throughput (docs/design/overload.md, rule 24). So each refusal
     * in a batch of many takes REFUSAL_NANOS of a clock that all connections of the stage share, and its connection is
     * not read before that clock has run down. So TCP holds the load back, and refusals take a few percent of the
     * stage, however many clients there are. When the queue runs low before that, the connection that has waited
     * longest is read all the same (PausedLinks.resumeOne). While no queue stands, all requests of one read are
     * admitted when there is room for the first of them, because otherwise they would be read only to be refused.
     */
    private static final long REFUSAL_NANOS = 2_000;
    private static final long PAUSE_NANOS_MAX = 100_000_000L;
    private static final long MILLI = 1_000_000L;

    /** Least number of events of a drain that tells how long one event takes. */
    private static final int SAMPLE_EVENTS_MIN = 32;

    private static final int SMOOTHING = 8;

    private final StageLimits limits;
    private final FairShare fairShare = new FairShare();
    private double serviceNanos;
    private double waitNanos;
    private boolean above;
    private long aboveSinceNanos;
    private boolean standing;
    private long lastRefusedNanos;
    private boolean owes;
    private long paidNanos;

    Admission(StageLimits limits) {
        this.limits = limits;
    }

    /** A drain has run {@code events} requests in {@code nanos}, with the flush of their replies. */
    void ran(int events, long nanos) {
        fairShare.drained();
        if (events >= SAMPLE_EVENTS_MIN) {
            double each = (double) nanos / events;
            serviceNanos += serviceNanos == 0 ? each : (each - serviceNanos) / SMOOTHING;
        }
    }

    /** Number of a link's new requests that are admitted. */
    int admits(RequestQueue waiting, Link link, int events, long nowNanos) {
        watch(waiting.events(), events, nowNanos);
        if (nowNanos - waiting.oldestNanos(link, nowNanos) > limits.sojournNanosMax()) {
            return 0;
        }
        if (standing) {
            return fairShare.take(link, events, eventsIn(limits.sojournTargetNanos()));
        }
        return waiting.events() < eventsIn(limits.sojournNanosMax()) ? events : 0;
    }

    /** Whether new requests have had to wait too long for a while. */
    boolean isStanding() {
        return standing;
    }

    /** Number of requests that run in one drain before sockets are read again. */
    int drainEventsMax(RequestQueue waiting) {
        return standing ? Math.max(limits.drainEventsMax(), waiting.events()) : limits.drainEventsMax();
    }

    /** Number of requests that run in a time; at least the requests of one drain, whatever they cost. */
    private int eventsIn(long nanos) {
        long most = serviceNanos == 0 ? Long.MAX_VALUE : (long) (nanos / serviceNanos);
        return (int) Math.min(limits.queueEventsMax(), Math.max(limits.drainEventsMax(), most));
    }

    private void watch(int events, int more, long nowNanos) {
        double wait = (events + more / 2.0) * serviceNanos;
        waitNanos += (wait - waitNanos) * more / (more + limits.drainEventsMax());
        boolean isLong = events + more > limits.drainEventsMax() && waitNanos > limits.sojournTargetNanos();
        if (standing && nowNanos - lastRefusedNanos > limits.sojournIntervalNanos()) {
            standing = false;
            above = false;
        }
        if (isLong && !above) {
            aboveSinceNanos = nowNanos;
        }
        above = isLong;
        if (above && !standing && nowNanos - aboveSinceNanos > limits.sojournIntervalNanos()) {
            standing = true;
            lastRefusedNanos = nowNanos;
        }
    }

    /** Notes refused requests of one connection; returns for how long it is not read, at least the hint's time. */
    long refused(int events, long nowNanos) {
        lastRefusedNanos = nowNanos;
        long hintNanos = limits.busyHintMillis() * MILLI;
        if (events < limits.refusalsToPause()) {
            return hintNanos;
        }
        long from = owes && paidNanos - nowNanos > 0 ? paidNanos : nowNanos;
        owes = true;
        paidNanos = Math.min(from + events * REFUSAL_NANOS, nowNanos + PAUSE_NANOS_MAX);
        return Math.max(hintNanos, paidNanos - nowNanos);
    }
}
