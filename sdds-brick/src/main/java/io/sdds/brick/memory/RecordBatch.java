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
    private int expired;
    private int last;

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
        expired = 0;
        last = 0;
    }

    /** Number of records that were looked at for the batch, and are not in it because they have expired. */
    public int expired() {
        return expired;
    }

    /**
     * Tells that some records are not in the batch because they have expired.
     *
     * @param lastReference of the last record that was looked at
     */
    public void expired(int count, long lastReference) {
        expired = count;
        last = (int) lastReference;
    }

    /** The last record that was looked at for a batch in the order of keys, expired or not; 0 without one. */
    public long last() {
        return expired > 0 ? Integer.toUnsignedLong(last) : size > 0 ? get(size - 1) : 0;
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
