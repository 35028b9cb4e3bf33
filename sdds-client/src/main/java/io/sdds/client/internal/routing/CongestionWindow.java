package io.sdds.client.internal.routing;

/**
 * Limits how much is unanswered on a link at a time. The unit is one request; a request with a long value counts as
 * more ({@link #weight}).
 *
 * <p>The window begins small. While requests wait for room in the window, each window of answers makes the window
 * larger: by half until the brick refuses a request, by a 32nd from then on, and by one while answers take long. Each
 * refusal takes its request off. The refusals of one batch leave at least a quarter, because a brick may refuse all
 * that was sent while another request ran. A batch of refusals without an answer since the batch before means that the
 * brick takes nothing. After such a batch the window grows by halves again, as after a lost link.
 */
public final class CongestionWindow {
    /*
     * Additive increase and multiplicative decrease (Chiu and Jain 1989), as TCP has it (Jacobson 1988), with a refusal
     * in the part of a lost segment. An overloaded brick gives each link an equal share of its queue, and refuses what
     * is beyond the share. So one refusal tells by one how far the window is too large. In balance a brick refuses as
     * many requests as the window grows by: one for 32 answers. A window that is not full does not grow, because its
     * answers do not show that the brick has room for more (RFC 7661).
     *
     * The answers to one full window take one round trip, and the wait in the brick's queue. When that is several times
     * as long as at best, the brick is busy all the time, and a larger window would only make the queue longer, for
     * this client and for others (as in TCP Vegas, Brakmo and Peterson 1995).
     */
    private static final int FIRST = 64;
    private static final int PROBING_SHIFT = 1;
    private static final int GROWTH_SHIFT = 5;
    private static final int BATCH_LEAVES_SHIFT = 2;
    private static final int WEIGHT_SHIFT = 10;
    private static final long LONG_ROUND_NANOS = 20_000_000L;
    private static final int LONG_ROUND_FACTOR = 4;
    private static final long REFUSED_LATELY_NANOS = 1_000_000_000L;

    private final int max;
    private int limit;
    private int floor = 1;
    private int answers;
    private boolean probing = true;
    private long roundNanos;
    private long quickestNanos = Long.MAX_VALUE / LONG_ROUND_FACTOR;
    private boolean wasRefused;
    private long refusedNanos;

    /** @param max the largest limit */
    public CongestionWindow(int max) {
        this.max = max;
        this.limit = Math.min(max, FIRST);
    }

    /** The part of the window that a request of so many bytes takes. */
    static int weight(int bytes) {
        return 1 + (bytes >> WEIGHT_SHIFT);
    }

    public int limit() {
        return limit;
    }

    /** Whether the brick has refused a request within the last second, and the window is still smaller than before. */
    boolean isReduced(long nowNanos) {
        return wasRefused && limit < max && nowNanos - refusedNanos < REFUSED_LATELY_NANOS;
    }

    /** A request was answered, with another status than BUSY, while further requests waited for room in the window. */
    public void onAnswer(long nowNanos) {
        if (limit == max) {
            return;
        }
        if (answers++ == 0) {
            roundNanos = nowNanos;
        }
        if (answers > limit) {
            answers = 0;
            limit = Math.min(max, limit + growth(nowNanos - roundNanos));
        }
    }

    private int growth(long tookNanos) {
        quickestNanos = Math.min(quickestNanos, tookNanos);
        boolean isLong = tookNanos > Math.max(LONG_ROUND_NANOS, LONG_ROUND_FACTOR * quickestNanos);
        return isLong ? 1 : Math.max(1, limit >> (probing ? PROBING_SHIFT : GROWTH_SHIFT));
    }

    /** The client has a new link to the brick. Answers over this link may take more time or less. */
    void onNewLink() {
        quickestNanos = Long.MAX_VALUE / LONG_ROUND_FACTOR;
        answers = 0;
    }

    /**
     * A batch of refusals begins.
     *
     * @param unanswered what was unanswered
     * @param takesNothing whether the brick has answered no request since the batch before
     */
    public void onBusy(int unanswered, boolean takesNothing, long nowNanos) {
        limit = Math.max(1, Math.min(limit, unanswered));
        floor = Math.max(1, limit >> BATCH_LEAVES_SHIFT);
        answers = 0;
        probing = takesNothing;
        wasRefused = true;
        refusedNanos = nowNanos;
    }

    /**
     * A request of the batch was refused.
     *
     * @param weight what the request took of the window
     */
    public void onRefused(int weight) {
        limit = Math.max(floor, limit - weight);
        answers = 0;
    }
}
