package io.sdds.brick.parity;

/**
 * The bytes that one kind of work of decodings may hold on a stage: the decodings that the stage's parity members lead,
 * those in which they take part, or the records that filling columns have asked for. Each kind has a budget of its own,
 * because a decoding that is led waits for decodings of other members. If both had one budget, the members of two
 * groups could wait for each other.
 */
public final class DecodingBudget {
    /** Several of the largest records, beside hundreds of decodings of ordinary ones. */
    public static final long BYTES_MAX = 64L << 20;

    private final long limitBytes;
    private long usedBytes;

    public DecodingBudget(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Takes so many bytes; false if there are not so many left. A single piece of work may exceed the limit. */
    public boolean take(long bytes) {
        if (usedBytes > 0 && bytes > limitBytes - usedBytes) {
            return false;
        }
        usedBytes += bytes;
        return true;
    }

    /** Takes so many bytes if as many are left afterwards, because more urgent work may follow. */
    public boolean takeHalf(long bytes) {
        return (usedBytes == 0 || 2 * bytes <= limitBytes - usedBytes) && take(bytes);
    }

    /**
     * Gives bytes back that were taken.
     *
     * @throws IllegalStateException if more is given back than was taken
     */
    public void giveBack(long bytes) {
        usedBytes -= bytes;
        if (usedBytes < 0) {
            throw new IllegalStateException("gave back " + bytes + " bytes more than were taken, now " + usedBytes);
        }
    }

    public long usedBytes() {
        return usedBytes;
    }
}
