package io.sdds.brick.memory;

import java.util.Arrays;

/**
 * References of some records that are looked at together. The memory accesses of the records then overlap: see
 * {@link RecordStore#touch(RecordBatch, int)}.
 */
public final class RecordBatch {

    /** Most records of a batch, but for records of a hash bucket that all have one pseudo-key. */
    public static final int RECORDS_MAX = 256;

    private static final int FIRST_CAPACITY = 16;

    private int[] references = new int[FIRST_CAPACITY];
    private int size;

    /** Number of records. */
    public int size() {
        return size;
    }

    /** The reference of a record. */
    public long get(int index) {
        return Integer.toUnsignedLong(references[index]);
    }

    /** Empties the batch. */
    public void clear() {
        size = 0;
    }

    /** Adds a record. */
    public void add(long reference) {
        if (size == references.length) {
            references = Arrays.copyOf(references, 2 * size);
        }
        references[size++] = (int) reference;
    }

    /** Keeps the first records only. */
    public void truncate(int newSize) {
        size = newSize;
    }

    /** The references, of which the first {@link #size} are in use. */
    int[] references() {
        return references;
    }
}
