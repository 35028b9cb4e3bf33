package io.sdds.client.routing;

/** How many requests may be unanswered on a link: halved when the brick says BUSY, grown by an eighth for each window's worth of answers. */
final class CongestionWindow {
    private final int max;
    private int limit;
    private int answers;

    CongestionWindow(int max) {
        this.max = max;
        this.limit = max;
    }

    int limit() {
        return limit;
    }

    /** Whether it is smaller than it may be: the brick was busy a while ago. */
    boolean isReduced() {
        return limit < max;
    }

    /** A request was answered, and not by BUSY. */
    void onAnswer() {
        if (limit < max && ++answers >= limit) {
            answers = 0;
            limit = Math.min(max, limit + Math.max(1, limit >> 3));
        }
    }

    /** A brick refused requests while so many were unanswered. Called once for a batch of refusals. */
    void onBusy(int unanswered) {
        limit = Math.max(1, Math.min(limit, unanswered) / 2);
        answers = 0;
    }
}
