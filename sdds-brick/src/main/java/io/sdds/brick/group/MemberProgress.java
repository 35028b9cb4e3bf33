package io.sdds.brick.group;

import io.sdds.core.model.Place.Member;
import io.sdds.core.node.Link;
import org.jspecify.annotations.Nullable;

/** How far another member has come, as the primary knows it in this epoch. */
final class MemberProgress {
    final Member id;

    /** Over which it was written to last. */
    @Nullable
    Link link;

    /** Whether it has voted in this epoch: then what follows is known. */
    boolean heard;

    /** Whether it was asked to, over this link. */
    boolean asked;

    /** Its log equals the primary's up to here. */
    long match;

    /** Up to here entries were sent over {@link #link}. */
    long sent;

    /** It knows that entries up to here are committed. */
    long committed;

    /** What it was told last. */
    long toldCommitted;

    long toldStable;

    /** What {@link #match} was at the last tick. */
    long matchAtTick;

    /** Ticks in which entries, or the epoch's beginning, have waited for its vote in vain. */
    int ticksMissed;

    boolean memoryIsShort;

    /** It has no memory for what follows {@link #match}. */
    boolean stuck;

    /** So many bytes of entries may be on their way to it. */
    int credit = Groups.CREDIT_MAX;

    /** Of one who is to join: runs once when it has caught up, and from then on its vote counts. */
    @Nullable
    Runnable caughtUp;

    /** The same: runs once when it can't. */
    @Nullable
    Runnable noMemory;

    /** Of one who is to join: its log begins behind this seq. */
    long beginsBehind;

    /** Whether it is none of the epoch's members, but is to be one of the next's. */
    boolean joins;

    /** Whether nothing is committed without its vote. */
    boolean counts = true;

    MemberProgress(Member id) {
        this.id = id;
    }

    /** What is on its way over a link that is gone, or was ignored, is sent again. */
    void beginAgain(@Nullable Link over) {
        link = over;
        asked = false;
        sent = match;
        toldCommitted = 0;
    }
}
