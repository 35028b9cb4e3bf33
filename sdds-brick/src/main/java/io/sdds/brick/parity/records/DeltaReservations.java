package io.sdds.brick.parity.records;

import java.lang.foreign.MemorySegment;

/**
 * Takes the memory of the future folds of one column beforehand, so that none of these folds can be refused. The folds
 * belong to numbered entries, which are applied in the order of their numbers. An entry may have no fold, one or more.
 */
public final class DeltaReservations {

    /* The folds stand in a ring, in the order of their numbers. Entries are applied from the head and cut from the
     * tail, so an entry without folds takes no place. */

    private static final int FIRST_PLACES = 64;

    private final ParityRecords records;
    private final int column;

    private long[] numbers = new long[FIRST_PLACES];
    private int[] ranks = new int[FIRST_PLACES];
    private int[] lengths = new int[FIRST_PLACES];
    private int[] slots = new int[FIRST_PLACES];

    /** Count of the folds that have left the ring at its head. */
    private long head;

    /** Count of the folds that ever came into the ring, without those that were cut. */
    private long tail;

    /** No memory is kept for numbers up to this one. */
    private long done;

    /** Makes reservations for the folds of a column, from 0, into the parity records of its group. */
    public DeltaReservations(ParityRecords records, int column) {
        this.records = records;
        this.column = column;
    }

    /** Begins with the number behind {@code number}. No memory may be kept. */
    public void begin(long number) {
        done = number;
    }

    /**
     * Takes the memory for the first fold of an entry. Reservations for this number or higher ones are cancelled first.
     *
     * @param number of the entry, above all numbers that were applied
     * @param length bytes of the delta
     * @param reserved whether the last 5 % of the memory may be used
     * @return false if the memory is refused; none is kept for the entry then
     */
    public boolean provide(long number, int rank, int length, boolean reserved) {
        cancelAbove(number - 1);
        return provideMore(number, rank, length, reserved);
    }

    /**
     * Takes the memory for one more fold of an entry, behind the folds that {@link #provide} was called for.
     *
     * @return false if the memory is refused; none is kept for the entry then, for its earlier folds neither
     */
    public boolean provideMore(long number, int rank, int length, boolean reserved) {
        if (number <= done) {
            throw new IllegalArgumentException("entry " + number + " has been applied; the last one was " + done);
        }
        long slot = records.reserve(rank, length, reserved);
        if (slot == 0) {
            cancelAbove(number - 1);
            return false;
        }
        if (tail - head == slots.length) {
            grow();
        }
        int place = place(tail++);
        numbers[place] = number;
        ranks[place] = rank;
        lengths[place] = length;
        slots[place] = (int) slot;
        return true;
    }

    private int place(long count) {
        return (int) count & slots.length - 1;
    }

    private void grow() {
        long[] oldNumbers = numbers;
        int[] oldRanks = ranks;
        int[] oldLengths = lengths;
        int[] oldSlots = slots;
        int size = slots.length;
        numbers = new long[2 * size];
        ranks = new int[2 * size];
        lengths = new int[2 * size];
        slots = new int[2 * size];
        for (long moved = head; moved < tail; moved++) {
            int old = (int) moved & size - 1;
            int place = place(moved);
            numbers[place] = oldNumbers[old];
            ranks[place] = oldRanks[old];
            lengths[place] = oldLengths[old];
            slots[place] = oldSlots[old];
        }
    }

    /** The entry of a number is applied now, until {@link #used}, by a {@link #fold} for each of its reservations. */
    public void use(long number) {
        if (head < tail && numbers[place(head)] < number) {
            throw new IllegalStateException("entry " + numbers[place(head)] + " has not been applied before " + number);
        }
        done = number;
    }

    /**
     * Folds the next delta of the entry in use, with the memory reserved for it.
     *
     * @param rank as reserved
     * @param delta coded(old) xor coded(new) of the column's record at the rank
     * @param length bytes of the delta, at most as many as reserved
     * @param fingerprintAfter {@link ParityRecords#fingerprint(long)} of the new record; 0 if the record is removed
     * @throws IllegalStateException if the memory for this fold is not reserved, or the field contradicts the
     *     fingerprints
     */
    public void fold(int rank, MemorySegment delta, long offset, int length, int fingerprintAfter) {
        int place = place(head);
        if (head == tail || numbers[place] != done || ranks[place] != rank || lengths[place] < length) {
            throw new IllegalStateException("entry " + done + " of column " + column + " has no memory for " + length
                    + " bytes at rank " + rank);
        }
        head++;
        records.fold(column, rank, delta, offset, length, fingerprintAfter, Integer.toUnsignedLong(slots[place]));
        records.unpin(rank);
    }

    /**
     * Does not fold the next delta of the entry in use, and frees the memory reserved for it.
     *
     * @param rank as reserved
     * @throws IllegalStateException if the next reservation is not for this delta
     */
    public void skip(int rank) {
        int place = place(head);
        if (head == tail || numbers[place] != done || ranks[place] != rank) {
            throw new IllegalStateException(
                    "entry " + done + " of column " + column + " has no memory at rank " + rank + " to skip");
        }
        cancel(head++);
    }

    /** The entry of a number has been applied, as all entries before it. Frees the memory that it did not need. */
    public void used(long number) {
        while (head < tail && numbers[place(head)] <= number) {
            cancel(head++);
        }
        done = number;
    }

    /** Cancels the folds of the entries with numbers above {@code behind} up to {@code last}, the last of all. */
    public void cut(long behind, long last) {
        if (head < tail && numbers[place(tail - 1)] > last) {
            throw new IllegalArgumentException(
                    "entry " + numbers[place(tail - 1)] + " is behind the last one to cut, " + last);
        }
        cancelAbove(behind);
    }

    private void cancelAbove(long number) {
        while (head < tail && numbers[place(tail - 1)] > number) {
            cancel(--tail);
        }
    }

    private void cancel(long count) {
        records.cancel(ranks[place(count)], Integer.toUnsignedLong(slots[place(count)]));
    }

    /** Frees the memory that no future fold needs. To be called when few folds are made. */
    public void releaseSpares() {
        records.releaseSpares();
    }

    /** Cancels all future folds and frees their memory. */
    public void release() {
        cancelAbove(Long.MIN_VALUE);
        records.releaseSpares();
    }
}
