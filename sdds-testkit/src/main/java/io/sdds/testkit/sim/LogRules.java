package io.sdds.testkit.sim;

/** What a coordinator takes for granted of the replicated log. The rules as they are; planted bugs take more. */
class LogRules {
    static final LogRules RIGHT = new LogRules();

    /** Whether a leader believes that it leads without asking anybody. */
    boolean trustsItself() {
        return false;
    }

    /** Whether the result of a command is told when it is proposed. */
    boolean tellsBeforeCommit() {
        return false;
    }

    /** Whether a new leader begins before it has applied what was committed before. */
    boolean leadsBehind() {
        return false;
    }

    /** Whether a follower serves as the leader does. */
    boolean followersServe() {
        return false;
    }
}
