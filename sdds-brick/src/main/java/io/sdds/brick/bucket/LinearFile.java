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

    /** How many bits of the pseudo-key decide that a key is in this LH-bucket. */
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

    /** How many LH-buckets there are: also the address of the next new one. */
    int buckets() {
        return (1 << level) + splitPointer;
    }

    boolean canGrow() {
        return level < LEVEL_MAX;
    }

    /** The LH-bucket at the split pointer has been split into itself and a new last one. */
    void grow() {
        splitPointer++;
        if (splitPointer == 1 << level) {
            level++;
            splitPointer = 0;
        }
    }

    /** The last LH-bucket is going to be merged into the one it was split from: the split pointer from here on. */
    void shrink() {
        if (splitPointer == 0) {
            level--;
            splitPointer = 1 << level;
        }
        splitPointer--;
    }

    /**
     * The odd LH-buckets are gone and the even ones have half their address: the partition uses the lowest bit now. A
     * split pointer that comes to stand behind the last LH-bucket goes back to the first, one level up.
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
     * Each LH-bucket has the double of its address, and one after it that is empty: the partition uses one bit less.
     */
    void widen() {
        level++;
        splitPointer *= 2;
    }

    /** A file of one LH-bucket. */
    void reset() {
        level = 0;
        splitPointer = 0;
    }
}
