package io.sdds.brick.partition;

/** What a partition's requests have to pass while the log of its replica group decides about them. */
public interface Gate {
    /** Whether the request may run here now; else it was answered, sent on or kept. */
    boolean admits(Request request);

    /** As {@link #admits}, of a scan that was admitted when it came and runs now. */
    boolean admitsStill(Request request);

    /** Moves the logical time on for a write, and answers it: decided or not. */
    long advance();

    /** The logical time of the last write, decided or not. */
    long timeNanos();

    /**
     * The key's record on top of the writes that are not decided.
     *
     * @return false when that can't be told before they are
     */
    boolean look(Request request, Current current);

    /** Whether there is room for a write of so many bytes; else it was answered. */
    boolean hasRoom(Request request);

    /** Takes the memory for a new record, unless another member has none; false: there is none. */
    boolean takeMemory(int keyLength, int valueLength, long expiry);

    /** Whether a write that was sent again is not decided: then its sender waits with the first one's. */
    boolean attach(Request request);

    /** Numbers a write: it takes effect, and is answered, when all members hold it. */
    void propose(Request request, long low, Change change);
}
