package io.sdds.brick.memory;

/**
 * Slots that were taken beforehand for a change that must not fail for want of memory. Only that change may use these
 * slots. Each method returns 0 when no such slot is left.
 */
public interface ReservedSlots {

    /** The slot for the record that the change writes, if the slot has this size. */
    long record(long slotBytes);

    /** A slot of this size for the bucket's index. */
    long index(long slotBytes);

    /** A slot of at least this size for a key that the bucket's index keeps. */
    long key(long slotBytes);
}
