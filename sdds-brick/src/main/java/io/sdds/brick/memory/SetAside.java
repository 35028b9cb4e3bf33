package io.sdds.brick.memory;

/**
 * Slots that were taken beforehand for a change that must not fail for want of memory, and that only it may use. Each
 * answers 0 when none is left.
 */
public interface SetAside {

    /** The slot for the record that the change writes, if it is of this size. */
    long record(long slotBytes);

    /** A slot of this size for what finds records. */
    long index(long slotBytes);

    /** A slot of at least this size for a key that what finds records keeps. */
    long key(long slotBytes);
}
