package io.sdds.client.internal.routing;

/**
 * Paces how fast refused requests are sent to a brick again. So retries do not multiply the load of an overloaded
 * brick, and requests of one busy partition do not hold up the requests of the brick's other partitions.
 *
 * <p>Sending a refused request again takes one of the budget. An answer to it brings two back: the one that it took and
 * another one, because the brick has room again. A further refusal brings nothing back. A twentieth comes from each
 * other answer, and some each second, so that a brick that refuses everything is asked now and then. While the budget
 * is empty, refused requests wait.
 */
final class RetryBudget {
    static final int RETRIES_MAX = 256;
    static final int RETRIES_A_SECOND = 20;
    private static final int UNITS_A_RETRY = 20;
    private static final int UNITS_MAX = RETRIES_MAX * UNITS_A_RETRY;

    private int units = UNITS_MAX;
    private long refilledNanos;

    RetryBudget(long nowNanos) {
        refilledNanos = nowNanos;
    }

    /** Whether a refused request may be sent again. */
    boolean hasRoom(long nowNanos) {
        if (units < UNITS_MAX) {
            refill(nowNanos);
        }
        return units >= UNITS_A_RETRY;
    }

    /** A refused request is sent again. */
    void onRetry() {
        units -= UNITS_A_RETRY;
    }

    /**
     * A request was answered, with another status than BUSY.
     *
     * @param wasRefused whether the brick had refused the request before
     */
    void onAnswer(boolean wasRefused) {
        if (units < UNITS_MAX) {
            units = Math.min(UNITS_MAX, units + (wasRefused ? 2 * UNITS_A_RETRY : 1));
        }
    }

    private void refill(long nowNanos) {
        long due = (nowNanos - refilledNanos) / (1_000_000_000L / RETRIES_A_SECOND);
        if (due > 0) {
            refilledNanos = nowNanos;
            units = (int) Math.min(UNITS_MAX, units + due * UNITS_A_RETRY);
        }
    }
}
