package io.sdds.brick.partition;

/** Decides about the requests of a partition whose writes go through the log of its replica group. */
public interface Gate {
    /** Whether the request may run here now. Otherwise the gate has answered, forwarded or kept the request. */
    boolean admits(Request request);

    /** Whether a scan that was admitted when it came may still run. Otherwise as {@link #admits}. */
    boolean admitsStill(Request request);

    /** Moves the logical time on for a write, and returns it. */
    long advance();

    /** The logical time of the last write, committed or not. */
    long timeNanos();

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

    /** Takes the memory for a new record; false if this member or another member has no memory. */
    boolean takeMemory(int keyLength, int valueLength, long expiry);

    /** Whether a write that was sent again is uncommitted. Its request then waits together with the first request. */
    boolean attach(Request request);

    /** Whether the log removes records by their keys alone, because members without ranks apply it. */
    boolean removesByKey();

    /** Appends a write to the log. The write takes effect, and is answered, when all members have it. */
    void propose(Request request, long low, Change change);
}
