package io.sdds.brick.parity.recovery;

/**
 * How fast the records of a recovered column come in the background. Records that requests wait for do not wait for the
 * pace.
 */
final class FillPace {
    /** Bytes a second of decoded records, while no request waits for a record. */
    static final long BYTES_PER_SECOND = 256L << 20;

    /** While requests wait for records, the background gets one part in so many of the pace. */
    static final int PART_BESIDE_REQUESTS = 8;

    /** A record counts as so many bytes more, because a short record takes nearly as much work as a long one. */
    static final int RECORD_BYTES = 256;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** The pace makes up for at most so much time in which nothing was asked for: the time of two ticks. */
    private static final long CATCH_UP_NANOS = 200_000_000L;

    private long credit;
    private long lastNanos;

    FillPace(long nowNanos) {
        this.lastNanos = nowNanos - CATCH_UP_NANOS;
    }

    /**
     * Whether records may be asked for now.
     *
     * @param besideRequests whether requests wait for records
     */
    boolean allows(long nowNanos, boolean besideRequests) {
        long rate = besideRequests ? BYTES_PER_SECOND / PART_BESIDE_REQUESTS : BYTES_PER_SECOND;
        long nanos = Math.min(CATCH_UP_NANOS, nowNanos - lastNanos);
        lastNanos = nowNanos;
        credit = Math.min(credit + nanos * rate / NANOS_PER_SECOND, CATCH_UP_NANOS * rate / NANOS_PER_SECOND);
        return credit >= 0;
    }

    /** So many bytes of so many records are asked for. */
    void spend(long bytes, int records) {
        credit -= bytes + (long) records * RECORD_BYTES;
    }
}
