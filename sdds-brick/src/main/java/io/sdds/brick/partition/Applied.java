package io.sdds.brick.partition;

import java.lang.foreign.MemorySegment;

/**
 * A write that has run, or an entry of a replica group's log that was applied, as the copies of the partition see it. A
 * stage uses one object for all writes and entries.
 */
public final class Applied {
    public long hash;
    public MemorySegment key = MemorySegment.NULL;
    public long keyOffset;

    /** Length of the key; 0 if the write or entry was not about a single key. */
    public int keyLength;

    /** The session of the client that wrote; 0 if the entry was no client's write. */
    public long session;

    public long seq;
    public long low;
    public byte status;
    public long value;

    /** Whether the entry was about a single key. */
    public boolean isOfKey() {
        return keyLength > 0;
    }

    /** Whether the entry was a client's write, with a result. */
    public boolean isWrite() {
        return session != 0;
    }
}
