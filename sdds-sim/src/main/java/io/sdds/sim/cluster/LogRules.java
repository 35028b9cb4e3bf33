package io.sdds.sim.cluster;

/** Assumptions of a coordinator about the replicated log. Planted bugs assume too much. */
public class LogRules {
    static final LogRules RIGHT = new LogRules();

    /** Whether a leader assumes that it still leads, without a confirmation by a majority. */
    protected boolean trustsItself() {
        return false;
    }

    /** Whether a coordinator reports the result of a command before the command is committed. */
    protected boolean tellsBeforeCommit() {
        return false;
    }

    /** Whether a new leader starts before it has applied all earlier committed commands. */
    protected boolean leadsBehind() {
        return false;
    }

    /** Whether a follower serves requests as the leader does. */
    protected boolean followersServe() {
        return false;
    }
}
