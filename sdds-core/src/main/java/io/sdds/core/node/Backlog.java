package io.sdds.core.node;

/**
 * What one link holds of an {@link UnreadBudget}: all that its connection has taken and the network has not. Used by
 * the link's thread alone.
 */
final class Backlog {
    /** From one look to the next at a link that holds anything: nobody tells when that gets less than its share. */
    static final long LOOK_NANOS = 50_000_000L;

    private final UnreadBudget budget;
    private final Env env;
    private final Runnable look;
    private final boolean counts;
    private long heldBytes;
    private boolean looking;
    private boolean released;

    private Backlog(UnreadBudget budget, Env env, Runnable look, boolean counts) {
        this.budget = budget;
        this.env = env;
        this.look = look;
        this.counts = counts;
    }

    /** @param look runs once a while as long as the link holds anything, and once more */
    static Backlog counted(UnreadBudget budget, Env env, Runnable look) {
        return new Backlog(budget, env, look, true);
    }

    /** The same link's as another thread sees it: what is held is counted by its own. */
    Backlog view() {
        return new Backlog(budget, env, look, false);
    }

    /** The link holds so much now: whether that is more than its share. */
    boolean isTooMuch(long pendingBytes) {
        if ((pendingBytes | heldBytes) == 0) {
            return false;
        }
        if (counts && !released) {
            budget.changed(pendingBytes - heldBytes);
            heldBytes = pendingBytes;
            lookSoon();
        }
        return pendingBytes > budget.shareBytes();
    }

    /** Whether more may be held than {@link UnreadBudget#SHARE_BYTES_MIN}. */
    boolean hasRoom() {
        return !budget.isUsedUp();
    }

    private void lookSoon() {
        if (!looking) {
            looking = true;
            env.schedule(LOOK_NANOS, this::look);
        }
    }

    private void look() {
        looking = false;
        if (!released) {
            look.run();
        }
    }

    /** The link is down. */
    void release() {
        released = true;
        budget.changed(-heldBytes);
        heldBytes = 0;
    }
}
