package io.sdds.testkit.sim;

/** Assumptions of a coordinator about the replicated log. Planted bugs assume too much. */
class LogRules {
    static final LogRules RIGHT = new LogRules();

    /** Whether a leader assumes that it still leads, without a confirmation by a majority. */
    boolean trustsItself() {
        return false;
    }

    /** Whether a coordinator reports the result of a command before the command is committed. */
    boolean tellsBeforeCommit() {
        return false;
    }

    /** Whether a new leader starts before it has applied all earlier committed commands. */
    boolean leadsBehind() {
        return false;
    }

    /** Whether a follower serves requests as the leader does. */
    boolean followersServe() {
        return false;
    }
}
