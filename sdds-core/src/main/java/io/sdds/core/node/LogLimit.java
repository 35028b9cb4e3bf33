package io.sdds.core.node;

/** Bounds how often log lines of one kind are written, however often their cause occurs. Any thread. */
public final class LogLimit {
    /** What {@link #admit} answers when the line is to be left out. */
    public static final long LEAVE_OUT = -1;

    private final int linesMax;
    private final long intervalNanos;
    private long sinceNanos;
    private int lines;
    private long leftOut;

    /** At most so many lines an interval. */
    public LogLimit(int linesMax, long intervalNanos) {
        this.linesMax = linesMax;
        this.intervalNanos = intervalNanos;
    }

    /**
     * {@link #LEAVE_OUT}, or how many lines were left out since the last one was written: then the next one is written
     * now.
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
