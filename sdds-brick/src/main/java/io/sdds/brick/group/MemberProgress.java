package io.sdds.brick.group;

import io.sdds.core.model.Place.Member;
import io.sdds.core.node.Link;
import org.jspecify.annotations.Nullable;

/** The primary's knowledge of one other member in this epoch: how much of the log the member has. */
final class MemberProgress {
    final Member id;

    /** The number m of columns of a parity member's group. A data member has 0. */
    final int columns;

    /** The link over which the primary wrote to the member last. */
    @Nullable
    Link link;

    /** Whether the member has voted in this epoch, so that {@link #match} is valid. */
    boolean hasVoted;

    /** Whether the primary has asked for a vote over this link. */
    boolean voteRequested;

    /** The member's log equals the primary's log up to this seq. */
    long match;

    /** The last entry that was sent over {@link #link}. */
    long sent;

    /** The last entry that the member knows to be committed. */
    long committed;

    /** The commit watermark that was sent to the member last. */
    long sentCommitted;

    /** The stable watermark that was sent to the member last. */
    long sentStable;

    /** The value of {@link #match} when the primary last checked whether to send entries again. */
    long matchAtTick;

    /** Ticks since the member last voted for something new, while entries or the new epoch wait for its vote. */
    int ticksMissed;

    boolean memoryIsShort;

    /** Whether a vote has told {@link #memoryIsShort}. */
    boolean toldMemory;

    /** Bytes of uncommitted entries for which the member has room. */
    int credit = Groups.CREDIT_MAX;

    /** Of a learner: runs once, when the learner has caught up and its vote begins to count. */
    @Nullable
    Runnable onCaughtUp;

    /** Of a learner: runs once, when the learner has no memory to catch up. */
    @Nullable
    Runnable onNoMemory;

    /** The number of ticks since this learner began to catch up. */
    int ticksBehind;

    /** The seq of the last entry of the log some ticks ago, which this learner has to reach. */
    long lastToFollow;

    /** Whether commits wait for the vote of this learner, so that it can catch up. */
    boolean isAwaited;

    /** Of a learner: the log of the learner begins behind this seq. */
    long logStart;

    /** Whether this is no member of this epoch, but is to be a member of the next epoch. */
    boolean isLearner;

    /** Whether the primary needs the member's vote to commit an entry. */
    boolean voteCounts = true;

    MemberProgress(Member id, int columns) {
        this.id = id;
        this.columns = columns;
    }

    /** Begins to use another link. All entries behind {@link #match} are sent again over this link. */
    void useLink(@Nullable Link over) {
        link = over;
        voteRequested = false;
        sent = match;
        sentCommitted = 0;
    }
}
