package io.sdds.brick.bucket;

/**
 * The addressing of a linear hash file: level j and split pointer n, hence 2^j + n LH-buckets. Pure arithmetic.
 *
 * <p>W. Litwin, "Linear hashing: a new tool for file and table addressing" (VLDB 1980); halving is the partitioning of
 * an LH file by an LH* split, J. S. Karlsson, W. Litwin, T. Risch, "LH*LH" (EDBT 1996), section 4.5.2.
 */
final class LinearFile {

    private static final int LEVEL_MAX = 30;

    private int level;
    private int splitPointer;

    /** The LH-bucket of a key whose pseudo-key, without the bits of the partition, is {@code bits}. */
    int address(long bits) {
        int address = (int) bits & ((1 << level) - 1);
        return address < splitPointer ? (int) bits & ((2 << level) - 1) : address;
    }

    /** Number of bits of the pseudo-key that decide whether a key is in an LH-bucket. */
    int levelOf(int bucket) {
        return bucket < splitPointer || bucket >= 1 << level ? level + 1 : level;
    }

    int level() {
        return level;
    }

    /** The LH-bucket to split next. */
    int splitPointer() {
        return splitPointer;
    }

    /** Number of LH-buckets, which is also the address of the next new LH-bucket. */
    int buckets() {
        return (1 << level) + splitPointer;
    }

    boolean canGrow() {
        return level < LEVEL_MAX;
    }

    /** The LH-bucket at the split pointer has been split, and its odd half is the new last LH-bucket. */
    void grow() {
        splitPointer++;
        if (splitPointer == 1 << level) {
            level++;
            splitPointer = 0;
        }
    }

    /** Undoes the last split: the last LH-bucket goes back into the LH-bucket that is then at the split pointer. */
    void shrink() {
        if (splitPointer == 0) {
            level--;
            splitPointer = 1 << level;
        }
        splitPointer--;
    }

    /**
     * The odd LH-buckets are gone, and the even LH-buckets have half their address, because the partition uses the
     * lowest bit now. A split pointer behind the last LH-bucket goes back to the first LH-bucket, one level up.
     */
    void halve() {
        level--;
        splitPointer = (splitPointer + 1) / 2;
        if (splitPointer == 1 << level) {
            level++;
            splitPointer = 0;
        }
    }

    /**
     * Each LH-bucket has twice its address, and an empty LH-bucket behind it, because the partition uses one bit less.
     */
    void widen() {
        level++;
        splitPointer *= 2;
    }

    /** Makes the file one LH-bucket again. */
    void reset() {
        level = 0;
        splitPointer = 0;
    }
}
