package io.sdds.brick.partition;

import java.lang.foreign.MemorySegment;

/**
 * Decides about the requests of a partition, and takes the effects of its writes. An {@link OpenGate} writes the bucket
 * at once. A gate that is shut makes an entry of the replica group's log of each write.
 */
public interface Gate {
    /** How a CLEAR takes effect. */
    enum Clears {
        AT_ONCE,
        /** By an entry with the interval or range. */
        BY_BOUNDS,
        /** By an entry with a list of the records. */
        BY_LIST,
        /** By an entry with the interval or range. A list has its records, because they have ranks. */
        BY_BOUNDS_WITH_LIST
    }

    /** Whether writes take effect at once, without a log. */
    boolean isOpen();

    /** Whether the request may run here now. Otherwise the gate has answered, forwarded or kept the request. */
    boolean admits(Request request);

    /** Whether a scan that was admitted when it came may still run. Otherwise as {@link #admits}. */
    boolean admitsStill(Request request);

    /** Moves the logical time on for a write. */
    void advance(long nowNanos);

    /**
     * Looks up the key's record on top of the uncommitted writes.
     *
     * @return false if the record is not known before these writes are committed
     */
    boolean look(Request request, Current current);

    /**
     * Whether a write may be acknowledged, because the group has as many members as its table asks for. Otherwise the
     * gate has answered the request.
     */
    boolean mayAcknowledge(Request request);

    /** Whether a write may be acknowledged, and there is room for it. Otherwise the gate has answered the request. */
    boolean hasRoom(Request request);

    /** Whether there is room for an UPDATE, when the length of its value is known. */
    boolean hasRoom(Request request, int valueLength);

    /**
     * Puts a record, or makes the change a put of the record and takes its memory.
     *
     * @return false if this member or another member has no memory
     */
    boolean put(Request request, MemorySegment from, long offset, int length, long version, long expiry, Change change);

    /** Removes the record of the request's key, or makes the change a removal of the record. */
    void remove(Request request, Change change);

    /** How a CLEAR takes effect. */
    Clears clears();

    /** Whether a write that was sent again is uncommitted. Its request then waits together with the first request. */
    boolean attach(Request request);

    /**
     * Appends a write to the log. The write takes effect, and is answered, when all members have it.
     *
     * @return false at an open gate: the write has taken effect, and is to be answered now
     */
    boolean propose(Request request, long low, Outcome outcome);
}
