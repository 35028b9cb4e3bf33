package io.sdds.core.node;

/**
 * The bytes that one link holds of an {@link UnreadBudget}: all bytes that its connection has taken and the network has
 * not. Only the link's thread uses it.
 */
final class Backlog {
    /** Time between two looks at a link that holds bytes, because no event tells when they get less than its share. */
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

    /** @param look runs from time to time while the link holds bytes, and once after that */
    static Backlog counted(UnreadBudget budget, Env env, Runnable look) {
        return new Backlog(budget, env, look, true);
    }

    /** The backlog of the same link for a view on another thread. The link's own backlog counts the bytes. */
    Backlog view() {
        return new Backlog(budget, env, look, false);
    }

    /** Notes the bytes that the link holds now; returns whether they are more than its share. */
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

    /** Whether the link may hold more bytes than {@link UnreadBudget#SHARE_BYTES_MIN}. */
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
