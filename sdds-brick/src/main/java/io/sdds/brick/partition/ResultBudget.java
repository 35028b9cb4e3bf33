package io.sdds.brick.partition;

/**
 * The bytes of results that the partitions of a stage may keep together. The stage counts the kept bytes at each tick;
 * between two ticks the budget adds what it has admitted. Results that come with the log of a group or with a migration
 * are counted and never refused, because their writes were admitted elsewhere.
 *
 * <p>The results of one session at one partition may grow to an eighth of what is left (dynamic thresholds of Choudhury
 * and Hahne). So sessions that never raise their low leave room for other sessions. A few results of each session are
 * always admitted, so that each session makes progress.
 */
public final class ResultBudget {
    private static final int SHARE = 8;

    private final long limitBytes;
    private long usedBytes;

    /** @param limitBytes most bytes of the results of a stage */
    public ResultBudget(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** The stage begins to keep results of a session at a partition. */
    void begins(SessionResults results) {
        usedBytes += results.bytes();
    }

    /**
     * Whether the result of a write may be kept. The oldest open write of a session always runs, because the session
     * can raise its low, and free the results that it has here, only when that write has ended. While the budget is
     * short, an array that is mostly empty is replaced by a smaller one first.
     */
    boolean admits(SessionResults results, long seq) {
        if (usedBytes > limitBytes / 2) {
            results.trim();
        }
        return results.room(seq) && hasRoom(results) || seq == results.low();
    }

    private boolean hasRoom(SessionResults results) {
        long grownBytes = results.bytesWithOneMore();
        long growthBytes = grownBytes - results.bytes();
        if (growthBytes > 0 && grownBytes > (limitBytes - usedBytes) / SHARE) {
            return false;
        }
        usedBytes += growthBytes;
        return true;
    }

    /** Sets the bytes of the results that the stage keeps now. */
    public void count(long keptBytes) {
        usedBytes = keptBytes;
    }

    /** Bytes of the kept results, as of the last count, and of what was admitted since. */
    public long usedBytes() {
        return usedBytes;
    }
}
