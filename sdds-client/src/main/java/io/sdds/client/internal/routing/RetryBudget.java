package io.sdds.client.internal.routing;

/**
 * Limits how many refused requests may be sent again: a tenth of the answered requests, and a few in each second. So
 * the retries of clients do not multiply the load of an overloaded cluster.
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

    /** Takes the price of a retry from the budget. Returns false when the budget is spent. */
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
