package io.sdds.coordinator.raft;

/**
 * Restricts a member that has lost its disk, and with the disk its votes and acknowledged entries, so that its
 * forgotten promises do no harm. Thread-safe.
 */
public final class RejoinGuard {
    /*
     * Raft requires that no member forgets a vote, or an entry that it acknowledged. A member that comes back with an
     * empty disk may have voted in any term that one of the other members knows: the candidate that it voted for knows
     * the term, and if it voted for itself, one of the others voted too. It may have acknowledged any committed entry,
     * and one of the others has this entry. So before the member takes part it asks all others for the end of their
     * log. Then
     *  - it does not follow a leader of a term below their latest term, because a leader with its forgotten vote may
     *  have been elected since;
     *  - it does not vote, or stand for election, until it has applied an entry as late as their last one, so that its
     *  log has all entries again that are committed up to there;
     *  - it never votes in the terms that they knew.
     */
    static final RejoinGuard NONE = new RejoinGuard(Position.NONE, () -> {});

    private final Position others;
    private final Runnable onCaughtUp;
    private volatile boolean caughtUp;

    /**
     * @param others the end of the other members' logs when they were asked
     * @param onCaughtUp runs once the member may vote again
     */
    public RejoinGuard(Position others, Runnable onCaughtUp) {
        this.others = others;
        this.onCaughtUp = onCaughtUp;
        this.caughtUp = others.lastIndex() < 0;
    }

    void onApplied(long term, long index) {
        if (!caughtUp && others.isReachedBy(term, index)) {
            caughtUp = true;
            onCaughtUp.run();
        }
    }

    /** The latest term in which the member may have voted before it lost its disk. */
    long term() {
        return others.term();
    }

    boolean mayStand() {
        return caughtUp;
    }

    boolean mayVoteIn(long term) {
        return caughtUp && term > others.term();
    }

    boolean mayFollowIn(long term) {
        return term >= others.term();
    }
}
