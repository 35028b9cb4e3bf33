package io.sdds.brick.bucket;

import java.lang.foreign.MemorySegment;

/**
 * The records of one partition, found by key: what the bucket of a hash partition and that of a range partition have in
 * common. A key is given with its pseudo-key; a bucket in key order has no use for that.
 *
 * <p>References found are valid until the bucket is next changed or maintained. One thread.
 */
public interface Bucket {

    /**
     * Records held; those among them that have expired are counted until they are swept: see {@link #mayHoldExpired}.
     */
    long records();

    /** Bytes of the slots of all records held: header, key and value, rounded up. */
    long bytes();

    /**
     * The record with a key.
     *
     * @param hash pseudo-key of the key
     * @return its reference, or 0 if there is none or it has expired
     */
    long find(long hash, MemorySegment key, long keyOffset, int keyLength);

    /**
     * Inserts a record, or replaces the value, version and expiry of the one with this key, expired or not; in place if
     * the slot is of the right size. A value no longer than the old one, with an expiry if that had one, is never
     * refused.
     *
     * @param hash pseudo-key of the key
     * @param expiry in logical time, or {@link io.sdds.brick.memory.RecordStore#NO_EXPIRY}
     * @param reserved whether the last 5 % of the memory may be used
     * @throws IllegalArgumentException if key or value are longer than allowed, or the key is empty
     * @throws IllegalStateException if the bucket has been released
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

    /** Bytes of each slot that a put may take for what finds the record. */
    int indexSlotBytes();

    /** How many of these so many puts take at most, one after the other, and changes that take no memory in between. */
    int indexSlots(int puts);

    /** Bytes of the longest key of which a put may take a copy, when its own is this long; 0: it takes none. */
    int keptKeyBytes(int keyLength);

    /**
     * Removes the record with a key. Needs no memory.
     *
     * @param hash pseudo-key of the key
     * @return whether there was one that had not expired
     * @throws IllegalStateException if the bucket has been released
     */
    boolean remove(long hash, MemorySegment key, long keyOffset, int keyLength);

    /**
     * Loads what a search for the key begins with. To be done for all keys of a batch before {@link #touchRecord}, so
     * that the memory accesses overlap.
     *
     * @param hash pseudo-key of the key
     * @return what {@link #touchRecord} goes on with, before the bucket is changed or maintained
     */
    long touchIndex(long hash, MemorySegment key, long keyOffset, int keyLength);

    /**
     * Loads the beginning of the record that is most likely the one with this key. To be done for all keys of a batch
     * before they are looked up.
     *
     * @param index what {@link #touchIndex} answered
     * @return a number to be consumed, so that the access isn't optimised away
     */
    int touchRecord(long index, long hash, MemorySegment key, long keyOffset, int keyLength);

    /** The logical time by which records expire, in nanoseconds. */
    long timeNanos();

    /** Moves the logical time on; it never goes back. What expires by it is absent from here on. */
    void timeNanos(long nanos);

    /** Whether there may be a record that expires some time. */
    boolean mayExpire();

    /** Whether there may be a record that has expired and is not yet swept. */
    boolean mayHoldExpired();

    /**
     * Gives up the bucket: it is empty from here on and takes no put or remove. Its memory comes back as
     * {@link #maintain} is called.
     */
    void release();

    /**
     * Does background work, such as giving back memory after a split or a release. References found before are void.
     *
     * @param workUnits of which each is about an LH-bucket or less, 16 records of a leaf looked at or freed, or 4 of
     *     them moved; the last step may take some more
     * @return whether there is more to do
     */
    boolean maintain(int workUnits);
}
