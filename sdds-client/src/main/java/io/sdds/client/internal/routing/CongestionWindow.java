package io.sdds.client.internal.routing;

/**
 * How many requests may be unanswered on a link. A brick that is overloaded gives each link an equal share of its queue
 * and refuses what is beyond it, so each refusal takes one off the window, and all of a batch at most half; each
 * window's worth of answers puts a sixteenth on.
 */
public final class CongestionWindow {
    private final int max;
    private int limit;
    private int floor = 1;
    private int answers;

    public CongestionWindow(int max) {
        this.max = max;
        this.limit = max;
    }

    public int limit() {
        return limit;
    }

    /** Whether it is smaller than it may be: the brick was busy a while ago. */
    boolean isReduced() {
        return limit < max;
    }

    /** A request was answered, and not by BUSY. */
    public void onAnswer() {
        if (limit < max && ++answers >= limit) {
            answers = 0;
            limit = Math.min(max, limit + Math.max(1, limit >> 4));
        }
    }

    /** A batch of refusals begins, while so many were unanswered. */
    public void onBusy(int unanswered) {
        limit = Math.max(1, Math.min(limit, unanswered));
        floor = Math.max(1, limit / 2);
        answers = 0;
    }

    /** A request of the batch was refused. */
    public void onRefused() {
        limit = Math.max(floor, limit - 1);
        answers = 0;
    }
}
