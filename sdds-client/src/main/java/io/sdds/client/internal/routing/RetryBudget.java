package io.sdds.client.internal.routing;

/**
 * How many refused requests may be sent again: a tenth of those answered, and a little always. So an overloaded cluster
 * is not given several times its load by its clients' retries.
 */
final class RetryBudget {
    private static final int UNITS_A_RETRY = 10;
    private static final int RETRIES_MAX = 1000;
    private static final int RETRIES_A_SECOND = 100;

    private long units = (long) RETRIES_MAX * UNITS_A_RETRY;
    private long refilledNanos;

    RetryBudget(long nowNanos) {
        refilledNanos = nowNanos;
    }

    void onAnswer() {
        if (units < RETRIES_MAX * UNITS_A_RETRY) {
            units++;
        }
    }

    /** Takes the price of a retry, if it is there. */
    boolean tryRetry(long nowNanos) {
        refill(nowNanos);
        if (units < UNITS_A_RETRY) {
            return false;
        }
        units -= UNITS_A_RETRY;
        return true;
    }

    private void refill(long nowNanos) {
        long due = (nowNanos - refilledNanos) / (1_000_000_000L / RETRIES_A_SECOND);
        if (due > 0) {
            refilledNanos = nowNanos;
            units = Math.min(RETRIES_MAX * UNITS_A_RETRY, units + due * UNITS_A_RETRY);
        }
    }
}
