package io.sdds.core.node;

/** Limits how often log lines of one kind are written, however often their cause occurs. Any thread may call. */
public final class LogLimit {
    /** The result of {@link #admit} when the line is to be left out. */
    public static final long LEAVE_OUT = -1;

    private final int linesMax;
    private final long intervalNanos;
    private long sinceNanos;
    private int lines;
    private long leftOut;

    /** Allows at most {@code linesMax} lines in each interval. */
    public LogLimit(int linesMax, long intervalNanos) {
        this.linesMax = linesMax;
        this.intervalNanos = intervalNanos;
    }

    /**
     * Decides about a line. The result is {@link #LEAVE_OUT}, or the number of lines that were left out since the last
     * line; the caller then writes the line.
     */
    public synchronized long admit(long nowNanos) {
        long passed = nowNanos - sinceNanos;
        if (lines == 0 || passed < 0 || passed >= intervalNanos) {
            sinceNanos = nowNanos;
            lines = 0;
        }
        if (lines >= linesMax) {
            leftOut++;
            return LEAVE_OUT;
        }
        lines++;
        long before = leftOut;
        leftOut = 0;
        return before;
    }
}
