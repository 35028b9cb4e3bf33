package io.sdds.brick.group;

import java.lang.foreign.MemorySegment;

/**
 * The log of a partition's group at one member, as {@link Leader} and {@link Follower} see it. A data member applies
 * committed entries to its bucket, a parity member folds them into its parity records.
 */
public interface MemberLog {
    int table();

    /** The number of the partition whose log this is. */
    int number();

    /** The epoch in which this member takes part. */
    long epoch();

    /** The entries, in this member's rendering. */
    GroupLog log();

    /** The seq of the last committed entry. */
    long committed();

    /** Whether this member takes the rendering for parity members. */
    boolean isParity();

    /** A PREPARE of this epoch's primary has come. */
    void primaryHeard();

    /** Takes the memory that a received entry will need when it is committed; false if there is no memory. */
    boolean takeMemory(MemorySegment memory, int at);

    /** An entry that has come now is in the log. */
    void received(long seq, long nowNanos);

    /** Cuts off the uncommitted entries behind a seq, which an earlier primary numbered. */
    void cut(long seq);

    /** Commits the entries up to a seq. */
    void commit(long seq);

    /** This member has no memory for the next entry. */
    void stuck();

    // ---- of a member that leads

    /** The same entries in the rendering for parity members. */
    GroupLog deltas();

    /** No entry behind this seq has been acknowledged to a client. */
    long acknowledged();

    /** A vote has come: commits the entries that all members have. */
    void advanceCommit();

    /** There are frames to send at the end of the turn. */
    void dirty();
}
