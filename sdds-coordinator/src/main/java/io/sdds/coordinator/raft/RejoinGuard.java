package io.sdds.coordinator.raft;

/**
 * Keeps a member that has lost its disk, and with it its votes and what it acknowledged, from doing harm with what it
 * has forgotten. Thread-safe.
 */
public final class RejoinGuard {
    /*
     * Raft takes for granted that nobody forgets a vote, or an entry that it acknowledged. A member that comes back
     * empty may have voted in any term that one of the others has heard of (whoever it voted for has, and if that was
     * itself, one of them voted too), and may have acknowledged any entry that was committed, which one of the others
     * has. So before it takes part it asks all others what they have; then
     *  - it does not follow a leader of a term below the latest of theirs: one with its forgotten vote may have been
     *  elected since;
     *  - it does not vote, or stand for election, until it has applied an entry as late as the last of theirs: all
     *  entries that are committed up to there are in its log again;
     *  - nor ever in the terms that they had heard of.
     */
    static final RejoinGuard NONE = new RejoinGuard(Position.NONE, () -> {});

    private final Position others;
    private final Runnable onCaughtUp;
    private volatile boolean caughtUp;

    /**
     * @param others what the other members had when they were asked
     * @param onCaughtUp is run once it may vote again
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

    /** The latest in which it may have voted before it lost its disk. */
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
