package io.sdds.coordinator.control;

import io.sdds.coordinator.state.ClusterSnapshot;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;
import io.sdds.core.node.Env;
import java.util.function.Consumer;

/**
 * The log that makes commands facts, in one order for all coordinators. What is in it survives; what was told to anybody is in it. All methods and calls of the
 * listener are on the node's thread.
 */
public interface CommandLog {
    /** Commands proposed and not yet applied, after which more are rejected. */
    int PENDING_MAX = 4096;

    /**
     * Begins to tell a node what is in the log: what was committed before first, as a snapshot and the commands after it. A node that is gone is told nothing
     * once its successor opened the log.
     */
    void open(Env env, Listener listener);

    /**
     * Proposes a command. {@code done} hears its result once it is committed and applied, or a rejection: NOT_LEADER when this is not the leader, or is no more; then the
     * command may still come to be committed. May answer before this returns.
     */
    void propose(Command command, Consumer<Result> done);

    /** Whether proposals are taken here, and all that was committed before has been applied. */
    boolean isLeader();

    /** host:port of the coordinator that leads, as far as known; empty otherwise. */
    String leaderAddress();

    /** What hears of the log. */
    interface Listener {
        /** Becomes what a snapshot says. */
        void onSnapshot(ClusterSnapshot snapshot);

        /** Applies the next committed command. */
        Result onCommitted(Command command);

        /** What is now, after the command applied last. */
        ClusterSnapshot snapshot();

        /** Leads from now on, or no more. */
        void onLeading(boolean leading);
    }
}
