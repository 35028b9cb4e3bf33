package io.sdds.core.addressing;

/**
 * The address calculus of LH* (Litwin, Neimat, Schneider, TODS 1996), as pure functions of pseudo-keys.
 *
 * <p>A file of M partitions has level {@code i = floor(log2 M)} and split pointer {@code n = M - 2^i}. A client's whole
 * image is the one integer M'. A partition {@code a} has level {@code j}. This level is {@code i + 1} when a split of
 * this round divided or made the partition, else {@code i}.
 */
public final class LinearHashing {
    /** Largest number of partitions of a table. The address blocks of such a table are still only a few megabytes. */
    public static final int PARTITIONS_MAX = 1 << 20;

    private LinearHashing() {}

    /** The level i of a file of {@code partitions} partitions. */
    public static int level(int partitions) {
        return 31 - Integer.numberOfLeadingZeros(partitions);
    }

    /** The split pointer n of a file of {@code partitions} partitions: the partition that holds the split token. */
    public static int splitPointer(int partitions) {
        return partitions - (1 << level(partitions));
    }

    /**
     * The level j of partition {@code a} in a file of {@code partitions} partitions. If the file has no partition of
     * this number, it is the level that the split which makes the partition will give it.
     */
    public static int levelOf(int a, int partitions) {
        if (a >= partitions) {
            return level(a) + 1;
        }
        int i = level(partitions);
        return a < splitPointer(partitions) || a >= 1 << i ? i + 1 : i;
    }

    /** h_level(pseudoKey) = pseudoKey mod 2^level. */
    public static int h(int level, long pseudoKey) {
        return (int) (pseudoKey & ((1L << level) - 1));
    }

    /**
     * Address of the partition that a file (or an image) of {@code partitions} partitions gives a pseudo-key: client
     * address calculation of LH* (algorithm A1). The image may be behind the file; then the partition forwards and an
     * image adjustment follows.
     */
    public static int address(long pseudoKey, int partitions) {
        int i = level(partitions);
        int a = h(i, pseudoKey);
        return a < partitions - (1 << i) ? h(i + 1, pseudoKey) : a;
    }

    /**
     * The partition to which partition {@code a} of level {@code j} sends a request for a pseudo-key; {@code a} itself
     * when {@code a} owns the pseudo-key (server address calculation of LH*). At most two forwards reach the right
     * partition, for every image of the client.
     */
    public static int forwardAddress(long pseudoKey, int a, int j) {
        int right = h(j, pseudoKey);
        if (right == a || j == 0) {
            return right;
        }
        int before = h(j - 1, pseudoKey);
        return before > a && before < right ? before : right;
    }

    /**
     * The number of partitions of the smallest file that can contain partition {@code a} at level {@code j}. An image
     * grows to this number (equals LH* algorithm A2).
     */
    public static int partitionsAtLeast(int a, int j) {
        return j == 0 ? 1 : (1 << (j - 1)) + (a & ((1 << (j - 1)) - 1)) + 1;
    }

    /**
     * The number of partitions of the largest file that can contain partition {@code a} at level {@code j}. A larger
     * image shrinks to this number.
     */
    public static int partitionsAtMost(int a, int j) {
        return (1 << j) + a;
    }

    /**
     * The partition whose split made {@code a}: {@code a} without its top bit. Undefined for 0, which no split made.
     */
    public static int parent(int a) {
        return a & ~Integer.highestOneBit(a);
    }
}
