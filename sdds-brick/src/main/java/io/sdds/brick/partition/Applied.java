package io.sdds.brick.partition;

import java.lang.foreign.MemorySegment;

/**
 * An entry of a replica group's log that was applied, as it is told to whoever copies the partition; one object a
 * stage, used again and again.
 */
public final class Applied {
    public long hash;
    public MemorySegment key = MemorySegment.NULL;
    public long keyOffset;

    /** 0: the entry was about no single key. */
    public int keyLength;

    /** 0: the entry was nobody's write. */
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
