package io.sdds.client.internal.routing;

/**
 * Limits the number of unanswered requests on a link. An overloaded brick gives each link an equal share of its queue
 * and refuses requests beyond this share. So each refusal takes one off the window, and the refusals of one batch take
 * at most half. Each window's worth of answers adds a sixteenth.
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

    /** Whether the window is smaller than its maximum, because the brick was busy a while ago. */
    boolean isReduced() {
        return limit < max;
    }

    /** A request was answered, with another status than BUSY. */
    public void onAnswer() {
        if (limit < max && ++answers >= limit) {
            answers = 0;
            limit = Math.min(max, limit + Math.max(1, limit >> 4));
        }
    }

    /**
     * A batch of refusals begins.
     *
     * @param unanswered number of requests that were unanswered
     */
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
