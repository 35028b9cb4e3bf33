package io.sdds.brick.bucket;

import java.lang.foreign.MemorySegment;

/**
 * The records of one partition, found by key. Hash partitions and range partitions have different buckets with these
 * methods in common. A key is given with its pseudo-key, which a bucket in key order does not use.
 *
 * <p>A returned reference is valid until the bucket is next changed or maintained. One thread uses a bucket.
 */
public interface Bucket {

    /** Number of records in the bucket. Expired records count until they are swept; see {@link #mayHoldExpired}. */
    long records();

    /** Bytes of the slots of all records held: header, key and value, rounded up. */
    long bytes();

    /**
     * The record with a key.
     *
     * @param hash pseudo-key of the key
     * @return reference of the record, or 0 if there is no such record or it has expired
     */
    long find(long hash, MemorySegment key, long keyOffset, int keyLength);

    /** The record with a key as {@link #find} returns it, but also if it has expired and is not yet swept. */
    long findAny(long hash, MemorySegment key, long keyOffset, int keyLength);

    /** The ranks of the records, as tables with parity groups need them. Most buckets are not ranked. */
    RecordRanks ranks();

    /**
     * Inserts a record, or replaces the value, version and expiry of the record with this key, in place if the slot is
     * of the right size. A put is never refused if the new value is no longer than the old value, and the new record
     * has an expiry if the old record has one. The old record may have expired.
     *
     * @param hash pseudo-key of the key
     * @param expiry in logical time, or {@link io.sdds.brick.memory.RecordStore#NO_EXPIRY}
     * @param reserved whether the last 5 % of the memory may be used
     * @throws IllegalArgumentException if key or value are longer than allowed, or the key is empty
     * @throws IllegalStateException if the bucket has been released, or if it is ranked and the put would insert a
     *     record without a rank ({@link RecordRanks#rankOfNext})
     */
    PutResult put(
            long hash,
            MemorySegment key,
            long keyOffset,
            int keyLength,
            MemorySegment value,
            long valueOffset,
            int valueLength,
            long version,
            long expiry,
            boolean reserved);

    /** Size in bytes of a slot that a put may take for the index of the bucket. */
    int indexSlotBytes();

    /** Largest number of index slots that {@code puts} puts take, with changes between them that take no memory. */
    int indexSlots(int puts);

    /** Bytes of the longest key that a put of a key of {@code keyLength} bytes may copy; 0 if a put copies no key. */
    int keptKeyBytes(int keyLength);

    /**
     * Removes the record with a key. Needs no memory. In a ranked bucket the rank of the record stays allocated.
     *
     * @param hash pseudo-key of the key
     * @return whether there was a record that had not expired
     * @throws IllegalStateException if the bucket has been released
     */
    boolean remove(long hash, MemorySegment key, long keyOffset, int keyLength);

    /**
     * Loads what a search for the key begins with. To be done for all keys of a batch before {@link #touchRecord}, so
     * that the memory accesses overlap.
     *
     * @param hash pseudo-key of the key
     * @return an argument for {@link #touchRecord}, valid until the bucket is changed or maintained
     */
    long touchIndex(long hash, MemorySegment key, long keyOffset, int keyLength);

    /**
     * Loads the beginning of the record that is most likely the one with this key. To be done for all keys of a batch
     * before they are looked up.
     *
     * @param index the result of {@link #touchIndex}
     * @return a number to be consumed, so that the access isn't optimised away
     */
    int touchRecord(long index, long hash, MemorySegment key, long keyOffset, int keyLength);

    /** The logical time by which records expire, in nanoseconds. */
    long timeNanos();

    /** Moves the logical time on; it never goes back. Records that expire by then are absent from now on. */
    void timeNanos(long nanos);

    /** Whether there may be a record that has an expiry. */
    boolean mayExpire();

    /** Whether there may be a record that has expired and is not yet swept. */
    boolean mayHoldExpired();

    /** Empties the bucket for good: it takes no put or remove any more. {@link #maintain} frees the memory. */
    void release();

    /**
     * Does background work, such as freeing memory after a split or a release. References that were returned before are
     * void.
     *
     * @param workUnits units of work to do; the last step may do some more. A unit is at most one LH-bucket, 16 records
     *     of a leaf that are looked at or freed, or 4 records of a leaf that are moved
     * @return whether more work is left
     */
    boolean maintain(int workUnits);
}
